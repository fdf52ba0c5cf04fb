"""What triggers each rule, and what is near it."""
