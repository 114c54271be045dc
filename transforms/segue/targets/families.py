"""What a line of models can do beyond its api, told by the model's name.

The first family whose pattern is found in the plain name holds; the last one of a vendor's takes whatever is newer than
all that are known. `facts` hold on any api, `over` on the named ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from segue.targets.target import IdShape, ImageLimits

_ANTHROPIC = "anthropic-messages"
_BEDROCK = "bedrock-converse-stream"
_CHAT = "openai-completions"
_RESPONSES = ("openai-responses", "openai-codex-responses", "azure-openai-responses")
_GOOGLE = ("google-generative-ai", "google-vertex")
_MISTRAL = "mistral-conversations"
_BOTH = frozenset({"image", "document"})
_IMAGES = frozenset({"image"})


@dataclass(frozen=True)
class Family:
    """A line of models. `pattern` is searched in the plain name, lower case (see `names.plain_name`)."""

    name: str
    about: str
    pattern: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    over: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @cached_property
    def _found(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    def holds(self, plain_name: str) -> bool:
        return self._found.search(plain_name) is not None

    def values(self, api: str) -> dict[str, Any]:
        return {**self.facts, **self.over.get(api, {})}


def _on(apis: tuple[str, ...], values: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return dict.fromkeys(apis, values)


# Claude behind Bedrock: its own rules in Converse's shape.
_CLAUDE_ON_BEDROCK: dict[str, Any] = {
    "call_id": IdShape(length=64),
    "thinking": "signed",
    "whole_thinking": True,
    "images": True,
    "documents": True,
    "image_limits": ImageLimits(size=5_000_000, side=8000, many=20, many_side=2000, count=20),
    "result_media": _BOTH,
    "text_only_error_results": True,
    "error_flag": True,
}
_OLD_CLAUDE_IMAGES = ImageLimits(size=5_242_880, side=8000, many=20, many_side=2000, count=100)
_NO_MEDIA = {"images": False, "documents": False}
_SPLITS_RESULTS = {"documents": True, "user_after_results": False}
# Of these Bedrock takes reasoning back without a signature, of all others but Claude none at all.
_PLAIN_REASONING = {"thinking": "field", "thinking_field": "", "unsigned_thinking": True}
_GPT_ON_BEDROCK = {**_PLAIN_REASONING, "images": True}
_NOVA_ON_BEDROCK = {"error_flag": True, "text_only_error_results": True}
_REFUSES_TRANSCRIBED = {"refuses_transcribed_thinking": True}


def _claude(**bedrock: Any) -> dict[str, Mapping[str, Any]]:
    return {_BEDROCK: {**_CLAUDE_ON_BEDROCK, **bedrock}}


FAMILIES: tuple[Family, ...] = (
    Family(
        "claude-4.5",
        "Claude up to 4.5: signed thinking, takes a prefilled answer",
        r"claude-(instant|v?[123]|(opus|sonnet|haiku)-(4$|4-[0-5](?!\d)))",
        over={
            _ANTHROPIC: {"prefill": True, "image_limits": _OLD_CLAUDE_IMAGES},
            **_claude(prefill=True),
        },
    ),
    Family("claude-classic", "Claude 4.6: signed thinking", r"claude-(opus|sonnet)-4-6", over=_claude()),
    Family(
        "claude-omitted-text-sealed",
        "Claude Fable and Mythos 5: signed thinking, often without words; refuses reasoning shown as text",
        r"claude-(fable-5$|mythos-(5$|preview))",
        facts=_REFUSES_TRANSCRIBED,
        over=_claude(),
    ),
    Family(
        "claude-omitted-text",
        "Claude 4.7 to 5: signed thinking, often without words",
        r"claude-(opus-4-[78]|opus-5$|sonnet-5$|haiku-5$)",
        over=_claude(),
    ),
    Family(
        "claude-bound-sealed",
        "Claude Fable and Mythos from 5.1: thinking bound to all before it; refuses reasoning shown as text",
        r"claude-(fable|mythos)",
        facts={"bound_thinking": True, **_REFUSES_TRANSCRIBED},
        over=_claude(),
    ),
    Family(
        "claude-bound",
        "Claude 5.5: thinking bound to all before it",
        r"claude-",
        facts={"bound_thinking": True},
        over=_claude(),
    ),
    Family(
        "gemini-2",
        "Gemini up to 2.5 and Gemma: no ids on calls, signatures optional",
        r"gemini-[12](?!\d)|gemma|learnlm",
        over=_on(_GOOGLE, {"call_ids_on_wire": False, "prefill": True}),
    ),
    Family(
        "gemini-3",
        "Gemini from 3: ids on calls, a signature on each step of the current turn",
        r"gemini",
        over=_on(_GOOGLE, {"required_call_signatures": True, "result_media": _BOTH, "text_after_results": False}),
    ),
    Family(
        "gpt-4",
        "GPT up to 4.1: no reasoning",
        r"^(gpt-3|gpt-4(?!\d)|chatgpt-4o|davinci|babbage)",
        over=_on(_RESPONSES, {"thinking": "none"}),
    ),
    Family(
        "gpt-oss",
        "GPT with open weights: reads text only",
        r"gpt-oss",
        facts={"images": False},
        over={_BEDROCK: _PLAIN_REASONING},
    ),
    Family(
        "gpt-text",
        "OpenAI reasoning models without eyes",
        r"^o[13]-(mini|preview)",
        facts=_NO_MEDIA,
    ),
    Family(
        "gpt-responses-only",
        "GPT that takes no tools on Chat Completions",
        r"^gpt-(6-astra|6\.1-sol|6\.([2-9]|\d\d)|[7-9]|\d\d)|^gpt-.*-pro",
        over={_CHAT: {"chat_tools": "never"}, _BEDROCK: _GPT_ON_BEDROCK},
    ),
    Family(
        "gpt-effort",
        "GPT that takes tools on Chat Completions only without reasoning",
        r"^gpt-(5\.([4-9]|\d\d)|6)",
        over={_CHAT: {"chat_tools": "without-effort"}, _BEDROCK: _GPT_ON_BEDROCK},
    ),
    Family(
        "gpt",
        "GPT and o models: reasoning as encrypted items",
        r"^(gpt-5|o\d|codex|gpt-)",
        over={_BEDROCK: _GPT_ON_BEDROCK},
    ),
    Family("nova-micro", "Amazon Nova Micro: reads text only", r"nova-micro", over={_BEDROCK: _NOVA_ON_BEDROCK}),
    Family(
        "nova",
        "Amazon Nova",
        r"nova-",
        over={_BEDROCK: {**_NOVA_ON_BEDROCK, "images": True, "documents": True, "result_media": _IMAGES}},
    ),
    Family(
        "llama-4",
        "Llama 4",
        r"llama-?4",
        facts={"images": True},
        over={_BEDROCK: {"documents": True, "result_media": _BOTH, "user_after_results": False}},
    ),
    Family(
        "llama-vision",
        "Llama 3.2 with eyes",
        r"llama-?3[-.]2-(11|90)b",
        facts={"images": True},
        over={_BEDROCK: _SPLITS_RESULTS},
    ),
    Family(
        "llama",
        "Llama",
        r"llama",
        facts={"images": False},
        over={_BEDROCK: _SPLITS_RESULTS},
    ),
    Family(
        "pixtral",
        "Pixtral",
        r"pixtral",
        over={_BEDROCK: {**_SPLITS_RESULTS, "images": True, "result_media": frozenset({"document"})}},
    ),
    Family(
        "mistral-vision",
        "Mistral with eyes",
        r"magistral|ministral-3-|mistral-large-3",
        over={_BEDROCK: {**_SPLITS_RESULTS, "images": True}},
    ),
    Family(
        "mistral",
        "Mistral",
        r"mistral|ministral|codestral|devstral|voxtral|leanstral",
        over={_BEDROCK: _SPLITS_RESULTS},
    ),
    Family("palmyra", "Writer Palmyra", r"palmyra", over={_BEDROCK: _SPLITS_RESULTS}),
    # Where a host gives Kimi's reasoning a field: the server looks for it on answers with calls, from K3 on on all.
    Family(
        "kimi-3",
        "Kimi from K3: reads images, reasoning goes back as plain words, on every answer",
        r"kimi-k[3-9]",
        over={_BEDROCK: {**_PLAIN_REASONING, "images": True}, _CHAT: {"required_thinking": "all"}},
    ),
    Family(
        "kimi-vision",
        "Kimi from K2.5: reads images, reasoning goes back as plain words, on answers with calls",
        r"kimi-k2\.[5-9]",
        over={_BEDROCK: {**_PLAIN_REASONING, "images": True}, _CHAT: {"required_thinking": "calls"}},
    ),
    Family(
        "kimi",
        "Kimi up to K2: reasoning goes back as plain words, on answers with calls",
        r"kimi",
        over={_BEDROCK: _PLAIN_REASONING, _CHAT: {"required_thinking": "calls"}},
    ),
    Family(
        "plain-reasoner",
        "models whose reasoning goes back as plain words",
        r"glm",
        over={_BEDROCK: _PLAIN_REASONING},
    ),
    Family(
        "qwen-vision",
        "Qwen with eyes",
        r"qwen.*-vl",
        over={_BEDROCK: {"images": True, "leading_user": False}},
    ),
    Family("qwen", "Qwen", r"qwen", over={_BEDROCK: {"leading_user": False}}),
    Family("grok", "Grok", r"grok", over={_BEDROCK: {"images": True}}),
    Family("open-reasoner", "models whose hosts decide how reasoning goes back", r"minimax|deepseek"),
)


def family_of(plain_name: str) -> Family | None:
    """Find the family of a model by its plain name, None for a stranger."""
    return next((family for family in FAMILIES if family.holds(plain_name)), None)
