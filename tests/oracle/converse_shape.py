"""Walk a Converse body along the shape that botocore has of it: what its own validator looks at, and what it does not.

Its validator knows types, missing members, unions and smallest lengths; the service's shape also says enums, largest
values and patterns. Bytes are base64 text here, as they go over HTTP, and a `Document` is any JSON.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

SERVICE = "bedrock-runtime"


@cache
def shape_of_request() -> Any:
    from botocore.loaders import Loader
    from botocore.model import ServiceModel

    service = ServiceModel(Loader().load_service_model(SERVICE, "service-2"), SERVICE)
    return service.operation_model("Converse").input_shape


def faults(body: Any) -> list[str]:
    """List what the shape finds wrong with a body; the model stands in the address and may be missing."""
    return list(
        _faults({"modelId": "anthropic.any", **body} if isinstance(body, dict) else body, shape_of_request(), "")
    )


def _faults(value: Any, shape: Any, place: str) -> Iterator[str]:
    if value is None:  # as if it were not there
        return
    yield from {
        "structure": _structure, "list": _list, "map": _map, "string": _string, "blob": _blob,
        "integer": _number, "float": _number, "boolean": _boolean,
    }[shape.type_name](value, shape, place)  # fmt: skip


def _structure(value: Any, shape: Any, place: str) -> Iterator[str]:
    if getattr(shape, "is_document_type", False):
        # Where the shape says any document, the service wants an object.
        if not isinstance(value, dict):
            yield f"{place}: no object"
        return
    if not isinstance(value, dict):
        yield f"{place}: no object"
        return
    there = [key for key, part in value.items() if part is not None]
    yield from (f"{place}: unknown key {key!r}" for key in value if key not in shape.members)
    yield from (f"{place}: missing key {key!r}" for key in shape.required_members if key not in there)
    if getattr(shape, "is_tagged_union", False) and len(there) != 1:
        yield f"{place}: {len(there)} members of a union"
    for key in there:
        if key in shape.members:
            yield from _faults(value[key], shape.members[key], f"{place}.{key}")


def _list(value: Any, shape: Any, place: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{place}: no list"
        return
    yield from _limits(len(value), shape, place)
    for index, part in enumerate(value):
        yield from _faults(part, shape.member, f"{place}[{index}]")


def _map(value: Any, shape: Any, place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place}: no object"
        return
    yield from _limits(len(value), shape, place)
    for key, part in value.items():
        yield from _string(key, shape.key, f"{place}: the key {key!r}")
        yield from _faults(part, shape.value, f"{place}.{key}")


def _string(value: Any, shape: Any, place: str) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{place}: no string"
        return
    yield from _limits(len(value), shape, place)
    if shape.enum and value not in shape.enum:
        yield f"{place}: {value!r} is none of {shape.enum}"
    pattern = shape.metadata.get("pattern")
    if pattern and not re.fullmatch(pattern, value):
        yield f"{place}: {value!r} does not match {pattern}"


def _blob(value: Any, shape: Any, place: str) -> Iterator[str]:
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, TypeError, ValueError):
        yield f"{place}: no base64"
        return
    yield from _limits(len(data), shape, place)


def _number(value: Any, shape: Any, place: str) -> Iterator[str]:
    kinds = (int,) if shape.type_name == "integer" else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        yield f"{place}: no number"
        return
    yield from _limits(value, shape, place)


def _boolean(value: Any, shape: Any, place: str) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{place}: neither true nor false"


def _limits(size: float, shape: Any, place: str) -> Iterator[str]:
    least, most = shape.metadata.get("min"), shape.metadata.get("max")
    if least is not None and size < least:
        yield f"{place}: {size} is below {least}"
    if most is not None and size > most:
        yield f"{place}: {size} is above {most}"
