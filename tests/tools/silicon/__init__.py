"""What the hardware reads: a probe, its cases, a record of the answers, and the model held against it."""
