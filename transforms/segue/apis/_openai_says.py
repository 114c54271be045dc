"""What OpenAI's servers answer, for the place at hand."""

from __future__ import annotations


def missing(path: str) -> str:
    return f"Missing required parameter: '{path}'."


def unknown(path: str) -> str:
    return f"Unknown parameter: '{path}'."


def wrong_type(path: str, expected: str = "a string", found: str = "") -> str:
    but = f", but got {found} instead" if found else ""
    return f"Invalid type for '{path}': expected {expected}{but}."


def empty_text(path: str) -> str:
    return f"Invalid '{path}': empty string. Expected a string with minimum length 1, but got an empty string instead."


def empty_array(path: str) -> str:
    return f"Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty array instead."


def long_array(path: str, limit: int) -> str:
    return f"Invalid '{path}': array too long. Expected an array with maximum length {limit}"


def long_text(path: str, limit: int, length: int) -> str:
    return (
        f"Invalid '{path}': string too long. Expected a string with maximum length {limit}, "
        f"but got a string with length {length} instead."
    )


def unmatched(path: str, pattern: str) -> str:
    return f"Invalid '{path}': string does not match pattern. Expected a string that matches the pattern '{pattern}'."


def not_stored(item_id: object) -> str:
    return (
        f"Item with id '{item_id}' not found. Items are not persisted when `store` is set to false. "
        "Try again with `store` set to true, or remove this item from your input."
    )


def bad_schema(name: object, why: str) -> str:
    return f"Invalid schema for function '{name}': {why}"
