"""The messages of Chat Completions, as OpenAI and the many who speak its language have them, read into messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from segue.formats._openai import (
    first_text,
    media_from_url,
    parsed_arguments,
    placed,
    tool_names,
)
from segue.model import (
    Block,
    ContentBlock,
    Json,
    Media,
    Message,
    Opaque,
    Origin,
    Record,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from segue.records import dumps

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
THINKING_FIELDS = ("reasoning_content", "reasoning", "reasoning_text")
DETAILS = "reasoning_details"
REASONING_KEYS = (*THINKING_FIELDS, DETAILS, "thinking_blocks")


# ----------------------------------------------------------------------------------------- reading


def read_message(
    value: Json, record: Record, number: int, origin: Origin | None, names: dict[str, str]
) -> Message | None:
    """Read one message object, None if its role is unknown. `names` learns which tool each call id named."""
    role = ROLES.get(value["role"]) if isinstance(value, dict) and isinstance(value.get("role"), str) else None
    if role is None:
        return None
    blocks: list[Block]
    if role == "assistant":
        blocks = assistant_blocks(value)
        names.update(tool_names(blocks))
    elif role == "tool":
        blocks = [read_result(value, names)]
    else:
        blocks = list(content_blocks(value.get("content")))
    return Message(
        role,
        placed(blocks, record.number, record.line, number),
        origin=origin if role == "assistant" else None,
        number=number,
        line=record.line,
        records=(record.number,),
        raw=value,
    )


def assistant_blocks(value: Mapping[str, Json]) -> list[Block]:
    """Read an assistant's message in the order of thinking, words, calls."""
    blocks: list[Block] = list(_thinking(value))
    content = value.get("content")
    calls = [*_calls(value.get("tool_calls")), *_legacy_call(value.get("function_call"))]
    if content != "":
        blocks.extend(content_blocks(content))
    if isinstance(value.get("refusal"), str) and value["refusal"]:
        blocks.append(Text(value["refusal"], refusal=True))
    if value.get("audio"):
        blocks.append(Opaque("audio", raw={"audio": value["audio"]}))
    if content == "" and not blocks and not calls:
        blocks.append(Text(""))
    return blocks + calls


def content_blocks(content: Json) -> list[ContentBlock]:
    """Read a content, a text or parts."""
    if content is None:
        return []
    if isinstance(content, str):
        return [Text(content)]
    if not isinstance(content, list):
        return [Text(dumps(content).decode())]
    return [_part(part) for part in content]


def _part(part: Json) -> ContentBlock:
    if not isinstance(part, dict):
        return Text(part if isinstance(part, str) else dumps(part).decode())
    kind = part.get("type")
    if kind == "text" and isinstance(part.get("text"), str):
        return Text(part["text"], raw=part)
    if kind == "refusal" and isinstance(part.get("refusal"), str):
        return Text(part["refusal"], refusal=True, raw=part)
    if kind == "image_url":
        image = part.get("image_url")
        url = image.get("url") if isinstance(image, dict) else image
        if isinstance(url, str):
            return media_from_url("image", url, part)
    if kind == "file" and isinstance(part.get("file"), dict):
        file = part["file"]
        name = first_text(file.get("filename")) or None
        if isinstance(file.get("file_data"), str):
            media = media_from_url("document", file["file_data"], part, name)
            # Some clients send the bare base64 text.
            return media if media.data else replace(media, data=media.url, url=None, media_type="application/pdf")
        if isinstance(file.get("file_id"), str):
            return Media("document", "", file=file["file_id"], name=name, raw=part)
    return Opaque(first_text(kind) or "unknown", raw=part)


def _thinking(value: Mapping[str, Json]) -> Iterator[Thinking]:
    texts = {value[field]: field for field in reversed(THINKING_FIELDS) if isinstance(value.get(field), str)}
    if len(texts) > 1:
        texts.pop("", None)  # an empty field counts where it is the only one: some hosts ask for just that
    details = value.get(DETAILS)
    if isinstance(details, list) and details:
        # The details say the field's text once more, in a form that can be sent back.
        text = next(filter(None, reversed(texts)), None) or "\n\n".join(filter(None, map(_detail_text, details)))
        yield Thinking(text, signature=dumps(details).decode())
        return
    for text, field in reversed(texts.items()):
        yield Thinking(text, signature=field)


def _detail_text(detail: Json) -> str:
    return first_text(detail.get("text"), detail.get("summary")) if isinstance(detail, dict) else ""


def _calls(calls: Json) -> Iterator[ToolCall]:
    for call in calls if isinstance(calls, list) else ():
        if not isinstance(call, dict):
            continue
        custom, function = call.get("custom"), call.get("function")
        call_id = first_text(call.get("id"))
        if isinstance(custom, dict):
            arguments: Json = {"input": first_text(custom.get("input"))}
            yield ToolCall(call_id, first_text(custom.get("name")), arguments, raw=call)
        elif isinstance(function, dict):
            arguments = parsed_arguments(function.get("arguments"))
            yield ToolCall(call_id, first_text(function.get("name")), arguments, thought_signature(call), raw=call)


def _legacy_call(call: Json) -> Iterator[ToolCall]:
    if isinstance(call, dict):
        yield ToolCall("", first_text(call.get("name")), parsed_arguments(call.get("arguments")), raw=call)


def thought_signature(call: Mapping[str, Json]) -> str | None:
    """Find Gemini's signature where its OpenAI-shaped host puts it."""
    extra = call.get("extra_content")
    google = extra.get("google") if isinstance(extra, dict) else None
    signature = google.get("thought_signature") if isinstance(google, dict) else None
    return signature if isinstance(signature, str) else None


def read_result(value: Mapping[str, Json], names: Mapping[str, str]) -> ToolResult:
    call_id = first_text(value.get("tool_call_id"))
    content = value.get("content")
    blocks = () if content == "" else tuple(content_blocks(content))
    return ToolResult(call_id, first_text(value.get("name")) or names.get(call_id, ""), blocks, raw=value)
