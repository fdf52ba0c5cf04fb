"""From any text to what it holds: numbers, pairs, rows of memory, expressions, calls, arguments of a tensor map."""
