"""Fold the lines of a Codex rollout into the items that the agent would send.

A rollout is a log: a compaction puts another list in the place of all before it, a rollback takes turns back, and
events only repeat for the screen what the items say. Three generations: bare items behind a header (to 0.28), lines
with an envelope, and the single document `{"session", "items"}` of the first agent.
Facts: Codex rollouts 0.20 to 0.171, read and measured 2026-11.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from segue.formats._codex_context import begins_turn, is_context, is_summary
from segue.formats._responses import CALLS, OUTPUTS
from segue.model import Json, Origin, Record

PROVIDER, API = "openai", "openai-responses"
ENVELOPES = frozenset({"session_meta", "response_item", "turn_context", "event_msg", "compacted", "world_state"})
BESIDE = frozenset({"local_shell_call", "web_search_call", "image_generation_call", "tool_search_call"})
ITEMS = frozenset(
    {
        "reasoning", *CALLS, *OUTPUTS, *BESIDE, "tool_search_output", "agent_message", "compaction",
        "compaction_summary", "context_compaction", "additional_tools",
    }
)  # fmt: skip
_USER_BUDGET = 20_000  # tokens of user messages that a compaction without a list of its own keeps
_BYTES_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of the history: where it stands (`slot` in the list that its record holds), who wrote it, and when.

    Of a summary, and of another agent's words, `item` is the payload that says them.
    """

    item: Mapping[str, Json]
    record: Record
    slot: int | None = None
    origin: Origin | None = None
    time: Json = None


@dataclass(slots=True)
class Fold:
    """What was read so far, and what the agent would not send of it."""

    head: Mapping[str, Json] | None = None  # of the session: the payload of its first line
    entries: list[Entry] = field(default_factory=list)
    aside: Counter[str] = field(default_factory=Counter)
    compacted: tuple[int, int] = (0, 0)  # how many items, and the line of the last compaction
    taken_back: tuple[int, int] = (0, 0)
    model: str | None = None
    provider: str | None = None

    @property
    def origin(self) -> Origin | None:
        return Origin(self.provider or PROVIDER, API, self.model) if self.model else None


def folded(records: Iterable[Record]) -> Fold:
    fold = Fold()
    for record in records:
        if isinstance(record.value, dict):
            _line(fold, record, record.value)
    return fold


def is_spoken(item: Json) -> bool:
    """Tell an item that the agent sends: one of a known type, or a message of any role but the system's."""
    if not isinstance(item, dict):
        return False
    kind = item.get("type", "message")
    if kind == "message":
        has_words = isinstance(item.get("content"), list | str)
        return item.get("role") in ("user", "assistant", "developer") and has_words
    return isinstance(kind, str) and kind in ITEMS


def _line(fold: Fold, record: Record, value: Mapping[str, Json]) -> None:
    kind, payload = value.get("type"), value.get("payload")
    if isinstance(payload, dict):
        _enveloped(fold, record, value, str(kind), payload)
    elif isinstance(value.get("items"), list) and isinstance(value.get("session"), dict):
        _head(fold, value["session"])
        _listed(fold, record, value["items"], None)
    elif "payload" not in value and is_spoken(value):
        fold.entries.append(Entry(value, record, None, fold.origin))
    elif fold.head is None and kind is None and isinstance(value.get("id"), str):
        _head(fold, value)
    else:
        fold.aside[str(value.get("record_type") or kind)] += 1


def _enveloped(fold: Fold, record: Record, value: Mapping[str, Json], kind: str, payload: Mapping[str, Json]) -> None:
    time = _named(value.get("timestamp"))
    if kind == "response_item" and is_spoken(payload):
        fold.entries.append(Entry(payload, record, None, fold.origin, time))
    elif kind == "inter_agent_communication":
        fold.entries.append(Entry(payload, record, None, None, time))
    elif kind == "compacted":
        _compact(fold, record, payload, time)
    elif kind == "session_meta":
        # A fork copies its parent's lines, and among them the parent's own header.
        if fold.head is None:
            _head(fold, payload)
        else:
            fold.aside["session_meta"] += 1
    else:
        if kind == "turn_context":
            fold.model = _named(payload.get("model")) or fold.model
        elif payload.get("type") == "thread_settings_applied":
            settings = payload.get("thread_settings")
            if isinstance(settings, dict):
                fold.model = _named(settings.get("model")) or fold.model
                fold.provider = _named(settings.get("model_provider_id")) or fold.provider
        elif payload.get("type") == "thread_rolled_back":
            _take_back(fold, record, payload.get("num_turns"))
        inner = payload.get("type")
        if kind == "response_item" and inner in (None, "message"):
            inner = f"{payload.get('role')} message"
        fold.aside[str(inner) if kind in ("event_msg", "response_item") else kind] += 1


def _head(fold: Fold, payload: Mapping[str, Json]) -> None:
    fold.head = payload
    fold.model = _named(payload.get("model"))
    fold.provider = _named(payload.get("model_provider"))


def _compact(fold: Fold, record: Record, payload: Mapping[str, Json], time: Json) -> None:
    """Put what a compaction kept in the place of all before it: its list, or the latest prompts and its summary."""
    before = fold.entries
    kept: list[Entry] = []
    if isinstance(payload.get("replacement_history"), list):
        fold.entries = []
        _listed(fold, record, payload["replacement_history"], time)
    else:
        kept = _prompts(before)
        summary = payload.get("message")
        said = [Entry(payload, record, None, None, time)] if isinstance(summary, str) and summary else []
        fold.entries = kept + said
    fold.compacted = (fold.compacted[0] + len(before) - len(kept), record.line)


def _listed(fold: Fold, record: Record, items: Iterable[Json], time: Json) -> None:
    for slot, item in enumerate(items):
        if is_spoken(item):
            fold.entries.append(Entry(item, record, slot, fold.origin, time))
        else:
            fold.aside[str(item.get("type") if isinstance(item, dict) else "value")] += 1


def _prompts(entries: Iterable[Entry]) -> list[Entry]:
    """Keep the latest words of the user, as many as fit; the one that only fits in part stays whole."""
    kept: list[Entry] = []
    left = _USER_BUDGET
    for entry in reversed(list(entries)):
        item = entry.item
        if item.get("role") != "user" or is_summary(item) or not begins_turn(item):
            continue
        if left <= 0:
            break
        kept.append(entry)
        left -= -(-sum(len(text.encode("utf-8", "surrogatepass")) for text in _texts(item)) // _BYTES_A_TOKEN)
    return kept[::-1]


def _texts(item: Mapping[str, Json]) -> list[str]:
    content = item.get("content")
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]


def _take_back(fold: Fold, record: Record, turns: Json) -> None:
    """Cut the last turns off, and what the agent had put in right before the first of them."""
    if not isinstance(turns, int) or turns <= 0:
        return
    begins = [index for index, entry in enumerate(fold.entries) if begins_turn(entry.item)]
    if not begins:
        return
    cut = begins[max(0, len(begins) - turns)]
    while cut > begins[0] and is_context(fold.entries[cut - 1].item):
        cut -= 1
    fold.taken_back = (fold.taken_back[0] + len(fold.entries) - cut, record.line)
    del fold.entries[cut:]


def _named(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None
