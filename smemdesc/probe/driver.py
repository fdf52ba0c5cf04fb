"""The NVIDIA driver, through ctypes: the only module that knows libcuda.

A wrong descriptor can fault, after which a process can do no more on the GPU, or hang. So another process has the GPU;
if it dies or does not answer in time, that is the answer, and the next question starts a new one.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.archs import TARGETS
from smemdesc.kinds.kind import kind_of
from smemdesc.probe.launch import FIRST, SHARED_BYTES, Answered, CopyKernel, DriverArguments, Launch, RunFault
from smemdesc.probe.ptx import ENDED, ENTRY, HEAD_BYTES, module_text, record_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

LIMIT = 20.0
"""Seconds that one run may take, the start of the driver included; one takes a fraction of one."""
_LIBRARIES = {"win32": ("nvcuda.dll",)}
_ON_LINUX = ("libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1")
MAP_SIZE = 128
_LOG_BYTES = 8192
_ERROR_LOG, _ERROR_LOG_BYTES = 5, 6  # CU_JIT_ERROR_LOG_BUFFER, ..._SIZE_BYTES
_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_MAJOR, _MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ..._MINOR
_NAMES = {
    "CUDA_ERROR_ILLEGAL_INSTRUCTION": "illegal instruction",
    "CUDA_ERROR_ILLEGAL_ADDRESS": "illegal address",
    "CUDA_ERROR_INVALID_ADDRESS_SPACE": "address outside of shared memory",
    "CUDA_ERROR_MISALIGNED_ADDRESS": "misaligned address",
    "CUDA_ERROR_LAUNCH_FAILED": "unspecified launch failure",
    "CUDA_ERROR_LAUNCH_TIMEOUT": "the driver's time limit",
}


class Gpu(NamedTuple):
    """A GPU that the driver has."""

    name: str
    arch: str
    """The target for itself: ``sm_90a``."""
    driver: str
    """The version of CUDA that the driver has: ``13.0``."""

    def __str__(self) -> str:
        return f"{self.name}, {self.arch}"

    def to_dict(self) -> dict[str, str]:
        """Return the JSON object."""
        return {"chip": self.name, "arch": self.arch, "cuda_driver": self.driver}


class CudaError(Exception):
    """What a function of the driver returned; ``text`` is its name and what its log says."""

    def __init__(self, name: str, function: str, log: str = "") -> None:
        super().__init__(name)
        self.name = name
        self.function = function
        self.log = log


class _Cuda:
    """The functions of libcuda: one that fails raises :class:`CudaError`."""

    def __init__(self) -> None:
        library = None
        for name in _LIBRARIES.get(sys.platform, _ON_LINUX):
            with suppress(OSError):
                library = ctypes.CDLL(name)
                break
        if library is None:
            raise CudaError("no NVIDIA driver", "libcuda")
        self._library = library

    def __call__(self, function: str, *arguments: Any, log: ctypes.Array[ctypes.c_char] | None = None) -> None:
        status = getattr(self._library, function)(*arguments)
        if status:
            name = ctypes.c_char_p()
            self._library.cuGetErrorName(status, ctypes.byref(name))
            text = log.value.decode(errors="replace").strip() if log is not None else ""
            raise CudaError((name.value or b"").decode() or str(status), function, text)

    def has(self, function: str) -> bool:
        """Whether this driver has a function."""
        return hasattr(self._library, function)


class _GpuContext:
    """The GPU of a process: what is compiled stays, memory is freed after each run."""

    def __init__(self, device: int) -> None:
        self.cuda = _Cuda()
        self.cuda("cuInit", 0)
        self.device = ctypes.c_int()
        self.cuda("cuDeviceGet", ctypes.byref(self.device), device)
        context = ctypes.c_void_p()
        self.cuda("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.cuda("cuCtxSetCurrent", context)
        self._functions: dict[str, ctypes.c_void_p] = {}

    def gpu(self) -> Gpu:
        """Return what it is."""
        name = ctypes.create_string_buffer(256)
        self.cuda("cuDeviceGetName", name, 256, self.device)
        version = ctypes.c_int()
        self.cuda("cuDriverGetVersion", ctypes.byref(version))
        numbers = []
        for attribute in (_MAJOR, _MINOR):
            number = ctypes.c_int()
            self.cuda("cuDeviceGetAttribute", ctypes.byref(number), attribute, self.device)
            numbers.append(number.value)
        arch = "sm_{}{}".format(*numbers)
        known = [target for target in TARGETS if target.rstrip("a") == arch and target.endswith("a")]
        return Gpu(name.value.decode(), known[0] if known else arch, "{}.{}".format(*_version(version.value)))

    def function(self, text: str) -> ctypes.c_void_p:
        """Return the kernel of a PTX text; a :class:`CudaError` has the log of the driver's compiler."""
        if text not in self._functions:
            log = ctypes.create_string_buffer(_LOG_BYTES)
            options = (ctypes.c_int * 2)(_ERROR_LOG, _ERROR_LOG_BYTES)
            values = (ctypes.c_void_p * 2)(ctypes.addressof(log), _LOG_BYTES)
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            self.cuda("cuModuleLoadDataEx", ctypes.byref(module), text.encode(), 2, options, values, log=log)
            self.cuda("cuModuleGetFunction", ctypes.byref(function), module, ENTRY.encode())
            self.cuda("cuFuncSetAttribute", function, _MAX_DYNAMIC_SHARED, SHARED_BYTES)
            self._functions[text] = function
        return self._functions[text]

    def run(self, launch: Launch) -> Answered:
        """Run a kernel and return its answer."""
        kernel, ctas = launch.kernel, launch.kernel.cta_group
        function = self.function(module_text(kernel))
        size = HEAD_BYTES + 4 * kernel.words
        count = len(launch.blocks) * ctas
        held: list[ctypes.c_uint64] = []
        try:
            source = self._upload(launch.source, held)
            records = b"".join(map(record_of, _at(launch, source.value).blocks))
            images = b"".join(image.data for block in launch.blocks for image in block.images)
            tensors = b"".join(block.tensor for block in launch.blocks)
            inputs = [self._upload(data, held) for data in (records, images, tensors)]
            answers = self._allocate(count * size, held)
            arguments = (ctypes.c_void_p * 4)(*(ctypes.addressof(pointer) for pointer in (*inputs, answers)))
            self.cuda("cuLaunchKernel", function, count, 1, 1, 128, 1, 1, SHARED_BYTES, None, arguments, None)
            self.cuda("cuCtxSynchronize")
            data = ctypes.create_string_buffer(count * size)
            self.cuda("cuMemcpyDtoH_v2", data, answers, ctypes.c_size_t(count * size))
        finally:
            for pointer in held:
                with suppress(CudaError):
                    self.cuda("cuMemFree_v2", pointer)
        return _answered(launch, data.raw)

    def encode(self, given: DriverArguments) -> bytes | RunFault:
        """Return the tensor map that the driver makes of its arguments."""
        name = "cuTensorMapEncodeTiled"
        if not self.cuda.has(name):
            return RunFault(f"the driver has no {name}")
        # The driver wants it at a multiple of 64.
        buffer = ctypes.create_string_buffer(192)
        at = -ctypes.addressof(buffer) % 64
        rank = len(given.dims)
        longs, words = ctypes.c_uint64 * rank, ctypes.c_uint32 * rank
        try:
            self.cuda(
                name,
                ctypes.byref(buffer, at),
                given.data_type,
                rank,
                ctypes.c_void_p(given.address),
                longs(*given.dims),
                longs(*given.strides),
                words(*given.box),
                words(*given.element_strides),
                given.interleave,
                given.swizzle,
                given.l2_promotion,
                given.fill,
            )
        except CudaError as error:
            return RunFault(f"{name}: {error.name}")
        return buffer.raw[at : at + MAP_SIZE]

    def _allocate(self, size: int, held: list[ctypes.c_uint64]) -> ctypes.c_uint64:
        pointer = ctypes.c_uint64()
        if size:
            self.cuda("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
            held.append(pointer)
        return pointer

    def _upload(self, data: bytes, held: list[ctypes.c_uint64]) -> ctypes.c_uint64:
        pointer = self._allocate(len(data), held)
        if data:
            self.cuda("cuMemcpyHtoD_v2", pointer, data, ctypes.c_size_t(len(data)))
        return pointer


def _version(number: int) -> tuple[int, int]:
    return number // 1000, number % 1000 // 10


def _at(launch: Launch, address: int) -> Launch:
    """Return a launch whose tensor maps begin at an address of this process."""
    if not isinstance(launch.kernel, CopyKernel):
        return launch
    table = kind_of("tensormap").table
    blocks = [
        block._replace(
            tensor_map=table.insert(
                int.from_bytes(block.tensor_map, "little"), "global_address", address + block.source
            ).to_bytes(MAP_SIZE, "little")
        )
        for block in launch.blocks
    ]
    return launch._replace(blocks=tuple(blocks))


class _NotEndedError(Exception):
    """The kernel ended and the instruction did not; or shared memory begins elsewhere."""


def _answered(launch: Launch, data: bytes) -> Answered:
    size = HEAD_BYTES + 4 * launch.kernel.words
    words = []
    for begin in range(0, len(data), size):
        base, state = (int.from_bytes(data[at : at + 4], "little") for at in (begin, begin + 4))
        if base != FIRST:
            raise _NotEndedError(f"shared memory of a block begins at {base} here, not at {FIRST}")
        if state != ENDED:
            raise _NotEndedError("the instruction did not end within a second")
        words.append(data[begin + HEAD_BYTES : begin + size])
    ctas = launch.kernel.cta_group
    return Answered(tuple(tuple(words[at : at + ctas]) for at in range(0, len(words), ctas)))


def _serve(ends: Connection, device: int) -> None:
    """The second process: it answers until the other end is closed; after a fault, that end stops it."""
    _die_with_parent()
    try:
        context = _GpuContext(device)
        ends.send(context.gpu())
    except CudaError as error:
        ends.send((error.name, error.function, error.log))
        return
    while True:
        try:
            asked = ends.recv()
        except EOFError:
            return
        try:
            ends.send(context.encode(asked) if isinstance(asked, DriverArguments) else context.run(asked))
        except _NotEndedError as why:
            ends.send(RunFault(str(why)))
        except CudaError as error:
            ends.send(_fault(error))


def _die_with_parent() -> None:
    """On Linux: end when the parent is killed, also in the middle of a run."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL


def _fault(error: CudaError) -> RunFault:
    if error.function == "cuModuleLoadDataEx":
        return RunFault("the driver's compiler refused the kernel", error.log or error.name)
    if error.function in ("cuCtxSynchronize", "cuMemcpyDtoH_v2"):
        return RunFault(f"the instruction faulted: {_NAMES.get(error.name, error.name)}")
    return RunFault(f"{error.function}: {error.name}")


class Driver:
    """The GPU, as long as a ``with`` lasts: :meth:`ask` runs a launch in a process of its own.

    :class:`smemdesc.engine.errors.SmemdescError` if there is no driver or no such GPU.
    """

    serve: Callable[[Connection, int], None] = staticmethod(_serve)
    """What the other process does."""

    def __init__(self, device: int = 0, limit: float = LIMIT) -> None:
        self._device = device
        self._limit = limit
        self._process: Any = None
        self._ends: Any = None
        self.gpu = self._start()

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def ask(self, launch: Launch) -> Answered | RunFault:
        """Return what a run left, or why it left nothing."""
        answer: Answered | RunFault = self._send(launch)
        return answer

    def encode(self, arguments: DriverArguments) -> bytes | RunFault:
        """Return the tensor map that the driver makes of its arguments, or why it makes none."""
        answer: bytes | RunFault = self._send(arguments)
        return answer

    def _send(self, asked: Launch | DriverArguments) -> Any:
        if self._process is None:
            self._start()
        try:
            self._ends.send(asked)
            if not self._ends.poll(self._limit):
                self._stop()
                return RunFault(f"no answer within {self._limit:g} s: the run was ended")
            answer = self._ends.recv()
        except (EOFError, OSError):
            self._stop()
            return RunFault("the process that had the GPU died")
        if isinstance(answer, RunFault):
            self._stop()
        return answer

    def _start(self) -> Gpu:
        from multiprocessing import get_context

        context = get_context("spawn")
        self._ends, other = context.Pipe()
        self._process = context.Process(target=self.serve, args=(other, self._device), daemon=True)
        self._process.start()
        other.close()
        found: Any = None
        with suppress(EOFError, OSError):
            found = self._ends.recv() if self._ends.poll(self._limit) else None
        if not isinstance(found, Gpu):
            self._stop()
            raise _no_gpu(found, self._device)
        return found

    def _stop(self) -> None:
        if self._process is not None:
            self._ends.close()
            self._process.kill()
            self._process.join()
            self._process = None


def _no_gpu(found: object, device: int) -> SmemdescError:
    hint = "--ptx prints the kernel that would run"
    if not isinstance(found, tuple):
        return SmemdescError("the NVIDIA driver did not start", hint=hint)
    name, function, _ = found
    if function == "libcuda":
        return SmemdescError("there is no NVIDIA driver (libcuda) here", hint=hint)
    if name == "CUDA_ERROR_INVALID_DEVICE":
        return SmemdescError(f"there is no GPU {device}", hint="nvidia-smi lists them; the first one is 0")
    if name == "CUDA_ERROR_NO_DEVICE":
        return SmemdescError("there is no GPU here", hint=hint)
    return SmemdescError(f"the NVIDIA driver does not start: {function}: {name}", hint=hint)
