"""Claude Code sessions: which lines are the history, and what each message says."""

from __future__ import annotations

import json

import pytest
from claude_transcripts import Said, data_of, named, read_all, said, written

from segue.errors import UsageError
from segue.formats import claude_code
from segue.model import Origin

FOLDER = "claude-code"
NAMES = [name.removesuffix(".jsonl") for name in named(FOLDER)]
DAMAGED = {"broken-lines"}
# Their reader finds what belongs to the history where the agent would not look: the written file says it anew.
MENDED = {"dangling-parent-near", "result-on-another-branch", "call-on-another-branch", "result-beside-its-content"}

# What is read of each session, and what its reader says about the rest: kind, rule, how many, line.
EXPECTED: dict[str, tuple[list[Said], list[tuple[str, str, int, int | None]]]] = {
    "advisor": (
        [
            ("user", "text Which blend?"),
            ("assistant", "server_tool_use", "advisor_tool_result", "text Assam and Ceylon go well together."),
        ],
        [],
    ),
    "attachments": (
        [
            ("user", "text What is in the notes?"),
            ("assistant", "call toolu_i1"),
            ("user [attachment]", "text Context of hook PreToolUse:Bash:\nnotes live in notes/"),
            ("tool", "result toolu_i1: text teas.md"),
            ("user", "text And in @teas.md?"),
            ("user [attachment]", "text File teas.md:\nsencha, assam"),
            ("assistant", "text Two teas."),
        ],
        [("hidden", "bookkeeping-record", 1, None)],
    ),
    "broken-lines": (
        [
            ("user", "text One"),
            ("assistant", "text Two"),
        ],
        [("dropped", "damaged-line", 1, 2), ("dropped", "damaged-line", 1, 3)],
    ),
    "call-id-used-twice": (
        [
            ("user", "text Count the bags."),
            ("assistant", "call toolu_p1"),
            ("tool", "result toolu_p1: text [Request interrupted by user for tool use]"),
            ("tool", "result toolu_p1: text 40 bags"),
            ("assistant", "call toolu_p1"),
            ("tool", "result toolu_p1: text 8 boxes"),
            ("assistant", "text Forty bags, eight boxes."),
        ],
        [],
    ),
    "compaction-boundary": (
        [
            ("user", "text Tell me about oolong."),
            ("assistant", "text It is half oxidised."),
            ("system [compaction-boundary]",),
            (
                "user [compaction-summary]",
                "text This session is being continued from a previous conversation. We spoke about oolong.",
            ),
            ("user", "text How do I brew it?"),
            ("assistant", "text Several short infusions."),
        ],
        [],
    ),
    "cycle": (
        [
            ("user", "text One"),
            ("assistant", "text Two"),
            ("user", "text Three"),
            ("assistant", "text Four"),
        ],
        [("hidden", "broken-chain", 1, 1)],
    ),
    "dangling-parent-far": (
        [
            ("user", "text Three"),
            ("assistant", "text Four"),
        ],
        [("hidden", "broken-chain", 1, 3), ("hidden", "abandoned-branch", 2, 1)],
    ),
    "dangling-parent-near": (
        [
            ("user", "text One"),
            ("assistant", "text Two"),
            ("user", "text Three"),
            ("assistant", "text Four"),
        ],
        [("rewritten", "broken-chain", 1, 3)],
    ),
    "error-blames-document": (
        [
            ("user", "text Sum up the brochure."),
            ("user [meta]", "text brochure.pdf", "document"),
            (
                "assistant [api-error]",
                "text PDF too large. Please double press esc to edit your message and try again.",
            ),
            ("user", "text Then without it."),
            ("assistant", "text Gladly."),
        ],
        [],
    ),
    "error-blames-image-in-result": (
        [
            ("user", "text What is on the label?"),
            ("assistant", "call toolu_l1"),
            ("tool", "result toolu_l1: image"),
            (
                "assistant [api-error]",
                "text API Error: 400 messages.3.content.0: image exceeds 5 MB maximum: 9000000 bytes > 5242880 bytes",
            ),
            ("user", "text Never mind."),
            ("assistant", "text All right."),
        ],
        [],
    ),
    "error-blames-nothing": (
        [
            ("user", "text What is this?", "image"),
            ("assistant [api-error]", "text API Error: 429 rate limited"),
            ("assistant [api-error]", "text API Error: 529 Overloaded"),
            ("user", "text again"),
            ("assistant", "text A single grey pixel, enlarged."),
        ],
        [],
    ),
    "late-result": (
        [
            ("user", "text Brew a pot."),
            ("assistant", "call toolu_s1"),
            ("user", "text Is it ready?"),
            ("tool", "result toolu_s1: text ready"),
            ("assistant", "text Ready now."),
        ],
        [],
    ),
    "line-written-twice": (
        [
            ("user", "text Count the bags."),
            ("assistant", "call toolu_q1"),
            ("tool", "result toolu_q1: text 40 bags"),
            ("assistant", "text Forty."),
        ],
        [("hidden", "bookkeeping-record", 1, None)],
    ),
    "local-command": (
        [
            (
                "user [meta]",
                "text <local-command-caveat>Caveat: made by local commands.</local-command-caveat>",
            ),
            ("user", "text <command-name>/cost</command-name>"),
            ("user", "text <local-command-stdout>3 cents</local-command-stdout>"),
            ("user", "text Good. Now tea."),
            ("assistant", "text Coming."),
        ],
        [("hidden", "bookkeeping-record", 2, None)],
    ),
    "missing-result": (
        [
            ("user", "text Heat the water, warm the pot."),
            ("assistant", "call toolu_r1", "call toolu_r2"),
            ("tool", "result toolu_r1: text hot"),
            ("user", "text [Request interrupted by user for tool use]"),
            ("user", "text Enough, thanks."),
            ("assistant", "text The water is hot."),
        ],
        [],
    ),
    "omitted-and-redacted-thinking": (
        [
            ("user", "text Go on"),
            ("assistant", "thinking", "call toolu_B1"),
            ("tool", "result toolu_B1: text ok"),
            ("assistant", "redacted thinking", "text Done."),
        ],
        [],
    ),
    "orphan-result": (
        [
            ("user", "text Hello again."),
            ("tool", "result toolu_gone: text steeped for 3 minutes"),
            ("assistant", "text Hello."),
        ],
        [],
    ),
    "parallel-branches": (
        [
            ("user", "text List the teas and the prices."),
            ("assistant", "call toolu_b1", "call toolu_b2", "call toolu_b3"),
            ("tool", "result toolu_b1: text sencha\nassam"),
            ("tool", "result toolu_b2: text 4.20\n3.10"),
            ("tool", "result toolu_b3: text 12\n7"),
            ("assistant", "text Sencha costs 4.20, assam 3.10."),
        ],
        [],
    ),
    "parallel-interleaved": (
        [
            ("user", "text Compare both lists."),
            ("assistant", "thinking Read one, then the other.", "call toolu_c1", "call toolu_c2"),
            ("tool", "result toolu_c1: text a"),
            ("tool", "result toolu_c2: text b"),
            ("assistant", "text They differ."),
        ],
        [],
    ),
    "pinned-leaf": (
        [
            ("user", "text Which kettle?"),
            ("assistant", "text The small one."),
            ("user", "text And for ten guests?"),
            ("assistant", "text The samovar."),
        ],
        [("hidden", "abandoned-branch", 2, 5), ("hidden", "bookkeeping-record", 1, None)],
    ),
    "queued-prompt": (
        [
            ("user", "text Sort the mail."),
            ("assistant", "call toolu_j1"),
            ("tool", "result toolu_j1: text sorted"),
            ("user [attachment]", "text by date, please"),
            ("assistant", "text Sorted by date."),
        ],
        [],
    ),
    "rewind": (
        [
            ("user", "text Which kettle?"),
            ("assistant", "text The small one."),
            ("user", "text And for two guests?"),
            ("assistant", "text The small one will do."),
        ],
        [("hidden", "abandoned-branch", 2, 3)],
    ),
    "sidechain": (
        [
            ("user", "text Ask the librarian."),
            ("assistant", "call toolu_z1"),
            ("tool", "result toolu_z1: text Shelf four."),
            ("assistant", "text It is on shelf four."),
        ],
        [("hidden", "sidechain", 2, 3)],
    ),
    "snipped": (
        [
            ("user", "text Read the long leaflet."),
            ("assistant [snipped]", "call toolu_h1"),
            ("tool [snipped]", "result toolu_h1: text many pages"),
            ("assistant", "text Read."),
            ("user", "text In short?"),
            ("assistant", "text Buy more tea."),
        ],
        [("hidden", "bookkeeping-record", 1, None)],
    ),
    "split-response": (
        [
            ("user", "text How long should green tea steep?"),
            (
                "assistant",
                "thinking Two to three minutes at 75 degrees.",
                "text Two to three minutes, in water of 75 °C.",
            ),
        ],
        [],
    ),
    "through-progress": (
        [
            ("user", "text Run it."),
            ("assistant", "call toolu_A1"),
            ("tool", "result toolu_A1: text made"),
            ("assistant", "text Made."),
        ],
        [("hidden", "bookkeeping-record", 1, None)],
    ),
    "tool-references": (
        [
            ("user", "text Find the design tool."),
            ("assistant", "call toolu_n1"),
            ("tool", "result toolu_n1: tool_reference + tool_reference"),
            ("assistant", "text There are two."),
        ],
        [],
    ),
    "uuid-written-twice": (
        [
            ("user", "text last wording"),
            ("assistant", "text Yes."),
            ("user", "text Thanks."),
        ],
        [("hidden", "bookkeeping-record", 1, None)],
    ),
    "virtual": (
        [
            ("user", "text Good morning"),
            ("user [virtual]", "text (a note that only the person sees)"),
            ("assistant [virtual]", "text (an answer that only the person sees)"),
            ("assistant", "text Good morning!"),
        ],
        [],
    ),
    "kept-messages": (
        [
            ("user", "text Which tea is oldest?"),
            ("assistant", "text Nobody knows."),
            ("system [compaction-boundary]",),
            ("user [compaction-summary]", "text Summary: they talk about old teas."),
            ("user", "text And in this house?"),
            ("assistant", "text The pu-erh from 1998."),
            ("user", "text Brew it."),
            ("assistant", "text Brewing."),
        ],
        [],
    ),
    "kept-segment": (
        [
            ("user", "text Which tea is oldest?"),
            ("assistant", "text Nobody knows."),
            ("system [compaction-boundary]",),
            ("user [compaction-summary]", "text Summary: they talk about old teas."),
            ("user", "text And in this house?"),
            ("assistant", "text The pu-erh from 1998."),
            ("user", "text Brew it."),
            ("assistant", "text Brewing."),
        ],
        [],
    ),
    "kept-message-missing": (
        [
            ("user", "text Which tea is oldest?"),
            ("assistant", "text Nobody knows."),
            ("user", "text And in this house?"),
            ("assistant", "text The pu-erh from 1998."),
            ("system [compaction-boundary]",),
            ("user [compaction-summary]", "text Summary: they talk about old teas."),
            ("user", "text Brew it."),
            ("assistant", "text Brewing."),
        ],
        [
            ("hidden", "broken-chain", 1, 5),
        ],
    ),
    "kept-parallel-calls": (
        [
            ("user", "text Which tea is oldest?"),
            ("assistant", "text Nobody knows."),
            ("system [compaction-boundary]",),
            ("user [compaction-summary]", "text Summary: they talk about old teas."),
            ("user", "text Look in both cupboards."),
            ("assistant", "call toolu_k1", "call toolu_k2"),
            ("tool", "result toolu_k1: text sencha"),
            ("tool", "result toolu_k2: text pu-erh"),
            ("assistant", "text The pu-erh is older."),
            ("user", "text Brew it."),
            ("assistant", "text Brewing."),
        ],
        [],
    ),
    "prompt-in-queue": (
        [
            ("user", "text Count the tins."),
            ("assistant", "call toolu_q1"),
            ("tool", "result toolu_q1: text 12 tins"),
            ("user [queued]", "text The blue ones too, please."),
            ("assistant", "text Twelve tins, and I count the blue ones next."),
        ],
        [
            ("hidden", "bookkeeping-record", 2, None),
        ],
    ),
    "queue-operations": (
        [
            ("user", "text Count the tins."),
            ("assistant", "call toolu_q2"),
            ("tool", "result toolu_q2: text 12 tins"),
            ("assistant", "text Twelve tins."),
            ("user", "text And the jars?"),
            ("assistant", "text Nine jars."),
        ],
        [
            ("hidden", "unsent-prompt", 2, 5),
            ("hidden", "bookkeeping-record", 7, None),
        ],
    ),
    "replaced-result": (
        [
            ("user", "text Read the ledger."),
            ("assistant", "call toolu_r1"),
            ("tool", "result toolu_r1: text [the ledger is too long: see ledger.txt]"),
            ("assistant", "text It counts cups."),
        ],
        [
            ("hidden", "replaced-result", 1, 3),
            ("hidden", "bookkeeping-record", 1, None),
        ],
    ),
    "result-on-another-branch": (
        [
            ("user", "text Count the tins."),
            ("assistant", "call toolu_b1"),
            ("tool", "result toolu_b1: text 12 tins"),
            ("user", "text And then?"),
            ("assistant", "text Twelve tins."),
        ],
        [
            ("rewritten", "broken-chain", 1, 4),
            ("hidden", "abandoned-branch", 1, 3),
        ],
    ),
    "call-on-another-branch": (
        [
            ("user", "text Count the tins."),
            ("assistant", "call toolu_b2"),
            ("tool", "result toolu_b2: text 12 tins"),
            ("assistant", "text Twelve tins."),
        ],
        [
            ("rewritten", "broken-chain", 1, 2),
        ],
    ),
    "result-beside-its-content": (
        [
            ("user", "text Count the tins."),
            ("assistant", "call toolu_x1"),
            ("tool", "result toolu_x1: text 12 tins"),
            ("user",),
            ("assistant", "text Twelve tins."),
        ],
        [
            ("rewritten", "broken-chain", 1, 3),
        ],
    ),
    "prompt-inside-a-response": (
        [
            ("user", "text Count tins and jars."),
            ("assistant", "call toolu_o1", "call toolu_o2"),
            ("user", "text Hurry up."),
            ("tool", "result toolu_o1: text 12 tins"),
            ("tool", "result toolu_o2: text 9 jars"),
            ("assistant", "text Twelve and nine."),
        ],
        [],
    ),
    "response-id-given-again": (
        [
            ("user", "text Count the tins."),
            ("assistant", "call call_a1"),
            ("tool", "result call_a1: text 12 tins"),
            ("assistant", "call call_a2"),
            ("tool", "result call_a2: text 9 jars"),
            ("assistant", "call call_a2"),
            ("tool", "result call_a2: text 4 cups"),
            ("assistant", "text All counted."),
        ],
        [],
    ),
    "ends-in-words-of-its-agent": (
        [
            ("user", "text Count tins and jars."),
            ("assistant", "call toolu_e1", "call toolu_e2"),
            ("tool", "result toolu_e1: text 12"),
            ("tool", "result toolu_e2: text 9"),
            ("assistant", "text Twelve and nine."),
            ("user [meta]", "text Continue where you stopped."),
        ],
        [],
    ),
    "attached-image": (
        [
            ("user", "text What is on @tea.png?"),
            ("user [attachment]", "text File /projects/tea/tea.png:", "image"),
            ("user [attachment]", "text And on this?", "image"),
            ("user [attachment]", "attachment kettle_state"),
            ("assistant", "text A dot, and another dot."),
        ],
        [
            ("hidden", "bookkeeping-record", 1, None),
        ],
    ),
    "thinking-alone": (
        [
            ("user", "text Is it ready?"),
            ("assistant", "thinking Three minutes."),
            ("user", "text Are you there?"),
            ("assistant", "text Ready."),
        ],
        [],
    ),
    "response-copied-by-a-fork": (
        [
            ("user", "text Count the tins."),
            ("assistant", "text I look.", "call toolu_f1"),
            ("tool", "result toolu_f1: text 12"),
            ("assistant", "text Twelve."),
        ],
        [
            ("hidden", "abandoned-branch", 1, 2),
        ],
    ),
    "leaf-of-another-file": (
        [
            ("user", "text Black or green?"),
            ("assistant", "text Green."),
            ("user", "text Why?"),
            ("assistant", "text It is late."),
        ],
        [
            ("hidden", "bookkeeping-record", 2, None),
        ],
    ),
    "note-on-a-parallel-result": (
        [
            ("user", "text Read both labels."),
            ("assistant", "call toolu_n1", "call toolu_n2"),
            ("tool", "result toolu_n1: text read a.png"),
            ("tool", "result toolu_n2: text Assam"),
            ("user [meta]", "image"),
            ("assistant", "text A dot, and Assam."),
        ],
        [],
    ),
    "server-tool-of-a-proxy": (
        [
            ("user", "text Search."),
            ("assistant", "server_tool_use", "web_search_tool_result", "text Nothing found."),
        ],
        [],
    ),
    "call-written-again": (
        [
            ("user", "text Count the tins."),
            ("assistant", "call toolu_w1"),
            ("tool", "result toolu_w1: text 12"),
            ("assistant", "call toolu_w1"),
            ("user", "text And?"),
            ("assistant", "text Twelve."),
        ],
        [],
    ),
    "two-rewinds": (
        [
            ("user", "text Which teas are on the shelf?"),
            ("assistant", "call toolu_t1", "call toolu_t2"),
            ("tool", "result toolu_t1: text assam"),
            ("tool", "result toolu_t2: text darjeeling"),
            ("assistant", "text Assam, and darjeeling in the cellar."),
            ("user", "text Brew the darjeeling."),
            ("assistant", "text It takes three minutes."),
            ("user [meta]", "text Words of the agent."),
        ],
        [("hidden", "abandoned-branch", 9, 8)],
    ),
    "rewind-before-compaction": (
        [
            ("user", "text Plan the tea party."),
            ("assistant", "text For how many?"),
            ("user", "text For six."),
            ("assistant", "text Then one pot."),
            ("system [compaction-boundary]",),
            ("user [compaction-summary]", "text A tea party for six, one pot."),
            ("user", "text And the cake?"),
            ("assistant", "text Lemon cake."),
        ],
        [("hidden", "abandoned-branch", 2, 3)],
    ),
    "lines-replayed": (
        [
            ("user", "text Count the cups."),
            ("assistant", "text Seven."),
            ("user", "text And the saucers?"),
            ("assistant", "text Six."),
            ("user", "text One is missing."),
            ("assistant", "text It broke on Monday."),
        ],
        [("hidden", "abandoned-branch", 2, 3)],
    ),
    "kept-call-without-result": (
        [
            ("user", "text Which tea is oldest?"),
            ("assistant", "text Nobody knows."),
            ("system [compaction-boundary]",),
            ("user [compaction-summary]", "text Summary: they talk about old teas."),
            ("user", "text Look in the cellar."),
            ("assistant", "call toolu_k9"),
            ("assistant", "text The pu-erh."),
            ("user", "text Brew it."),
            ("assistant", "text Brewing."),
        ],
        [],
    ),
    "prompt-inside-an-open-response": (
        [
            ("user", "text Count tins and jars."),
            ("assistant", "call toolu_o1", "call toolu_o2"),
            ("user", "text Hurry up."),
        ],
        [],
    ),
    "late-result-written-twice": (
        [
            ("user", "text Brew a pot."),
            ("assistant", "call toolu_t1"),
            ("user", "text Is it ready?"),
            ("tool", "result toolu_t1: text ready"),
            ("assistant", "text Ready."),
        ],
        [
            ("hidden", "bookkeeping-record", 1, None),
        ],
    ),
    "orphan-inside-a-response": (
        [
            ("user", "text Count the tins."),
            ("assistant", "text I look."),
            ("tool", "result toolu_zz: text whose?"),
            ("assistant", "call toolu_i9"),
            ("tool", "result toolu_i9: text 12"),
            ("assistant", "text Twelve."),
        ],
        [],
    ),
    "kept-part-of-a-response": (
        [
            ("user", "text Count the tins."),
            ("assistant", "text I look."),
            ("system [compaction-boundary]",),
            ("user [compaction-summary]", "text Summary: tins."),
            ("assistant", "call toolu_p9"),
            ("tool", "result toolu_p9: text 12"),
            ("assistant", "text Twelve."),
            ("user", "text And jars?"),
            ("assistant", "text Nine."),
        ],
        [],
    ),
}


def session(name: str) -> bytes:
    return data_of(FOLDER, f"{name}.jsonl")


def test_every_session_has_its_expectation() -> None:
    assert set(NAMES) == {*EXPECTED, "demo"}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_history_is_what_the_model_had_seen(name: str) -> None:
    messages, told = EXPECTED[name]

    (transcript,), changes = read_all(session(name))

    assert [said(message) for message in transcript.messages] == messages
    assert [(change.kind, change.rule, change.count, change.line) for change in changes] == told


@pytest.mark.parametrize("name", sorted(set(NAMES) - DAMAGED - MENDED))
def test_untouched_session_comes_back_byte_for_byte(name: str) -> None:
    data = session(name)

    assert written(data) == data


def test_damaged_lines_go_and_the_rest_stays() -> None:
    data = session("broken-lines")

    assert written(data).splitlines() == [data.splitlines()[0], data.splitlines()[3]]


@pytest.mark.parametrize("name", NAMES)
def test_session_is_recognised_by_its_lines(name: str) -> None:
    values = [json.loads(line) for line in session(name).splitlines() if line.startswith(b'{"') and line.endswith(b"}")]

    assert claude_code.FORMAT.recognise(values, False)


def test_turn_says_who_wrote_it_and_when() -> None:
    (transcript,), _ = read_all(session("split-response"))

    answer = transcript.messages[1]

    assert answer.origin == Origin("anthropic", "anthropic-messages", "claude-opus-4-8")
    assert (answer.id, answer.stop_reason) == ("msg_a1", "end_turn")
    assert (answer.line, answer.records, answer.time) == (2, (1, 2), "2026-02-03T10:00:04.862Z")


def test_other_branch_is_read_when_its_tip_is_named() -> None:
    other = json.loads(session("rewind").splitlines()[3])["uuid"]

    (transcript,), changes = read_all(session("rewind"), leaf=other)

    assert said(transcript.messages[-1]) == ("assistant", "text The samovar.")
    assert [(change.rule, change.count) for change in changes] == [("abandoned-branch", 2)]


def test_unknown_leaf_names_the_nearest() -> None:
    tip = json.loads(session("rewind").splitlines()[3])["uuid"]

    with pytest.raises(UsageError, match=f"no line has the id '{tip[:-1]}'; did you mean {tip}"):
        read_all(session("rewind"), leaf=tip[:-1])


def test_demo_reads_as_its_agent_would_resume_it() -> None:
    (transcript,), changes = read_all(session("demo"))

    roles = [message.role for message in transcript.messages]

    assert len(session("demo").splitlines()) == 40
    assert (roles.count("user"), roles.count("assistant"), roles.count("tool")) == (8, 9, 7)
    assert [(change.rule, change.count) for change in changes] == [("abandoned-branch", 3), ("bookkeeping-record", 4)]


def test_words_of_another_agent_in_the_same_links_are_not_taken() -> None:
    value = {
        "type": "user",
        "uuid": "1",
        "parentUuid": None,
        "sessionId": "s",
        "message": {"role": "user", "parts": []},
    }

    assert not claude_code.FORMAT.recognise([value], False)
