"""The wire protocols: what each accepts, as data, and whether a finished request body would be refused.

A judge reads the body as the server would and shares nothing with the rules that made it, so that what a rule got
wrong does not pass unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from segue.apinames import ALIASES, SAME_BODY
from segue.apis._rule import BODY, Rule, Silence
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

__all__ = ["API_NAMES", "BODY", "LEGAL", "LINTS", "RULES", "UNSEEN", "Rule", "Silence", "api_name", "lint"]

# Other names under which an api's bodies are judged.
API_NAMES = ALIASES | SAME_BODY
# Where each api's judge stands. One is imported when it is asked: a run needs one of them at most.
_JUDGES = {
    "anthropic-messages": "segue.apis.anthropic_messages",
    "openai-responses": "segue.apis.openai_responses",
    "openai-completions": "segue.apis.openai_completions",
    "bedrock-converse-stream": "segue.apis.bedrock_converse_stream",
    "google-generative-ai": "segue.apis.google_generative_ai",
    "mistral-conversations": "segue.apis.mistral_conversations",
}

if TYPE_CHECKING:
    LINTS: dict[str, Callable[[Json, Target], Iterator[Problem]]]
    RULES: dict[str, tuple[Rule, ...]]
    LEGAL: dict[str, tuple[Silence, ...]]  # what is often said to be refused, and is not
    UNSEEN: dict[str, tuple[Silence, ...]]  # what a body alone does not tell


def api_name(name: str) -> str:
    """Give the name under which an api is judged.

    >>> api_name("messages"), api_name("openai-responses")
    ('anthropic-messages', 'openai-responses')
    """
    return API_NAMES.get(name, name)


def lint(request: Json, target: Target) -> Iterator[Problem]:
    """Judge a request body by its target's api; of an api without a judge nothing is said."""
    judge = _JUDGES.get(api_name(target.api))
    if judge is None:
        return iter(())
    found: Iterator[Problem] = import_module(judge).lint(request, target)
    return found


def __getattr__(name: str) -> object:
    """Give the tables of all apis, which only those need who look at all of them."""
    if name == "LINTS":
        return {api: import_module(judge).lint for api, judge in _JUDGES.items()}
    if name == "RULES":
        return {api: import_module(judge).RULES for api, judge in _JUDGES.items()}
    if name in ("LEGAL", "UNSEEN"):
        return {api: getattr(import_module(judge), name, ()) for api, judge in _JUDGES.items()}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
