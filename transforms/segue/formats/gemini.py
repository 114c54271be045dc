"""Request body of Google's `generateContent` and `streamGenerateContent`, on AI Studio and on Vertex AI.

Also a bare list of contents, lines of them, and data sets of one body a line. The server reads keys in camelCase and
in snake_case; the SDKs' own call form has system prompt and tools in `config`. Over HTTP the model stands in the
address; a body that names one all the same keeps it. Calls of older models have no ids: see `_gemini_pairs`.
Facts: google-genai 3.6, types.py, read 2026-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from segue.changes import Change, dropped, rewritten, shortened
from segue.formats._document import COMPACT, messages_around, printed, unchanged
from segue.formats._gemini import MARKS, MEMBERS, SPOKEN, as_list, key_in, member, read_parts
from segue.formats._gemini_contents import ROLES, written
from segue.formats._gemini_pairs import Pairs
from segue.formats._gemini_parts import Spelling, laid, write_parts
from segue.formats._gemini_tools import own_tools, read_tools, write_tools
from segue.formats._types import Format, Read, ReadOptions
from segue.model import Json, Message, Origin, Record, Role, Session, Text, Transcript
from segue.targets import Target

NAME = "gemini"
MODEL_KEYS = ("model", "modelId", "model_id")
_KEYS = frozenset({"systemInstruction", "system_instruction", "generationConfig", "generation_config", *MODEL_KEYS})
_NAMES = frozenset(MEMBERS) | frozenset(MARKS) | SPOKEN


# ------------------------------------------------------------------------------------------ recognising


def recognise(values: Sequence[object], whole: bool) -> bool:
    """Tell whether every record is a body with contents, a list of contents, or a content."""
    return bool(values) and all(map(_is_source, values))


def _is_source(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_is_content, value))
    if not isinstance(value, dict):
        return False
    if "contents" not in value:
        return _is_content(value)
    contents = as_list(value["contents"])
    if not contents or all(isinstance(item, str) for item in contents):
        return not _KEYS.isdisjoint(value)
    return all(isinstance(item, str) or (isinstance(item, dict) and "parts" in item) for item in contents)


def _is_content(value: object) -> bool:
    if not isinstance(value, dict) or "parts" not in value or _role(value) is None:
        return False
    parts = as_list(value["parts"])
    # Other programs' parts have a type or a kind; of a content at least one part must be one of Gemini's own.
    are_untagged = all(isinstance(part, dict) and not {"type", "kind"} & part.keys() for part in parts)
    return are_untagged and any(not _NAMES.isdisjoint(part) for part in parts)


# ---------------------------------------------------------------------------------------------- reading


def read(records: Iterable[Record], options: ReadOptions) -> Read:
    """Read bodies and lists as a session each, single contents as one session of lines."""
    lines: tuple[Pairs, int] | None = None
    for record in records:
        value = record.value
        if isinstance(value, dict) and "contents" in value:
            lines = None
            session = _session(value, record)
            yield session
            yield record
            yield from _listed(as_list(value["contents"]), record, session, options.origin(session.model))
        elif isinstance(value, list):
            lines = None
            session = Session(NAME, "array", prefix_known=False, record=record.number)
            yield session
            yield record
            yield from _listed(value, record, session, options.origin(None))
        else:
            if lines is None:
                lines = Pairs(), 0
                yield Session(NAME, "lines", prefix_known=False, record=record.number)
            pairs, number = lines
            message = _message(value, record, number, pairs, options.origin(None))
            if message is None:
                yield _not_a_content(value, record)
                continue
            yield record
            yield message
            lines = pairs, number + 1


def _session(body: dict[str, Any], record: Record) -> Session:
    return Session(
        NAME,
        "body",
        model=_model(body),
        system=_read_system(_setting(body, "systemInstruction")[1]),
        tools=read_tools(_setting(body, "tools")[1]),
        raw=body,
        record=record.number,
    )


def _model(body: Mapping[str, Json]) -> str | None:
    """Give the plain name of the model: `models/NAME`, or the end of a longer path, is how the api has it."""
    named = next((body[key] for key in MODEL_KEYS if isinstance(body.get(key), str)), "")
    return _in_path(named)[1] or None


def _in_path(named: str) -> tuple[str, str]:
    """Split the name of a model from the path in front of it.

    >>> _in_path("models/gemini-2.5-pro"), _in_path("gemini-2.5-pro")
    (('models/', 'gemini-2.5-pro'), ('', 'gemini-2.5-pro'))
    """
    path, models, name = named.rpartition("models/")
    return path + models, name


def _setting(body: Mapping[str, Json], name: str) -> tuple[str | None, Json]:
    """Find a setting, and the key of the object that holds it: None for the body itself, else the SDKs' `config`."""
    if key_in(body, name) or not isinstance(body.get("config"), dict):
        return None, member(body, name)
    return "config", member(body["config"], name)


def _read_system(value: Json) -> tuple[Text, ...]:
    parts = member(value, "parts") if isinstance(value, dict) and "parts" in value else value
    blocks = read_parts(parts, "system", 0, None, 0)
    return tuple(Text(block.text, raw=block.raw) for block in blocks if isinstance(block, Text) and block.text)


def _listed(
    values: Sequence[Json], record: Record, session: Session, origin: Origin | None
) -> Iterator[Message | Change]:
    pairs = Pairs({tool.name for tool in session.tools})
    number = 0
    for value in values:
        message = _message(value, record, number, pairs, origin)
        if message is None:
            yield _not_a_content(value, record)
        else:
            yield message
            number += 1


def _message(value: Json, record: Record, number: int, pairs: Pairs, origin: Origin | None) -> Message | None:
    if isinstance(value, str):
        blocks = read_parts(value, "user", record.number, record.line, number)
        return Message("user", blocks, None, None, number, record.line, (record.number,))
    role = _role(value) if isinstance(value, dict) else None
    if role is None:
        return None
    read_blocks = read_parts(value.get("parts"), role, record.number, record.line, number)
    blocks = pairs.with_ids(read_blocks, number, role == "assistant")
    author = origin if role == "assistant" else None
    return Message(role, blocks, author, None, number, record.line, (record.number,), raw=value)


def _role(content: dict[str, Any]) -> Role | None:
    """Read the role of a content, None where it is none that anybody uses."""
    named = content.get("role")
    return ROLES.get(named) if named is None or isinstance(named, str) else None


def _not_a_content(value: Json, record: Record) -> Change:
    role = value.get("role") if isinstance(value, dict) else None
    what = f"a content of the unknown role {role!r}" if isinstance(role, str) else "a value that is no content"
    return dropped("unknown-role", what, line=record.line)


# ---------------------------------------------------------------------------------------------- writing


def write(transcript: Transcript, target: Target) -> Iterator[bytes | Change]:
    """Write a body, or whatever shape the source had if it had this format."""
    own = transcript.session.format == NAME
    head = 0
    if not own or transcript.session.container == "body":
        while head < len(transcript.messages) and transcript.messages[head].role == "system":
            head += 1
    spelling = Spelling(target, own, own and _is_snake(transcript))
    contents: list[Json] = []
    changes: list[Change] = []
    for piece in written(transcript.messages[head:], spelling):
        if isinstance(piece, Change):
            changes.append(piece)
        else:
            contents.append(piece)
    system = [*transcript.system]
    for message in transcript.messages[:head]:
        system.extend(block for block in message.blocks if isinstance(block, Text))
    if not own:
        yield printed(_new_body(transcript, contents, system), COMPACT)
        yield from changes
        return
    if transcript.session.container != "body":
        same = None if changes else unchanged(transcript)
        yield same if same is not None else messages_around(transcript, contents, "contents")
        yield from changes
        yield from _around_unsaid(transcript)
        return
    replaced, removed, of_settings = _around(transcript, target, system, spelling)
    changes += of_settings
    same = None if changes or replaced or removed else unchanged(transcript)
    yield same if same is not None else messages_around(transcript, contents, "contents", replaced, removed)
    yield from changes


def _is_snake(transcript: Transcript) -> bool:
    """Tell in which case a source's keys are: by the first one that shows it."""
    if not SPOKEN.isdisjoint(transcript.session.raw or ()):
        return True
    for message in transcript.source.messages:
        for part in as_list((message.raw or {}).get("parts")):
            if isinstance(part, dict) and not part.keys() <= {"text", "thought"}:
                inner = (key for value in part.values() if isinstance(value, dict) for key in value)
                return not SPOKEN.isdisjoint(part) or not SPOKEN.isdisjoint(inner)
    return False


def _new_body(transcript: Transcript, contents: Sequence[Json], system: Sequence[Text]) -> dict[str, Json]:
    body: dict[str, Json] = {}
    if system:
        body["systemInstruction"] = {"parts": [{"text": text.text} for text in system]}
    if transcript.tools:
        body["tools"] = write_tools(transcript.tools)
    return {**body, **transcript.settings, "contents": contents}


def _around_unsaid(transcript: Transcript) -> Iterator[Change]:
    """Tell what a bare list of contents cannot hold."""
    if transcript.system:
        what = "dropped the system prompt: a bare list of contents holds none"
        yield dropped("system-prompt", what, before=shortened(transcript.system[0].text))
    if any(not tool.stub for tool in transcript.tools):
        yield dropped("undeclared-tool", f"a bare list of contents cannot declare {len(transcript.tools)} tools")


def _around(
    transcript: Transcript, target: Target, system: Sequence[Text], spelling: Spelling
) -> tuple[dict[str, Json], tuple[str, ...], list[Change]]:
    """Tell which keys of the source's own body have to change: its model, system prompt, tools and longest answer."""
    session = transcript.session
    raw = session.raw or {}
    body = dict(raw)
    changes: list[Change] = []
    for key in MODEL_KEYS:
        if key in raw and not _had(transcript, key):
            del body[key]
        elif isinstance(raw.get(key), str) and _model(raw) != target.model:
            body[key] = _in_path(raw[key])[0] + target.model
    body |= transcript.settings
    place, given = _setting(raw, "systemInstruction")
    if tuple(system) != session.system or (system and given is None):
        around = given if isinstance(given, dict) and "parts" in given else {}
        said = {**around, "parts": write_parts(list(system), spelling)} if system else None
        _put(body, place, "systemInstruction", said, spelling.snake)
    place, given = _setting(raw, "tools")
    if transcript.tools != session.tools or (transcript.tools and given is None):
        _put(body, place, "tools", own_tools(given, transcript.tools, spelling.snake) or None, spelling.snake)
    change = _limited(body, raw, target, spelling.snake)
    if change is not None:
        changes.append(change)
    replaced = {key: value for key, value in body.items() if key not in raw or raw[key] is not value}
    return replaced, tuple(key for key in raw if key not in body), changes


def _had(transcript: Transcript, key: str) -> bool:
    """Tell whether the source itself has a key: an address names the model, no body that is made needs it."""
    found = next((r for r in transcript.source.records if r.number == transcript.session.record), None)
    return found is None or (isinstance(found.value, dict) and key in found.value)


def _put(body: dict[str, Any], place: str | None, name: str, value: Json, snake: bool) -> None:
    if place is None:
        changed = laid(body, {name: value}, snake)
        body.clear()
        body.update(changed)
    else:
        body[place] = laid(body[place], {name: value}, snake)


def _limited(body: dict[str, Any], raw: Mapping[str, Json], target: Target, snake: bool) -> Change | None:
    """Lower the longest answer that a body asks for to what the model can."""
    key = key_in(raw, "generationConfig") or "config"
    config, most = raw.get(key), target.max_output
    given = member(config, "maxOutputTokens") if isinstance(config, dict) else None
    if most is None or type(given) is not int or given <= most or key not in body:
        return None
    body[key] = laid(body[key], {"maxOutputTokens": most}, snake)
    what = f"lowered maxOutputTokens to {most:,}, the most that {target.model} answers"
    return rewritten("request-limit", what, before=str(given), after=str(most))


FORMAT = Format(
    NAME,
    "request body of Google's generateContent, on AI Studio and Vertex AI",
    recognise,
    read,
    write,
    api="google-generative-ai",
    provider="google",
)
