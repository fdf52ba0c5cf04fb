"""The parts of SARIF 2.1.0 that smemdesc writes, as a JSON schema: OASIS, SARIF 2.1.0 with errata 01, sections 3.13 on.

Written from the text of the standard, no property more than what is written. A test of the long run holds the
output against the schema that comes with the standard.
"""

from __future__ import annotations

from typing import Any


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


def _list(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


_TEXT = {"type": "string", "minLength": 1}
_URI = {"type": "string", "format": "uri"}
_MESSAGE = _object(["text"], text=_TEXT)  # 3.11
_LEVEL = {"enum": ["none", "note", "warning", "error"]}  # 3.27.10
_REGION = _object(["startLine"], startLine={"type": "integer", "minimum": 1}, snippet=_MESSAGE)  # 3.30
_PHYSICAL = _object(  # 3.29
    ["artifactLocation"],
    artifactLocation=_object(["uri"], uri={"type": "string", "format": "uri-reference"}),
    region=_REGION,
)
_LOGICAL = _object([], fullyQualifiedName=_TEXT, kind={"type": "string"})  # 3.33
_LOCATION = _object(  # 3.28
    [],
    id={"type": "integer", "minimum": -1},
    message=_MESSAGE,
    physicalLocation=_PHYSICAL,
    logicalLocations=_list(_LOGICAL, uniqueItems=True),
)
_RESULT = _object(  # 3.27
    ["message"],
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": -1},
    level=_LEVEL,
    message=_MESSAGE,
    locations=_list(_LOCATION),
    relatedLocations=_list(_LOCATION, uniqueItems=True),
    occurrenceCount={"type": "integer", "minimum": 1},
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
    properties={"type": "object"},
)
_RULE = _object(  # 3.49
    ["id"],
    id={"type": "string"},
    shortDescription=_MESSAGE,
    fullDescription=_MESSAGE,
    help=_MESSAGE,
    defaultConfiguration=_object([], level=_LEVEL),
)
_INVOCATION = _object(  # 3.20
    ["executionSuccessful"],
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=_list(_object(["message"], level=_LEVEL, message=_MESSAGE)),
)
_RUN = _object(  # 3.14
    ["tool"],
    results=_list(_RESULT),
    invocations=_list(_INVOCATION),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    tool=_object(
        ["driver"],
        driver=_object(
            ["name"],
            name=_TEXT,
            version=_TEXT,
            informationUri={"type": "string", "format": "uri"},
            rules=_list(_RULE, uniqueItems=True),
        ),
    ),
)
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **_object(
        ["version", "runs"],
        **{"$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"}, "runs": _list(_RUN)},
    ),
}
