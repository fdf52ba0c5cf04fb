"""Device code where it lies: cubins, fat binaries, and whatever holds them, read without printing them by hand.

``files`` tells what a file is, ``containers`` finds the device code in it, ``cubin`` and ``opcodes`` which functions
have tensor-core instructions, ``tools``, ``programs`` and ``disassembling`` have those printed, and ``members`` scans
the text.
"""
