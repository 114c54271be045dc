"""Settle calls and results of tools that ran on another vendor's server.

They are no calls that a client answers: their ids, encrypted pages and containers only mean something to the server
that ran them. A search keeps its titles and addresses as text, run code its output; of the rest nothing can be read.
Their own model keeps whole pairs, in another body those of tools that it declares; half of one goes, for nobody can make up the other half, and so does a pair whose id
the server did not give: some proxies make up their own, and every later request is refused.
Source: api rule A-T10; Anthropic's web search and code execution documents; anthropics/claude-code#77512, read 2026-11.

Example, for openai/gpt-4o:

    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "opaque", "name": "server_tool_use", "raw": {"name": "web_search", "input": {"query": "tides"}}}, {"type": "text", "text": "High at six."}]}
  →
    {"role": "assistant", "by": "anthropic/claude-opus-4-8", "content": [{"type": "text", "text": "[web_search: tides]"}, {"type": "text", "text": "High at six."}]}

    ~ 0.0 turned 'server_tool_use' into text
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from segue.changes import Change, downgraded, dropped, shortened
from segue.model import Block, History, Message, Opaque, Text
from segue.passes._policy import Policy
from segue.targets import Target

RULE = "server-tool"
NEEDS = frozenset({"Opaque"})
ALONE = True

SERVER_TYPES = frozenset(
    {
        "server_tool_use", "web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result",
        "bash_code_execution_tool_result", "text_editor_code_execution_tool_result", "tool_search_tool_result",
        "mcp_tool_use", "mcp_tool_result", "advisor_tool_result", "web_search_call", "file_search_call",
        "code_interpreter_call", "image_generation_call", "mcp_call", "mcp_list_tools", "computer_call",
        "executableCode", "codeExecutionResult",
    }
)  # fmt: skip

# They point at what a server had stored, and nothing is stored for a history that is sent whole; the results of steps in
# which Gemini's server worked on media are refused when they come back (G-R6).
STORED_TYPES = frozenset({"item_reference", "toolResponse"})


def run(history: History, target: Target, policy: Policy) -> Iterator[Message | Change]:
    for message in history.messages:
        # An agent settles halves and strangers by itself before it sends; only what it would send counts in its own file.
        if policy.keeps_records:
            gone: Collection[str | int] = _misnamed(message, target)
        elif policy.same_format and target.wrote(message.origin):
            gone = _alone(message) | _misnamed(message, target)
        elif policy.same_blocks and policy.as_request and target.wrote(message.origin):
            gone = _alone(message) | _misnamed(message, target) | _undeclared(message, history)
        else:
            gone = SERVER_TYPES
        if not any(isinstance(block, Opaque) and _goes(block, gone) for block in message.blocks):
            yield message
            continue
        blocks: list[Block] = []
        for block in message.blocks:
            if not isinstance(block, Opaque) or not _goes(block, gone):
                blocks.append(block)
                continue
            words = _readable(block.raw or {})
            if words:
                yield downgraded(RULE, f"turned {block.type!r} into text", message, block, after=shortened(words))
                blocks.append(Text(words, place=block.place))
            else:
                yield dropped(RULE, f"dropped {block.type!r}", message, block)
        yield message.with_blocks(blocks)


def _goes(block: Opaque, gone: Collection[str | int]) -> bool:
    return block.type in STORED_TYPES or block.type in gone or id(block) in gone


def _alone(message: Message) -> set[int]:
    """Find the calls of server tools without their result, and the results without their call: nobody makes those up."""
    calls = {_text(block, "id"): block for block in message.of(Opaque) if block.type.endswith("tool_use")}
    results = {
        _text(block, "tool_use_id"): block for block in message.of(Opaque) if block.type.endswith("_tool_result")
    }
    unpaired = [block for name, block in calls.items() if name not in results]
    unpaired += [block for name, block in results.items() if name not in calls]
    return {id(block) for block in unpaired if block.type in SERVER_TYPES}


def _undeclared(message: Message, history: History) -> set[int]:
    """Find the pairs of server tools that the new request does not declare."""
    declared = {tool.name for tool in history.server_tools}
    server_side = [block for block in message.of(Opaque) if block.type in SERVER_TYPES]
    own = {_text(b, "id") for b in server_side if b.type == "server_tool_use" and _text(b, "name") in declared}
    return {id(b) for b in server_side if _text(b, "id" if b.type.endswith("tool_use") else "tool_use_id") not in own}


def _misnamed(message: Message, target: Target) -> set[int]:
    """Find the calls of server tools, and their results, whose id does not have the form that their server gives."""
    if target.server_call_id is None:
        return set()
    server_side = [b for b in message.of(Opaque) if b.type in SERVER_TYPES and not b.type.startswith("mcp_")]
    return {
        id(block)
        for block in server_side
        for key in ("id", "tool_use_id")
        if key in (block.raw or {}) and not re.fullmatch(target.server_call_id, _text(block, key))
    }


def _text(block: Opaque, key: str) -> str:
    return str((block.raw or {}).get(key))


def _readable(raw: Mapping[str, Any]) -> str:
    """Put into words what a person could read of a server tool's block."""
    ran = raw.get("executableCode") or raw.get("executable_code")
    if isinstance(ran, dict):
        return f"[code: {ran['code']}]" if ran.get("code") else ""
    printed = raw.get("codeExecutionResult") or raw.get("code_execution_result")
    if isinstance(printed, dict):
        return str(printed.get("output") or "")
    asked = raw.get("input") if isinstance(raw.get("input"), dict) else raw.get("action")
    if isinstance(asked, dict):
        words = ", ".join(str(value) for value in asked.values() if isinstance(value, (str, int, float)))
        return f"[{raw.get('name') or raw.get('type')}: {words}]" if words else ""
    content = raw.get("content")
    if isinstance(content, list):
        pages = [page for page in content if isinstance(page, dict)]
        lines = [" ".join(str(page[key]) for key in ("title", "url", "text") if page.get(key)) for page in pages]
        return "\n".join(line for line in lines if line)
    if isinstance(content, dict):
        outputs = [str(content[key]) for key in ("stdout", "stderr", "text") if content.get(key)]
        return "\n".join(outputs)
    return ""
