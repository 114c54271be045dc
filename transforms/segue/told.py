"""What reports say beside the rules: what readers and writers find, and notes about the whole.

Every name that a reader, a writer or the walk itself puts into a report stands here with one sentence; a test holds the
table against the code.
"""

from __future__ import annotations

READING: dict[str, str] = {
    "damaged-line": "a line or a part of one that is no JSON object is left out",
    "glued-records": "records that stood on one line are separated",
    "source-encoding": "the file's form is put right: encoding, byte order marks, line ends, blank lines, NUL padding",
    "final-newline": "the file ends in one newline",
    "raw-control-character": "control characters that stood raw in a string are escaped",
    "non-finite-number": "numbers that JSON does not have become texts: NaN, Infinity, 1e400",
    "deep-nesting": "a record that nests too deep to be parsed stays as it is in its own format",
    "missing-header": "a session without its header line gets one",
    "broken-chain": "links between records are broken: what belongs together is found otherwise, or the history begins",
    "unsent-prompt": "prompts that stand only in the queue, and were taken back or never sent",
    "replaced-result": "the agent sends a replacement for a result that it found too long",
    "abandoned-branch": "messages on branches that do not lead to the end of the history are not sent",
    "taken-back": "turns that the user took back are not sent",
    "sidechain": "a subagent's messages are not sent; its answer stands in the call's result",
    "bookkeeping-record": "records of the agent itself are not sent",
    "excluded-output": "shell output that its user had excluded is not sent",
    "unknown-role": "a message of a role that the format does not know is left out",
    "history-elsewhere": "the body points at turns that only the server holds",
}
WRITING: dict[str, str] = {
    "system-prompt": "the format has no place for a system prompt",
    "tool-definitions": "the format has no place for tool definitions: the agent brings its own",
    "request-setting": "a setting of the request that the model does not take goes, or becomes one that it takes",
    "wire-shape": "the api would refuse how the body spells something: roles, ids, names and order of results",
    "text-after-results": "the model refuses words behind tool results in one message: they go in front",
    "request-limit": "a setting of the request is lowered to what the model takes",
}
NOTES: dict[str, str] = {
    "awaits-prompt": "the history ends on the assistant, and the target needs a user turn next; --prompt adds it",
    "context-window": "the history is estimated to be larger than the model's window",
    "empty-history": "nothing of the history is left that could be sent",
    "hosted-tools": "tools that run on the source's host are not declared to the target",
    "near-miss": "the recorded model has nearly the name that was given, and would keep its thinking",
    "other-api": "the output is a body of an api that the target itself is not spoken to by",
    "request-settings": "settings of the source's request are not taken over",
    "undeclared-tool": "tools that the history calls are declared as stubs; --tools gives the real ones",
    "unknown-model": "the catalogue does not know the model: its api and nearest family decide",
}
TABLES: dict[str, dict[str, str]] = {"reading": READING, "writing": WRITING, "notes": NOTES}
