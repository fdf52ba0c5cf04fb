"""Device code where it lies: cubins, fat binaries, and whatever holds them, read without printing them by hand.

``files`` tells what a file is, ``containers`` finds the device code in it, ``cubin`` which functions have tensor-core
instructions, ``programs`` has those printed, and ``members`` scans the text.
"""
