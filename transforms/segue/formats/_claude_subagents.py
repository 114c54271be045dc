"""The subagents of a Claude Code session: where their runs stand, and which call each of them answers.

A run is a file of its own in the session's folder (`S/subagents/agent-ID.jsonl`, with `agent-ID.meta.json` beside it;
those of a workflow one folder deeper), a file beside the session (2.0), or lines of the session itself that are marked
as a sidechain (1.0). The call is named by the meta file, else by what its result says of the agent, else it is the one
with the prompt that the run begins with.
Facts: Claude Code sessions 1.0 to 2.1, read and measured 2026-11.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from segue.errors import SegueError
from segue.formats._types import Subagent
from segue.model import Record, Transcript
from segue.records import parse, record_text, value_of

_RUN_FILE = re.compile(r"(?:subagents/(?:.*/)?)?agent-([^/]+)\.jsonl")
_SIDECHAIN = re.compile(rb'"isSidechain"\s*:\s*true')
_AGENT_ID = re.compile(r"\bagentId: ?([A-Za-z0-9_-]+)")
_SUMMARISER = "acompact"


@dataclass(slots=True)
class _Calls:
    """What a conversation called: its calls by id, which of them an agent answered, and the prompts that they gave."""

    by_id: dict[str, dict[str, Any]] = field(default_factory=dict)
    by_agent: dict[str, str] = field(default_factory=dict)
    by_prompt: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, arguments: Any) -> None:
        given = arguments if isinstance(arguments, dict) else {}
        if name and name not in self.by_id:
            self.by_id[name] = given
            if isinstance(given.get("prompt"), str):
                self.by_prompt.setdefault(given["prompt"].strip(), []).append(name)


@dataclass(slots=True)
class _Run:
    """A run as it was found: what is known of it before its call is, and what it called itself."""

    subagent: Subagent
    meta: dict[str, Any] = field(default_factory=dict)
    prompt: str | None = None
    calls: _Calls = field(default_factory=_Calls)


def subagents(transcript: Transcript, beside: Mapping[str, bytes]) -> Sequence[Subagent]:
    """Find the runs of a session's subagents and of theirs: those in it first, then those beside it, by name."""
    own = _own_run(transcript)
    runs = [] if own is not None else list(_inside(transcript))
    runs.extend(_beside(transcript, beside, own))
    calls = _calls_of(transcript, own is not None)
    _assign(runs, calls)
    found = [run.subagent for run in runs if not run.subagent.is_summary or own is None]
    if own is None:
        return found
    # Beside a subagent's own file lie those of its whole session: only what it has called itself belongs to it.
    return _descendants(found)


def _descendants(found: list[Subagent]) -> list[Subagent]:
    kept = [run for run in found if run.parent is None and run.call_id is not None]
    known = {run.where for run in kept}
    while more := [run for run in found if run.parent in known and run.where not in known]:
        kept.extend(more)
        known.update(run.where for run in more)
    return [run for run in found if run.where in known]


def _own_run(transcript: Transcript) -> str | None:
    """Name the run that the session is itself, None for a session of a person; a run may have no name: ''."""
    records = {record.number: record for record in transcript.source.records}
    for message in transcript.source.messages:
        for number in message.records:
            value = _value(records[number], transcript.source.data)
            if value.get("isSidechain") is True:
                return _text(value.get("agentId")) or ""
            return None
    return None


# ---------------------------------------------------------------------------------------------- finding


def _inside(transcript: Transcript) -> Iterator[_Run]:
    """Collect the lines of each run that stands in the session's own file: a tree of its own, or one agent's lines."""
    data = transcript.source.data
    groups: dict[str, list[tuple[Record, dict[str, Any]]]] = {}
    group_of: dict[str, str] = {}
    for record in transcript.source.records:
        if not record.repaired and not _SIDECHAIN.search(data, record.start, record.end):
            continue
        value = _value(record, data)
        uuid = value.get("uuid")
        if value.get("isSidechain") is not True or not isinstance(uuid, str):
            continue
        agent, parent = _text(value.get("agentId")), _text(value.get("parentUuid"))
        name = agent or group_of.get(parent or "") or uuid
        group_of[uuid] = name
        groups.setdefault(name, []).append((record, value))
    for name, lines in groups.items():
        if not any(value.get("type") in ("user", "assistant") for _, value in lines):
            continue
        text = b"\n".join(record_text(record, data) for record, _ in lines) + b"\n"
        first, last = lines[0][0], lines[-1][0]
        where = f"line {first.line:,}"
        is_summary = name.startswith(_SUMMARISER)
        identity = name if lines[0][1].get("agentId") else name[:8]
        run = Subagent(identity, where, text, record=last.number, is_summary=is_summary)
        yield _known(run, {}, [value for _, value in lines])


def _beside(transcript: Transcript, beside: Mapping[str, bytes], own: str | None) -> Iterator[_Run]:
    """Read the runs that are files of their own; in a folder of many sessions only this one's."""
    for name in sorted(beside):
        matched = _RUN_FILE.fullmatch(name)
        if matched is None or matched[1] == own:
            continue
        identity = matched[1]
        if identity.startswith(_SUMMARISER):
            if "/" in name:
                yield _Run(Subagent(identity, name, b"", is_summary=True))
            continue
        try:
            data = beside[name]
        except SegueError as error:
            if "/" in name:
                yield _Run(Subagent(identity, name, b"", fault=str(error)))
            continue
        values = list(_values(data))
        if "/" not in name and not _is_of(values, transcript.session.id):
            continue
        yield _known(Subagent(identity, name, data), _meta(name, beside), values)


def _is_of(values: list[dict[str, Any]], session: str | None) -> bool:
    return session is not None and any(value.get("sessionId") == session for value in values[:5])


def _meta(name: str, beside: Mapping[str, bytes]) -> dict[str, Any]:
    meta = name.removesuffix(".jsonl") + ".meta.json"
    try:
        value = parse(beside[meta]) if meta in beside else None
    except (ValueError, SegueError):
        return {}
    return value if isinstance(value, dict) else {}


def _known(subagent: Subagent, meta: dict[str, Any], values: list[dict[str, Any]]) -> _Run:
    run = _Run(subagent, meta, _prompt(values))
    for value in values:
        _note(run.calls, value)
    return run


def _prompt(values: Iterable[dict[str, Any]]) -> str | None:
    for value in values:
        body = value.get("message")
        content = body.get("content") if value.get("type") == "user" and isinstance(body, dict) else None
        if isinstance(content, str):
            return content.strip()
        if isinstance(content, list):
            texts = [block["text"] for block in content if isinstance(block, dict) and "text" in block]
            return "\n".join(text for text in texts if isinstance(text, str)).strip()
    return None


# ---------------------------------------------------------------------------------------------- calls


def _calls_of(transcript: Transcript, is_run: bool) -> _Calls:
    """Note what the session called on any branch, and what the lines of its results say of the agents that answered."""
    calls = _Calls()
    data = transcript.source.data
    for record in transcript.source.records:
        text = record_text(record, data)
        speaks = b'"tool_use"' in text or b"agentId" in text or b'"runId"' in text
        if speaks and (is_run or not _SIDECHAIN.search(text)):
            _note(calls, _value(record, data))
    return calls


def _note(calls: _Calls, value: dict[str, Any]) -> None:
    body = value.get("message")
    content = body.get("content") if isinstance(body, dict) else None
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    for block in blocks:
        if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
            calls.add(block["id"], block.get("input"))
    results = [block for block in blocks if block.get("type") == "tool_result"]
    told = value.get("toolUseResult") if len(results) == 1 else None
    for block in results:
        call = block.get("tool_use_id")
        agent = _agent(told, block.get("content"))
        if agent is not None and isinstance(call, str):
            calls.by_agent.setdefault(agent, call)


def _agent(told: Any, content: Any) -> str | None:
    """Name the agent, or the workflow, that a result speaks of: in the recorder's copy of it, else in its words."""
    if isinstance(told, dict):
        name = _text(told.get("agentId")) or _text(told.get("runId"))
        if name is not None:
            return name
    texts = [content] if isinstance(content, str) else []
    if isinstance(content, list):
        texts = [str(block.get("text")) for block in content if isinstance(block, dict)]
    # The agent's own words come first, its name behind them.
    named = [match[1] for text in texts for match in _AGENT_ID.finditer(text)]
    return named[-1] if named else None


def _assign(runs: list[_Run], main: _Calls) -> None:
    """Give each run its call: by the call's id, by the agent's, by the prompt; in that order for all of them."""
    holders: list[tuple[str | None, _Calls]] = [(None, main), *((run.subagent.where, run.calls) for run in runs)]
    taken: set[tuple[str | None, str]] = set()
    for way in (_by_call, _by_agent, _by_prompt):
        for run in runs:
            if run.subagent.call_id is not None or run.subagent.is_summary:
                continue
            for holder, calls in holders:
                if holder == run.subagent.where:
                    continue
                # one call may start many runs, but of two calls with one prompt each has its own
                free = (name for name in way(run, calls) if way is not _by_prompt or (holder, name) not in taken)
                call = next(free, None)
                if call is not None:
                    taken.add((holder, call))
                    run.subagent = replace(run.subagent, call_id=call, parent=holder)
                    break
    parents = {run.subagent.id: run.subagent.where for run in runs}
    known = dict(holders)
    for run in runs:
        subagent = run.subagent
        parent = subagent.parent
        if subagent.call_id is None:
            parent = parents.get(_text(run.meta.get("parentAgentId")) or "")
            parent = parent if parent != subagent.where else None
        given = known[parent].by_id.get(subagent.call_id or "", {})
        kind = _text(run.meta.get("agentType")) or _text(given.get("subagent_type"))
        description = _text(run.meta.get("description")) or _text(given.get("description"))
        run.subagent = replace(subagent, parent=parent, kind=kind, description=description)


def _by_call(run: _Run, calls: _Calls) -> list[str]:
    call = _text(run.meta.get("toolUseId"))
    return [call] if call in calls.by_id else []


def _by_agent(run: _Run, calls: _Calls) -> list[str]:
    call = calls.by_agent.get(run.subagent.id) or calls.by_agent.get(_workflow(run.subagent.where))
    return [call] if call in calls.by_id else []


def _workflow(where: str) -> str:
    """Name the workflow whose folder a run stands in, '' for none."""
    folders = where.split("/")[:-1]
    return folders[-1] if "workflows" in folders[:-1] else ""


def _by_prompt(run: _Run, calls: _Calls) -> list[str]:
    return calls.by_prompt.get(run.prompt, []) if run.prompt else []


# ---------------------------------------------------------------------------------------------- values


def _values(data: bytes) -> Iterator[dict[str, Any]]:
    """Parse the lines of a run's file; what is damaged is its reader's matter."""
    for line in data.splitlines():
        try:
            value = parse(line) if line.strip() else None
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


def _value(record: Record, data: bytes) -> dict[str, Any]:
    value = value_of(record, data)
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
