// Random matrices, a float64 reference, and the judgement of a kernel's result.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#define CHECK(call)                                                                                     \
    do {                                                                                                \
        const cudaError_t status = (call);                                                              \
        if (status != cudaSuccess) {                                                                    \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status)); \
            std::exit(2);                                                                               \
        }                                                                                               \
    } while (0)

using f16 = __half;
using bf16 = __nv_bfloat16;
using tf32 = float;  // rounded below
using e4m3 = __nv_fp8_e4m3;

template <class T>
T rounded(float value)
{
    if constexpr (std::is_same_v<T, tf32>) {
        uint32_t bits;
        std::memcpy(&bits, &value, 4);
        bits &= 0xffffe000;  // tf32 has 10 bits of mantissa; the MMA ignores the other 13
        std::memcpy(&value, &bits, 4);
        return value;
    } else {
        return T(value);
    }
}

// D = A * B with A of M x K and B of K x N, all row-major in global memory, and the two transposed.
template <class T>
class Problem {
public:
    Problem(int m, int n, int k) : M(m), N(n), K(k), expected(size_t(m) * n)
    {
        const std::vector<T> a = random(size_t(M) * K), b = random(size_t(K) * N);
        for (int i = 0; i < M; ++i)
            for (int l = 0; l < K; ++l)
                for (int j = 0; j < N; ++j)
                    expected[i * N + j] += double(float(a[i * K + l])) * double(float(b[l * N + j]));
        A = on_device(a);
        B = on_device(b);
        A_t = on_device(transposed(a, M, K));
        B_t = on_device(transposed(b, K, N));
        CHECK(cudaMalloc(&D, expected.size() * sizeof(float)));
    }

    Problem(const Problem&) = delete;

    ~Problem()
    {
        for (void* each : {(void*)A, (void*)B, (void*)A_t, (void*)B_t, (void*)D})
            cudaFree(each);
    }

    // Run one kernel on A and B and print one line; false if its D is wrong.
    bool run(const char* name, void (*kernel)(const T*, const T*, float*, int, int), dim3 grid, int threads, int shared)
    {
        return judge(name, [&](float* d) { kernel<<<grid, threads, shared>>>(A, B, d, N, K); });
    }

    // The same for whatever `launch` does to make D.
    template <class Launch>
    bool judge(const char* name, Launch launch)
    {
        CHECK(cudaMemset(D, 0xff, expected.size() * sizeof(float)));  // NaN: what is not written is wrong
        launch(D);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::vector<float> d(expected.size());
        CHECK(cudaMemcpy(d.data(), D, d.size() * sizeof(float), cudaMemcpyDeviceToHost));

        double squares = 0, errors = 0, largest = 0;
        for (size_t i = 0; i < d.size(); ++i) {
            const double error = std::fabs(d[i] - expected[i]);
            squares += expected[i] * expected[i];
            errors += error * error;
            largest = std::max(largest, error);  // a NaN stays in `errors`
        }
        const double relative = std::sqrt(errors / squares);
        const double worst = largest / std::sqrt(squares / d.size());
        // Products of fp8 are not added up in full float32. One element at a wrong place makes `worst` about 1.
        const double limit = std::is_same_v<T, e4m3> ? 5e-3 : 1e-5;
        const bool good = relative <= limit && worst <= 10 * limit;
        std::printf("%-24s %dx%dx%d  relative error %.1e (Frobenius), largest %.1e of the rms  %s\n", name, M, N, K,
                    relative, worst, good ? "ok" : "WRONG");
        return good;
    }

    const int M, N, K;
    T *A = nullptr, *B = nullptr, *A_t = nullptr, *B_t = nullptr;

private:
    static T* on_device(const std::vector<T>& values)
    {
        T* made = nullptr;
        CHECK(cudaMalloc(&made, values.size() * sizeof(T)));
        CHECK(cudaMemcpy(made, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
        return made;
    }

    static std::vector<T> transposed(const std::vector<T>& matrix, int rows, int columns)
    {
        std::vector<T> made(matrix.size());
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                made[size_t(j) * rows + i] = matrix[size_t(i) * columns + j];
        return made;
    }

    std::vector<T> random(size_t count)
    {
        std::uniform_real_distribution<float> uniform(-1, 1);
        std::vector<T> values(count);
        for (T& value : values)
            value = rounded<T>(uniform(generator));
        return values;
    }

    std::mt19937 generator{2026};
    std::vector<double> expected;
    float* D = nullptr;
};
