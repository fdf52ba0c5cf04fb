"""The analysis of SASS."""
