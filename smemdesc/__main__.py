"""The program, and ``python -m smemdesc``. Slow imports happen where an interrupt is caught."""

from __future__ import annotations


def main() -> None:
    """Run the program."""
    try:
        from smemdesc import cli
    except KeyboardInterrupt:
        import os

        os._exit(130)
    cli.main()


if __name__ == "__main__":
    main()
