"""Print the lowest version of each package that pyproject.toml allows, one requirement a line.

Of ``dependencies`` and the ``test`` extra; as constraints for pip they make the oldest environment there is.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

REQUIREMENT = re.compile(r"(?P<name>[\w-]+)>=(?P<lowest>[\d.]+)(?:,<[\d.]+)?")


def lowest(pyproject: str) -> Iterator[str]:
    """Yield ``name==version`` for each requirement; :class:`ValueError` where one names no lowest version."""
    project = tomllib.loads(pyproject)["project"]
    for each in [*project["dependencies"], *project["optional-dependencies"]["test"]]:
        found = REQUIREMENT.fullmatch(each)
        if found is None:
            raise ValueError(f"{each}: a lowest version is needed, such as name>=1.2")
        yield f"{found['name']}=={found['lowest']}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{each}\n" for each in lowest(Path(__file__, "../../pyproject.toml").resolve().read_text()))
