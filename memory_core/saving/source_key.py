"""The key of a source: one for all the ways to spell its name.

Whatever is folded too far lets two sources share a block and a trust, whatever is not
lets a blocked one come back. Names of users are therefore folded less: nobody gets
somebody else's trust by letters that look alike.
"""

import hashlib
import posixpath
import re
import socket
import unicodedata
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import unquote

from memory_core.screening import fold_lookalikes

LONGEST = 250
KEPT_OF_LONG = 180
MOST_COVERING = 12

INVISIBLE = {"Cf", "Cc", "Mn", "Me"}
DOTS = str.maketrans({"\u3002": ".", "\uff0e": ".", "\uff61": "."})
DEFANGED = re.compile(r"\s?[\[({]\s?(?:\.|dot)\s?[\])}]\s?")
AROUND = {"<": ">", "(": ")", '"': '"', "'": "'", "[": "]", "{": "}"}
SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]{0,20}:)?[/\\]{2}")
HOST = re.compile(
    r"(?P<host>[^\s/?#:@]+\.[^\s/?#:@.]{2,}|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]{2,45}\])"
    r"\.*(?::\d{0,5})?(?P<path>/[^?#]*)?(?:[?#].*)?"
)
NUMBER = re.compile(r"(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+)){0,3}")
DOMAIN = re.compile(r"[^\s/@]+\.[^\s/@.\d]{2,}")


def fold(name: str, *, of_user: bool = False) -> str:
    """Return the key of a source's name, at most 250 characters.

    Case, width, invisible characters and spaces are folded; an address loses scheme,
    user info, `www.`, port, closing dot, query, fragment and what disarms it
    (`evil[.]com`), its punycode is decoded and its numbers are written in one way.
    Letters of other scripts that imitate Latin ones are these, but for users.
    """
    text = _plain(name)
    if not of_user:
        text = fold_lookalikes(text)
    bare, has_scheme = _without_scheme(_undressed(text))
    bare = _numbered(bare) if has_scheme else bare
    if match := HOST.fullmatch(bare):
        key = _host(match["host"]) + _path(match["path"] or "")
        return _bounded(key if of_user else fold_lookalikes(key))
    return _bounded(bare.rstrip("/") if has_scheme else text)


def covering(key: str) -> list[str]:
    """Return the keys whose block is one of this key too: itself first.

    Of an address these are the paths and the domains above it.
    """
    host = host_of(key)
    if not host:
        return [key]
    parts = key.split("/")[1:]
    paths = ["/".join([host, *parts[:n]]) for n in range(len(parts), 0, -1)]
    labels = host.split(".")
    above = [".".join(labels[n:]) for n in range(1, len(labels) - 1)]
    domains = [host] if _address(host) else [host, *above]
    return [*paths[:1], *paths[1:][-MOST_COVERING:], *domains[:MOST_COVERING]]


def host_of(key: str) -> str:
    """Return the domain or IP address of an address's key, "" where it is none."""
    host = key.partition("/")[0]
    return host if DOMAIN.fullmatch(host) or _address(host) else ""


def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold()
    visible = "".join(c for c in folded if unicodedata.category(c) not in INVISIBLE)
    return " ".join(unicodedata.normalize("NFKC", visible).translate(DOTS).split())


def _undressed(text: str) -> str:
    """Return an address without what stands around it or disarms it."""
    text = DEFANGED.sub(".", text)
    while len(text) > 2 and AROUND.get(text[0]) == text[-1]:
        if ":" in text and text[0] == "[" and "." not in text:
            break  # an IPv6 address
        text = text[1:-1].strip()
    return text


def _without_scheme(text: str) -> tuple[str, bool]:
    match = SCHEME.match(text)
    if not match:
        return text, False
    rest = unquote(text[match.end() :]).casefold()
    authority, slash, path = rest.partition("/")
    return authority.rpartition("@")[2] + slash + path, True


def _host(host: str) -> str:
    if address := _address(host.strip("[]")):
        return address
    labels = [_label(part) for part in unquote(host).split(".") if part]
    if labels[0] == "www" and len(labels) > 2:
        labels = labels[1:]
    return ".".join(labels)


def _path(path: str) -> str:
    """Return a path without what a server ignores: `//`, `/./`, `/x/..`."""
    return posixpath.normpath(f"/{path.lstrip('/')}").rstrip("/") if path else ""


def _label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return _plain(label.encode("ascii").decode("idna"))
    except UnicodeError:
        return label


def _address(text: str) -> str:
    """Return an IP address in its usual form, "" if it is none."""
    try:
        found: IPv4Address | IPv6Address = ip_address(text)
    except ValueError:
        return ""
    mapped = getattr(found, "ipv4_mapped", None)
    return str(mapped or found)


def _numbered(bare: str) -> str:
    """Return an address whose host is a number (`2130706433`) in the usual form."""
    authority, slash, path = bare.partition("/")
    host = authority.partition(":")[0]
    if not NUMBER.fullmatch(host):
        return bare
    try:
        return socket.inet_ntoa(socket.inet_aton(host)) + slash + path
    except OSError:
        return bare


def _bounded(key: str) -> str:
    if len(key) <= LONGEST:
        return key
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{key[:KEPT_OF_LONG]}#{digest}"
