"""Random sources that make descriptors, in C++ and Python: what is claimed of them is what they compute."""
