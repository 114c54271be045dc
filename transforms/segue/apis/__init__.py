"""The wire protocols: what each accepts, as data, and whether a finished request body would be refused.

A judge reads the body as the server would and shares nothing with the rules that made it, so that what a rule got
wrong does not pass unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from segue.apis import anthropic_messages, openai_completions, openai_responses
from segue.apis._rule import Rule
from segue.changes import Problem
from segue.model import Json
from segue.targets import Target

__all__ = ["API_NAMES", "LINTS", "RULES", "Rule", "api_name", "lint"]

# Other names of an api: those of its request format, and those that recordings use.
API_NAMES = {
    "messages": "anthropic-messages",
    "openai-chat": "openai-completions",
    "chat": "openai-completions",
    "responses": "openai-responses",
    "azure-openai-responses": "openai-responses",
    "openai-codex-responses": "openai-responses",
}
LINTS: dict[str, Callable[[Json, Target], Iterator[Problem]]] = {
    "anthropic-messages": anthropic_messages.lint,
    "openai-responses": openai_responses.lint,
    "openai-completions": openai_completions.lint,
}
RULES: dict[str, tuple[Rule, ...]] = {
    "anthropic-messages": anthropic_messages.RULES,
    "openai-responses": openai_responses.RULES,
    "openai-completions": openai_completions.RULES,
}


def api_name(name: str) -> str:
    """Give the name under which an api is judged.

    >>> api_name("messages"), api_name("openai-responses")
    ('anthropic-messages', 'openai-responses')
    """
    return API_NAMES.get(name, name)


def lint(request: Json, target: Target) -> Iterator[Problem]:
    """Judge a request body by its target's api; of an api without a judge nothing is said."""
    judge = LINTS.get(api_name(target.api))
    return judge(request, target) if judge is not None else iter(())
