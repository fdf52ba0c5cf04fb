"""The functions of the package: one for each command, with the options of the command as keywords.

``smemdesc.NAME`` is the function NAME of a file here, imported on first use. It takes what the command takes: arguments
by position, options by keyword with the same name (dashes are underscores) and the same spellings (``"bf16"``,
``"64x16"`` or ``(64, 16)``, ``"sm_100a"``, ``"1KiB"``); None is an option that is not given.
:mod:`smemdesc.api.options` reads them. It raises :class:`smemdesc.engine.errors.SmemdescError` with the ``keyword``
that cannot be used, and returns an immutable result with ``to_dict()`` (the JSON of the command), ``findings`` and
``ok`` (no error). The commands call these functions; ``mma`` and ``plan`` are in ``instructions``.
"""
