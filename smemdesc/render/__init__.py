"""Values as text, tables, grids, pictures and JSON; :mod:`smemdesc.render.console` shows them with rich."""
