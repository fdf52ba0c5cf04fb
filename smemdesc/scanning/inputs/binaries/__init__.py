"""Device code in binary files: cubins, fat binaries, and any file that holds them.

``files`` recognizes the format of a file, ``containers`` finds the device code in it, ``cubin`` the functions with
tensor-core instructions, ``programs`` prints these with nvdisasm, and ``members`` scans the text.
"""
