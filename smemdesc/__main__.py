"""``python -m smemdesc``."""

from smemdesc.cli import main

if __name__ == "__main__":
    main()
