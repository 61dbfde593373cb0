"""What the screens are tried with: items of every screen, with long, right-to-left, empty and hostile texts."""

from __future__ import annotations

from typing import Any

NASTY = "<img src=x onerror=\"document.title='gone'\"><b>bold</b> & <script>document.title='gone'</script>"
GERMAN = "Unser Zug nach Wien fährt morgen um 7.15 Uhr vom Hauptbahnhof ab."
ENGLISH = [
    "Our train to Vienna leaves tomorrow at 7:15 from the main station.",
    "Our train to Vienna leaves the main station tomorrow at 7.15 a.m.",
    "Our train to Vienna tomorrow at 7.15 goes from the main station.",
    "Our train to Vienna departs tomorrow at 7.15 o'clock from the main station.",
    "Our train to Vienna tomorrow at 7.15 from Hauptbahnhof.",
]
ARABIC = "يغادر قطارنا إلى فيينا غدًا الساعة 7:15 من المحطة الرئيسية (Wien Hbf)."
LONG = (
    "Die Donaudampfschifffahrtsgesellschaftskapitänsversammlung, die eigentlich erst für den übernächsten Donnerstag "
    "vorgesehen war, musste wegen der Rechtsschutzversicherungsgesellschaften kurzfristig verschoben werden, weshalb "
    "die Verantwortlichen die Teilnehmerinnen und Teilnehmer um Verständnis baten."
)
SQM = [
    {"at": 0, "name": "sqm-0", "text": "No meaning preserved"},
    {"at": 33, "name": "sqm-2", "text": "Some meaning preserved"},
    {"at": 66, "name": "sqm-4", "text": "Most meaning preserved and few grammar mistakes"},
    {"at": 100, "name": "sqm-6", "text": "Perfect meaning and grammar"},
]
ROLES = [
    "AGENT",
    "EXPERIENCER-PATIENT",
    "BENEFICIARY",
    "TEMPORAL",
    "LOCATIVE",
    "PURPOSE",
    "DEGREE-EXTENT",
    "MANNER",
    "MODAL",
    "NEGATION",
    "OTHER",
]
CATEGORIES = [
    {"name": "accuracy", "subcategories": ["addition", "omission", "mistranslation", "untranslated text"]},
    {"name": "fluency", "subcategories": ["punctuation", "spelling", "grammar"]},
    {"name": "other", "subcategories": []},
]


def outputs(*texts: str) -> list[dict[str, str]]:
    return [{"place": place, "text": text} for place, text in zip("ABCDE", texts, strict=False)]


AMONG = {"before": ["Please be on time.", NASTY], "after": ["I shall wait at the platform."]}


def among(*texts: str) -> list[dict[str, Any]]:
    """Outputs with neighbours."""
    return [output | {"neighbours": AMONG} for output in outputs(*texts)]


def scale(*texts: str) -> list[dict[str, Any]]:
    return [{"at": at, "text": text} for at, text in reversed(list(enumerate(texts, start=1)))]


SPANS = {
    "severities": [{"name": "minor", "weight": 1}, {"name": "major", "weight": 5}],
    "categories": [],
    "source_spans": True,
    "omissions": True,
    "max_spans": 0,
    "score": None,
    "question": "",
}

# name → screen, ask, shown of each item
CAMPAIGNS: dict[str, tuple[str, dict[str, Any], list[dict[str, Any]]]] = {
    "da": (
        "da",
        {
            "attribute": "adequacy",
            "beside": "source",
            "level": "segment",
            "low": 0,
            "high": 100,
            "labels": [],
            "question": "",
        },
        [{"text": text, "source": GERMAN} for text in ENGLISH[:2]] + [{"text": NASTY, "source": LONG}],
    ),
    "sqm": (
        "da",
        {
            "attribute": "adequacy",
            "beside": "source",
            "level": "document",
            "low": 0,
            "high": 100,
            "labels": SQM,
            "question": "",
        },
        [{"segments": [{"text": ENGLISH[0], "source": GERMAN}, {"text": "", "source": LONG}]}],
    ),
    "ranking": (
        "ranking",
        {"low": 1, "high": 5, "ties": True, "blanks": False, "beside": "both", "question": ""},
        [
            {
                "source": GERMAN,
                "reference": ENGLISH[0],
                "before": [LONG],
                "after": ["Bitte sei pünktlich."],
                "outputs": outputs(*ENGLISH),
            },
            {
                "source": GERMAN,
                "reference": ENGLISH[0],
                "before": [],
                "after": [],
                "outputs": outputs(ENGLISH[0], NASTY, ""),
            },
        ],
    ),
    "pairwise": (
        "pairwise",
        {"ties": True, "beside": "source", "question": ""},
        [{"source": GERMAN, "outputs": outputs(ENGLISH[1], NASTY)}] * 2,
    ),
    "scales": (
        "scales",
        {
            "beside": "reference",
            "question": "",
            "scales": [
                {"name": "adequacy", "low": 1, "high": 5, "labels": scale("none", "little", "much", "most", "all")},
                {"name": "fluency", "low": 1, "high": 5, "labels": scale("none", "bad", "so", "good", "flawless")},
            ],
        },
        [{"text": ENGLISH[2], "reference": ENGLISH[0], "after": [ENGLISH[1]]}] * 2,
    ),
    "esa": (
        "spans",
        SPANS | {"score": {"low": 0, "high": 100, "labels": SQM}},
        [{"source": GERMAN, "text": ENGLISH[4], "before": [LONG]}, {"source": GERMAN, "text": NASTY}],
    ),
    "proposed": (
        "spans",
        SPANS | {"score": {"low": 0, "high": 100, "labels": []}},
        [
            {
                "source": GERMAN,
                "text": ENGLISH[4],
                "proposals": [
                    {"start": 0, "end": 3, "severity": "minor"},
                    {"start": 4, "end": 9, "severity": "major"},
                    {"start": 10, "end": 12, "severity": "minor"},
                ],
            },
            {"source": GERMAN, "text": ENGLISH[4], "proposals": []},
        ],
    ),
    "mqm": (
        "spans",
        SPANS | {"categories": CATEGORIES},
        [{"source": GERMAN, "text": ENGLISH[4], "reference": ENGLISH[0]}] * 2,
    ),
    "hmeant": (
        "frames",
        {"roles": ROLES, "links": ["full", "partial"], "question": ""},
        [{"reference": ["The", "dog", "bit", "the", "man"], "output": ["The", "man", "bit", "the", "dog"]}] * 2,
    ),
    "listening": (
        "questions",
        {
            "medium": "audio",
            "max_plays": 2,
            "text_stays": False,
            "question": "",
            "quality": {"low": 1, "high": 5, "labels": scale("bad", "poor", "fair", "good", "very useful")},
        },
        [
            {
                "audio": "beep",
                "questions": [
                    {"question": "1", "type": "factual", "text": "Where does the train go?"},
                    {"question": "2", "type": "yes-no", "text": "Does it leave in the morning?"},
                    {"question": "3", "type": "list", "text": "Which towns were named?"},
                ],
            }
        ],
    ),
    "reading": (
        "questions",
        {"medium": "text", "max_plays": 1, "text_stays": False, "question": "", "quality": None},
        [{"text": ENGLISH[0], "questions": [{"question": "1", "type": "factual", "text": "Where does the train go?"}]}],
    ),
    "post-editing": (
        "post-edit",
        {
            "edit": True,
            "question": "",
            "effort": {"low": 1, "high": 5, "labels": scale("useless", "much", "some", "little", "none")},
        },
        [{"source": GERMAN, "text": ENGLISH[4]}, {"source": GERMAN, "text": ENGLISH[3]}],
    ),
    "translation": (
        "translate",
        {"copyable": False, "max_length": 200, "question": ""},
        [
            {"source": GERMAN, "before": [LONG], "after": ["Bitte sei pünktlich."]},
            {"source": NASTY, "before": [], "after": []},
        ],
    ),
    "voting": ("vote", {"question": ""}, [{"source": GERMAN, "outputs": outputs(*ENGLISH[:3], NASTY)}] * 2),
    # Outputs among the same system's outputs, on every screen that has outputs.
    "among-da": (
        "da",
        {
            "attribute": "fluency",
            "beside": "nothing",
            "level": "segment",
            "low": 0,
            "high": 100,
            "labels": [],
            "question": "",
        },
        [{"text": ENGLISH[0], "neighbours": AMONG}],
    ),
    "among-ranking": (
        "ranking",
        {"low": 1, "high": 5, "ties": True, "blanks": False, "beside": "source", "question": ""},
        [{"source": GERMAN, "before": [LONG], "after": [], "outputs": among(*ENGLISH[:2])}],
    ),
    "among-pairwise": (
        "pairwise",
        {"ties": True, "beside": "source", "question": ""},
        [{"source": GERMAN, "outputs": among(*ENGLISH[:2])}],
    ),
    "among-voting": ("vote", {"question": ""}, [{"source": GERMAN, "outputs": among(*ENGLISH[:2])}]),
    "among-scales": (
        "scales",
        {
            "beside": "source",
            "question": "",
            "scales": [
                {"name": "fluency", "low": 1, "high": 5, "labels": scale("none", "bad", "so", "good", "flawless")}
            ],
        },
        [{"text": ENGLISH[0], "source": GERMAN, "neighbours": AMONG}],
    ),
    "among-esa": (
        "spans",
        SPANS | {"score": {"low": 0, "high": 100, "labels": []}},
        [{"source": GERMAN, "text": ENGLISH[0], "neighbours": AMONG}],
    ),
    "among-post-edit": (
        "post-edit",
        {"edit": True, "effort": None, "question": ""},
        [{"source": GERMAN, "text": ENGLISH[0], "neighbours": AMONG}],
    ),
    "among-review": (
        "review",
        {"question": ""},
        [{"source": GERMAN, "reference": ENGLISH[1], "text": ENGLISH[0], "edit": ENGLISH[2], "neighbours": AMONG}],
    ),
    "among-frames": (
        "frames",
        {"roles": ROLES, "links": ["full", "partial"], "question": ""},
        [{"reference": ENGLISH[1].split(), "output": ENGLISH[0].split(), "neighbours": AMONG}],
    ),
    # English into Arabic: the target runs from right to left.
    "esa-ar": (
        "spans",
        SPANS | {"score": {"low": 0, "high": 100, "labels": []}},
        [{"source": ENGLISH[0], "text": ARABIC}] * 2,
    ),
    "ranking-ar": (
        "ranking",
        {"low": 1, "high": 5, "ties": False, "blanks": True, "beside": "source", "question": ""},
        [{"source": ENGLISH[0], "before": [ENGLISH[1]], "after": [], "outputs": outputs(ARABIC, ARABIC, "فيينا")}],
    ),
}


def languages(name: str) -> dict[str, str]:
    return {"source": "en", "target": "ar"} if name.endswith("-ar") else {"source": "de", "target": "en"}
