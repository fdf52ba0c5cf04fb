"""The meaning of a rule, a cause, a term or a field."""
