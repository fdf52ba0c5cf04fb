"""The shared memory of one function: what copies write, MMAs read and barriers wait for; and what contradicts it.

A front end names the instructions (:class:`smemdesc.scanning.shared_memory.facts.SharedItem`), the analysis finds their
addresses, each a base, multiples of loop variables and a number. Nothing is guessed: what depends on the thread, or on
what is not known, is not judged.
"""
