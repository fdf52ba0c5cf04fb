"""The options of all commands: the table, how each is read, and the functions that take them as keywords."""
