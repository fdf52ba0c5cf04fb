"""Operands and instructions, written without the package: right ones, and those that are wrong in one place."""
