"""The meaning of a rule, a term or a field."""
