"""Languages by their tags (BCP 47): one spelling for each, its direction, its scripts, its English name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dragoman.errors import DataError, UnknownName

__all__ = [
    "LANGUAGE_NAMES",
    "base_language",
    "expected_scripts",
    "language_name",
    "pair_among",
    "parse_language",
    "parse_pair",
    "text_direction",
]

LANGUAGE_NAMES = {
    "af": "Afrikaans",
    "am": "Amharic",
    "ar": "Arabic",
    "as": "Assamese",
    "ast": "Asturian",
    "az": "Azerbaijani",
    "ba": "Bashkir",
    "be": "Belarusian",
    "bg": "Bulgarian",
    "bho": "Bhojpuri",
    "bn": "Bengali",
    "bo": "Tibetan",
    "br": "Breton",
    "bs": "Bosnian",
    "ca": "Catalan",
    "ceb": "Cebuano",
    "ckb": "Central Kurdish",
    "co": "Corsican",
    "cs": "Czech",
    "cv": "Chuvash",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "dsb": "Lower Sorbian",
    "dv": "Dhivehi",
    "el": "Greek",
    "en": "English",
    "eo": "Esperanto",
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fil": "Filipino",
    "fo": "Faroese",
    "fr": "French",
    "fur": "Friulian",
    "fy": "Western Frisian",
    "ga": "Irish",
    "gd": "Scottish Gaelic",
    "gl": "Galician",
    "gn": "Guarani",
    "gsw": "Swiss German",
    "gu": "Gujarati",
    "ha": "Hausa",
    "haw": "Hawaiian",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hsb": "Upper Sorbian",
    "ht": "Haitian Creole",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "ig": "Igbo",
    "is": "Icelandic",
    "it": "Italian",
    "iu": "Inuktitut",
    "ja": "Japanese",
    "jv": "Javanese",
    "ka": "Georgian",
    "kk": "Kazakh",
    "km": "Khmer",
    "kn": "Kannada",
    "ko": "Korean",
    "ku": "Kurdish",
    "ky": "Kyrgyz",
    "la": "Latin",
    "lb": "Luxembourgish",
    "ln": "Lingala",
    "lo": "Lao",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mai": "Maithili",
    "mg": "Malagasy",
    "mi": "Māori",
    "mk": "Macedonian",
    "ml": "Malayalam",
    "mn": "Mongolian",
    "mr": "Marathi",
    "ms": "Malay",
    "mt": "Maltese",
    "my": "Burmese",
    "nb": "Norwegian Bokmål",
    "nds": "Low German",
    "ne": "Nepali",
    "nl": "Dutch",
    "nn": "Norwegian Nynorsk",
    "no": "Norwegian",
    "ny": "Nyanja",
    "oc": "Occitan",
    "om": "Oromo",
    "or": "Odia",
    "pa": "Punjabi",
    "pl": "Polish",
    "ps": "Pashto",
    "pt": "Portuguese",
    "qu": "Quechua",
    "ro": "Romanian",
    "ru": "Russian",
    "rw": "Kinyarwanda",
    "sa": "Sanskrit",
    "sd": "Sindhi",
    "se": "Northern Sami",
    "si": "Sinhala",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sm": "Samoan",
    "sn": "Shona",
    "so": "Somali",
    "sq": "Albanian",
    "sr": "Serbian",
    "st": "Southern Sotho",
    "su": "Sundanese",
    "sv": "Swedish",
    "sw": "Swahili",
    "ta": "Tamil",
    "te": "Telugu",
    "tg": "Tajik",
    "th": "Thai",
    "ti": "Tigrinya",
    "tk": "Turkmen",
    "tn": "Tswana",
    "tr": "Turkish",
    "tt": "Tatar",
    "ug": "Uyghur",
    "uk": "Ukrainian",
    "und": "undetermined",
    "ur": "Urdu",
    "uz": "Uzbek",
    "vi": "Vietnamese",
    "wo": "Wolof",
    "xh": "Xhosa",
    "yi": "Yiddish",
    "yo": "Yoruba",
    "yue": "Cantonese",
    "zh": "Chinese",
    "zu": "Zulu",
}

# Country codes that older corpora and file names use where a language code belongs (WMT wrote cz until 2013).
_COUNTRY_CODES = {"cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "ir": "fa", "jp": "ja", "kr": "ko", "ua": "uk"}

# ISO 15924 → the scripts that the core tells apart (cpp/include/dragoman/text/unicode.hpp).
_SCRIPTS = {
    "Arab": ("Arabic",),
    "Armn": ("Armenian",),
    "Beng": ("Bengali",),
    "Cyrl": ("Cyrillic",),
    "Deva": ("Devanagari",),
    "Ethi": ("Ethiopic",),
    "Geor": ("Georgian",),
    "Grek": ("Greek",),
    "Gujr": ("Gujarati",),
    "Guru": ("Gurmukhi",),
    "Hang": ("Hangul",),
    "Hani": ("Han",),
    "Hans": ("Han",),
    "Hant": ("Han",),
    "Hebr": ("Hebrew",),
    "Hira": ("Hiragana",),
    "Jpan": ("Han", "Hiragana", "Katakana"),
    "Kana": ("Katakana",),
    "Khmr": ("Khmer",),
    "Knda": ("Kannada",),
    "Kore": ("Hangul", "Han"),
    "Laoo": ("Lao",),
    "Latn": ("Latin",),
    "Mlym": ("Malayalam",),
    "Mymr": ("Myanmar",),
    "Orya": ("Oriya",),
    "Sinh": ("Sinhala",),
    "Taml": ("Tamil",),
    "Telu": ("Telugu",),
    "Thai": ("Thai",),
    "Tibt": ("Tibetan",),
}

# Languages written in two scripts side by side, the commoner one first.
_TWO_SCRIPTS = {"bs": ("Latin", "Cyrillic"), "sr": ("Cyrillic", "Latin"), "uz": ("Latin", "Cyrillic")}

_RIGHT_TO_LEFT = {"Adlm", "Arab", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"}
_NO_LANGUAGE = {"und", "mul", "mis", "zxx"}  # undetermined, several, uncoded, no linguistic content


@lru_cache(maxsize=1024)
def parse_language(tag: str) -> str:
    """The canonical BCP 47 tag: `zh_CN` → `zh-CN`, `deu` → `de`, `iw` → `he`, `de_AT.UTF-8` → `de-AT`.

    What is no language of the registry raises `UnknownName`, with the tag that was probably meant.
    """
    if tag in LANGUAGE_NAMES:
        return tag  # as it should be: the registry takes longer to open than most files
    from langcodes import standardize_tag, tag_is_valid
    from langcodes.tag_parser import LanguageTagError

    bare = tag.strip().partition(".")[0].partition("@")[0]  # POSIX locales name an encoding and a variant
    try:
        if tag_is_valid(bare):
            return standardize_tag(bare)
    except LanguageTagError:
        pass  # not even of the form of a tag; the same advice helps
    near = _COUNTRY_CODES.get(bare.lower()) or _tag_of_name(bare)
    hint = f" Did you mean {near!r}?" if near else ""
    raise UnknownName(f"{tag!r} is no language tag.{hint} Use a BCP 47 tag such as 'de', 'pt-BR' or 'zh-Hant'.")


@lru_cache(maxsize=1024)
def parse_pair(pair: str) -> tuple[str, str]:
    """Source and target of a language pair: `de-en`, `pt-BR-en`, `en-zh-Hant`."""
    words = pair.split("-")
    pairs = []
    for cut in range(1, len(words)):
        try:
            pairs.append((parse_language("-".join(words[:cut])), parse_language("-".join(words[cut:]))))
        except UnknownName:
            continue
    if len(pairs) != 1:
        why = "can be cut in several ways" if pairs else "is not made of two language tags"
        raise DataError(f"The language pair {pair!r} {why}; write it as de-en.")
    return pairs[0]


def pair_among(pair: str, pairs: Iterable[str]) -> str | None:
    """The one of `pairs` that is the same language pair in whatever codes (`deu-eng` is `de-en`), or None."""
    names = list(pairs)
    if pair in names:
        return pair
    wanted = _canonical(pair)
    return next((name for name in names if _canonical(name) == wanted), None)


def _canonical(pair: str) -> tuple[str, ...]:
    try:
        return parse_pair(pair)
    except DataError:
        return (pair,)  # a pair may be called anything


@lru_cache(maxsize=1024)
def base_language(tag: str) -> str:
    """The language alone, in two letters where it has such a code: `pt-BR` → `pt`, `cmn` → `zh`; else in three."""
    from langcodes import Language

    canonical = parse_language(tag)
    base = Language.get(canonical).language or "und"
    if len(base) == 2:
        return base
    wider = Language.get(canonical).prefer_macrolanguage().language or base
    return wider if len(wider) == 2 else _WIDER.get(base, base)


# Languages whose tools and data go by a larger language's code, though the registry keeps them apart.
_WIDER = {"yue": "zh", "fil": "tl"}


def text_direction(tag: str) -> str:
    """`"rtl"` for languages written from right to left, `"ltr"` for all others."""
    return "rtl" if _iso_script(tag) in _RIGHT_TO_LEFT else "ltr"


def expected_scripts(tag: str) -> tuple[str, ...]:
    """The scripts that text in this language is written in, by their names in `dragoman.text.unicode.SCRIPTS`.

    Empty if the tag names no language (`und`, `mul`); `Other` for scripts that are not told apart.
    """
    from langcodes import Language

    parsed = Language.get(parse_language(tag))
    if parsed.language in _TWO_SCRIPTS and parsed.script is None and parsed.territory is None:
        return _TWO_SCRIPTS[parsed.language]
    script = _iso_script(tag)
    return () if script is None else _SCRIPTS.get(script, ("Other",))


def language_name(tag: str) -> str:
    """The English name: `pt-BR` → `Portuguese (BR)`. A language outside `LANGUAGE_NAMES` goes by its tag."""
    canonical = parse_language(tag)
    language, _, rest = canonical.partition("-")
    if language in LANGUAGE_NAMES:
        return f"{LANGUAGE_NAMES[language]} ({rest})" if rest else LANGUAGE_NAMES[language]
    wider = LANGUAGE_NAMES.get(base_language(tag))
    return f"{wider} ({canonical})" if wider else canonical


def _iso_script(tag: str) -> str | None:
    from langcodes import Language

    parsed = Language.get(parse_language(tag))
    language = parsed.language or "und"
    if parsed.script is None and (language in _NO_LANGUAGE or language.startswith("x-") or "qaa" <= language <= "qtz"):
        return None
    return parsed.script or parsed.maximize().script


def _tag_of_name(name: str) -> str | None:
    wanted = name.casefold()
    return next((tag for tag, english in LANGUAGE_NAMES.items() if english.casefold() == wanted), None)
