"""What a rule, a term or a field means."""
