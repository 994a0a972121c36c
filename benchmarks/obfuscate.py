"""Disguises of attack texts, and how often each is still caught.

    python benchmarks/obfuscate.py [--data FILE] [--limit 40] [--out FILE]

Without --data the attacks are our own training sentences; a file has JSON lines
{text, label, lang}. Prints, per language and disguise, the share that is held or
refused and that share relative to the plain texts.
"""

import argparse
import base64
import codecs
import html
import json
import random
import sys
import urllib.parse
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memory_core.contracts.screening import Provenance
from memory_core.screening import screen
from memory_core.screening.tables import read_pairs
from memory_core.screening.training.rows import authored_rows

Disguise = Callable[[str], str]
TOOL = Provenance("tool_result")
PAD_EN = "The library opens at nine and the cafe next door sells warm bread. " * 6
PAD_ZH = "图书馆九点开门，隔壁的咖啡店卖热面包。周末人多，最好早点去。" * 8
CYRILLIC = dict(zip("aceopxyisjhk", "асеорхуіѕјһк", strict=True))
LEET = dict(zip("oieastb", "0134578", strict=True))
SMALL = dict(zip("abcdefghijklmnoprstuvwz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡᴢ", strict=True))


def each(text: str, change: Callable[[str], str]) -> str:
    """Return the text with every character changed."""
    return "".join(map(change, text))


def between(mark: str) -> Disguise:
    """Return a disguise that puts a mark between all characters but blanks."""
    return lambda text: "   ".join(mark.join(word) for word in text.split())


def tags(text: str) -> str:
    """Return an innocent sentence with the text as invisible tag characters."""
    hidden = each(text, lambda c: chr(0xE0000 + ord(c)) if c.isascii() else c)
    return "See you tomorrow." + hidden


def selectors(text: str) -> str:
    """Return an innocent sentence with the text's bytes as variation selectors."""
    data = text.encode()
    return "明天见 " + "".join(
        chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16) for byte in data
    )


def mixed_case(text: str) -> str:
    """Return the text in alternating case."""
    return "".join(c.upper() if i % 2 else c.lower() for i, c in enumerate(text))


def traditional(text: str) -> str:
    """Return the text in traditional characters, one by one."""
    table: dict[str, str] = {}
    for old, new in read_pairs("hanzi.tsv").items():
        table.setdefault(new, old)
    return each(text, lambda c: table.get(c, c))


def full_width(text: str) -> str:
    """Return the ASCII characters in their full-width forms."""
    return each(text, lambda c: chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c)


def split_lines(text: str) -> str:
    """Return one word a line, of Chinese three characters a line."""
    if " " in text.strip():
        return "\n".join(text.split())
    return "\n".join(text[i : i + 3] for i in range(0, len(text), 3))


def markdown(text: str) -> str:
    """Return the text with every other word emphasised."""
    if " " in text.strip():
        words = text.split()
        return " ".join(f"**{w}**" if i % 2 else f"_{w}_" for i, w in enumerate(words))
    return "".join(f"**{text[i : i + 2]}**" for i in range(0, len(text), 2))


def b64(text: str) -> str:
    """Return the text in base64."""
    return base64.b64encode(text.encode()).decode()


def combining(text: str) -> str:
    """Return the text with a combining mark on each character."""
    return each(text, lambda c: c + "\u0336" if c.strip() else c)


COMMON: dict[str, Disguise] = {
    "zero_width": lambda t: "\u200b".join(t),
    "word_joiner": lambda t: "\u2060".join(t),
    "soft_hyphen": lambda t: "\u00ad".join(t),
    "tags": tags,
    "selectors": selectors,
    "bidi": lambda t: f"\u202e{t[::-1]}\u202c",
    "combining": combining,
    "spacing": between(" "),
    "dots": between("."),
    "stars": between("*"),
    "reversed": lambda t: t[::-1],
    "base64": b64,
    "base64_twice": lambda t: b64(b64(t)),
    "base64_inside": lambda t: f"note: {b64(t)} (end)",
    "hex": lambda t: t.encode().hex(),
    "url": lambda t: "".join(f"%{byte:02X}" for byte in t.encode()),
    "url_of_base64": lambda t: urllib.parse.quote(b64(t), safe=""),
    "entities": lambda t: each(t, lambda c: f"&#{ord(c)};"),
    "entities_hex": lambda t: each(t, lambda c: f"&#x{ord(c):x};"),
    "entities_twice": lambda t: html.escape(each(t, lambda c: f"&#{ord(c)};")),
    "escapes": lambda t: each(t, lambda c: f"\\u{ord(c):04x}"),
    "byte_escapes": lambda t: "".join(f"\\x{byte:02x}" for byte in t.encode()),
    "full_width": full_width,
    "split_lines": split_lines,
    "markdown": markdown,
    "case": mixed_case,
}
ENGLISH: dict[str, Disguise] = COMMON | {
    "homoglyphs": lambda t: each(t, lambda c: CYRILLIC.get(c, c)),
    "small_capitals": lambda t: each(t.lower(), lambda c: SMALL.get(c, c)),
    "leet": lambda t: each(t.lower(), lambda c: LEET.get(c, c)),
    "rot13": lambda t: codecs.encode(t, "rot13"),
    "words_reversed": lambda t: " ".join(word[::-1] for word in t.split()),
    "no_spaces": lambda t: t.replace(" ", ""),
    "padded_before": lambda t: PAD_EN * 4 + t,
    "padded_after": lambda t: f"{t} {PAD_EN * 4}",
    "padded_around": lambda t: f"{PAD_EN * 3} {t} {PAD_EN * 3}",
}
CHINESE: dict[str, Disguise] = COMMON | {
    "traditional": traditional,
    "padded_before": lambda t: PAD_ZH * 4 + t,
    "padded_after": lambda t: f"{t}。{PAD_ZH * 4}",
    "padded_around": lambda t: f"{PAD_ZH * 3}{t}。{PAD_ZH * 3}",
}
DISGUISES = {"en": ENGLISH, "zh": CHINESE}


def caught_share(texts: Iterable[str]) -> float:
    """Return the share of the texts that are held or refused."""
    outcomes = [screen({"content": text}, TOOL).outcome for text in texts]
    return sum(outcome != "allow" for outcome in outcomes) / len(outcomes)


def attacks(path: Path | None, language: str, limit: int) -> list[str]:
    """Return up to `limit` attacks of a language, the same at every call."""
    if path is None:
        rows = [r.text for r in authored_rows() if r.is_attack and r.lang == language]
    else:
        items = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        rows = [
            item["text"]
            for item in items
            if item["label"] == "attack"
            and item["lang"] == language
            and len(item["text"]) <= 400
        ]
    return random.Random(7).sample(rows, min(limit, len(rows)))


def report(path: Path | None, limit: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return {language: {disguise: {"caught", "of_plain"}}}."""
    result: dict[str, dict[str, dict[str, float]]] = {}
    for language, disguises in DISGUISES.items():
        texts = attacks(path, language, limit)
        plain = caught_share(texts)
        rows = {"plain": {"caught": plain, "of_plain": 1.0}}
        for name, disguise in disguises.items():
            caught = caught_share([disguise(text) for text in texts])
            of_plain = round(caught / plain, 3) if plain else 0.0
            rows[name] = {"caught": round(caught, 3), "of_plain": of_plain}
        result[language] = rows
    return result


def main() -> None:
    """Print the report as a table, or write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    result = report(options.data, options.limit)
    if options.out:
        options.out.write_text(json.dumps(result, indent=1), encoding="utf-8")
    for language, rows in result.items():
        for name, row in sorted(rows.items(), key=lambda item: item[1]["of_plain"]):
            print(f"{language} {name:16} {row['caught']:.3f} {row['of_plain']:.3f}")


if __name__ == "__main__":
    main()
