"""Where segue differs from Claude Code's normalizeMessagesForAPI as described in public analyses."""

from __future__ import annotations

from differences import Difference
from neutral_lines import assistant, call, filler, image, opaque, pdf, result, text, thinking, tool, user

OPUS = "anthropic/claude-opus-4-8"
GPT = "openai/gpt-5.2"
PDF_ERROR = "API Error: 400 A maximum of 100 PDF pages may be provided."
IMAGE_ERROR = "API Error: 400 image exceeds 5 MB maximum"
SEARCH = "ToolSearch"
REFERENCE = opaque("tool_reference", {"tool_name": "Deploy"})

CLAUDE_CODE_DIFFERENCES = (
    Difference(
        title="A result of nothing but tool references says what was there",
        model=GPT,
        history=(
            user("find a tool"),
            assistant(OPUS, call("t1", SEARCH)),
            tool(result("t1", REFERENCE, name=SEARCH)),
            user("use it"),
        ),
        theirs="takes the references out as marks that the api has no idea of; the result is left empty",
        theirs_gives=(
            user("find a tool"),
            assistant(OPUS, call("t1", SEARCH)),
            tool(result("t1", name=SEARCH)),
            user("use it"),
        ),
        ours="takes them out and keeps the tools' names as words",
        ours_gives=(
            user("find a tool"),
            assistant(OPUS, call("t1", SEARCH)),
            tool(result("t1", text("[tool references removed: Deploy]"), name=SEARCH)),
            user("use it"),
        ),
        why="they are public blocks, legal where the request declares the tool; and the names are worth knowing",
        source="Anthropic's documents on the tool search tool; Claude Code issue 82004",
    ),
    Difference(
        title="An adviser's words stay as text",
        model=GPT,
        history=(
            user("which one?"),
            assistant(
                OPUS,
                opaque("server_tool_use", {"name": "advisor", "id": "srvtoolu_1", "input": {}}),
                opaque(
                    "advisor_tool_result",
                    {"tool_use_id": "srvtoolu_1", "content": {"type": "advisor_result", "text": "Take the second."}},
                ),
                "The second.",
            ),
            user("why?"),
        ),
        theirs="takes adviser blocks out",
        theirs_gives=(user("which one?"), assistant(OPUS, "The second."), user("why?")),
        ours="keeps what the adviser said as text and takes the rest out",
        ours_gives=(user("which one?"), assistant(OPUS, "[advisor] Take the second.", "The second."), user("why?")),
        why="the answer that follows was built on it",
        source="Anthropic's documents on the adviser tool",
    ),
    Difference(
        title="Refused media go from where the error points to, and leave a mark",
        model=OPUS,
        history=(
            user("sum it up", pdf()),
            assistant(None, PDF_ERROR, marks=["api-error"]),
            user("and this one?", pdf()),
        ),
        theirs="takes media of the blamed kind out of later messages (other analyses: the one before), without a mark",
        theirs_gives=(user("sum it up", pdf()), user("and this one?")),
        ours="takes them out of what was sent before the error, and says so in their place",
        ours_gives=(user("sum it up", "[document removed: too large]", "and this one?", pdf()),),
        why="the file at fault was sent before its error; the next one may be sound",
        source="Claude Code changelog 2.1.31; public analyses differ",
    ),
    Difference(
        title="Refused media inside a tool's result are found, too",
        model=OPUS,
        history=(
            user("look"),
            assistant(OPUS, call("t1")),
            tool(result("t1", image())),
            assistant(None, IMAGE_ERROR, marks=["api-error"]),
            user("go on"),
        ),
        theirs="looks at the agent's own user messages only: the image stays, and every later request fails",
        theirs_gives=(user("look"), assistant(OPUS, call("t1")), tool(result("t1", image())), user("go on")),
        ours="looks at the agent's own message first, else at all messages and results since the last answer",
        ours_gives=(
            user("look"),
            assistant(OPUS, call("t1")),
            tool(result("t1", text("[image removed: too large]"))),
            user("go on"),
        ),
        why="this is where pasted pictures and files that were read stand",
        source="public analyses of the step; where media stand was measured on public sessions, 2026-11",
    ),
    Difference(
        title="The other half of a virtual pair goes along",
        model=OPUS,
        history=(
            user("hi"),
            assistant(OPUS, call("t1"), marks=["virtual"]),
            tool(result("t1", "ok")),
            user("so?"),
        ),
        theirs="filters virtual messages, and mends what that has broken later: the result gets a made-up call",
        theirs_gives=(user("hi"), assistant(OPUS, call("t1"), stop="toolUse"), tool(result("t1", "ok")), user("so?")),
        ours="hides calls and results of a virtual message together",
        ours_gives=(user("hi", "so?"),),
        why="nothing has to be made up for what the model never saw",
        source="public analyses; the order of their steps",
    ),
    Difference(
        title="A call without a result gets the words that every agent knows",
        model=OPUS,
        history=(user("read it"), assistant(OPUS, call("t1")), user("so?")),
        theirs="makes an error result up, in words about an internal error",
        theirs_gives=(
            user("read it"),
            assistant(OPUS, call("t1")),
            tool(result("t1", "[Tool result missing due to internal error]", error=True)),
            user("so?"),
        ),
        ours="makes the same result up as for any other source",
        ours_gives=(user("read it"), assistant(OPUS, call("t1")), tool(filler("t1")), user("so?")),
        why="what was made up is told from real results by its words; all of these texts are recognised when reading",
        source="public analyses; pi's transformMessages",
    ),
    Difference(
        title="A result without a call: the user decides",
        model=OPUS,
        options=(("orphan_results", "text"),),
        history=(user("go on"), tool(result("t1", "42 rows", name="sql")), user("export them")),
        theirs="makes up a call for it (the description), or drops it (the published changelog)",
        theirs_gives=(
            user("go on"),
            assistant(OPUS, call("t1", "sql"), stop="toolUse"),
            tool(result("t1", "42 rows", name="sql")),
            user("export them"),
        ),
        ours="does what `--orphan-results` says: make up the call, keep it as the user's text, or drop it",
        ours_gives=(
            user(
                "go on",
                "[result of an earlier tool call (sql, id t1) that is not in this history]",
                "42 rows",
                "export them",
            ),
        ),
        why="each of the three is right somewhere, and none of them loses words unasked",
        source="Claude Code changelog 2.1.69; Anthropic's documents on handling tool calls",
    ),
    Difference(
        title="Thinking that the target does not take becomes text",
        model=GPT,
        history=(user("hi"), assistant(OPUS, thinking("Is it even?", "EqQB"), "Yes."), user("why?")),
        theirs="strips thinking and signatures for models without them",
        theirs_gives=(user("hi"), assistant(OPUS, "Yes."), user("why?")),
        ours="keeps its words as text unless `--thinking drop` says otherwise",
        ours_gives=(user("hi"), assistant(OPUS, "Is it even?", "Yes."), user("why?")),
        why="the words are the only part that another model can use; both documents cannot be followed here",
        source="pi's transformMessages as described for v0.66",
    ),
    Difference(
        title="Neighbours of one role are merged, also when they are two responses",
        model=OPUS,
        history=(user("hi"), assistant(OPUS, "One."), assistant(OPUS, "Two."), user("three?")),
        theirs="merges the lines of one response, for the api's sake as it says: neighbours of one role are refused",
        theirs_gives=(user("hi"), assistant(OPUS, "One."), assistant(OPUS, "Two."), user("three?")),
        ours="merges those when reading, because results must follow directly after all calls of their response; any "
        "other neighbours by a rule of its own, for targets that want it",
        ours_gives=(user("hi"), assistant(OPUS, "One.", "Two."), user("three?")),
        why="Anthropic's own server joins neighbours and refuses nothing, but servers that speak its api do",
        source="Anthropic's documents on the Messages api",
    ),
)
