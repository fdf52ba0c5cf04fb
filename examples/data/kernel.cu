// Two descriptors for tcgen05.mma; the second has a stride that ran over into the version bits.
constexpr unsigned long long a_desc = 0x4000404000010040ull;
constexpr unsigned long long b_desc = 0x4000c04000010440ull;
