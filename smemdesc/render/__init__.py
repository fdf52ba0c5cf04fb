"""Values into text. Only :mod:`smemdesc.render.terminal` knows a terminal, and only it imports rich."""
