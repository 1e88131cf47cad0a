"""A picture as a small PNG file: its 256 commonest colours, one byte a pixel, packed as tightly as zlib can."""

import struct
import zlib
from collections import Counter
from pathlib import Path

import pygame

COARSE = 0xF8  # colours that differ in the lower bits only share a place in the palette
MOST = 256


def save(surface: pygame.Surface, path: Path) -> None:
    wide, high = surface.get_size()
    raw = pygame.image.tobytes(surface, "RGB")
    pixels = [raw[at : at + 3] for at in range(0, len(raw), 3)]
    index = _index_of(Counter(pixels))
    shown = list(dict.fromkeys(index.values()))
    place = {colour: bytes((number,)) for number, colour in enumerate(shown)}
    of_pixel = {colour: place[nearest] for colour, nearest in index.items()}
    lines = (b"".join(of_pixel[pixel] for pixel in pixels[y * wide : (y + 1) * wide]) for y in range(high))
    body = zlib.compress(b"".join(b"\0" + line for line in lines), 9)
    head = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)  # PNG: 8 bits a pixel, a palette
    chunks = ((b"IHDR", head), (b"PLTE", b"".join(shown)), (b"IDAT", body), (b"IEND", b""))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks))


def _index_of(counts: Counter[bytes]) -> dict[bytes, bytes]:
    """Each colour -> the one of the palette that it is drawn in."""
    coarse: dict[bytes, Counter[bytes]] = {}
    for colour, count in counts.items():
        coarse.setdefault(bytes(part & COARSE for part in colour), Counter())[colour] += count
    groups = sorted(coarse.values(), key=lambda group: -group.total())
    palette = [group.most_common(1)[0][0] for group in groups[:MOST]]
    found = {colour: palette[at] for at, group in enumerate(groups[:MOST]) for colour in group}
    for group in groups[MOST:]:
        found |= {colour: _nearest(colour, palette) for colour in group}
    return found


def _nearest(colour: bytes, palette: list[bytes]) -> bytes:
    r, g, b = colour
    return min(palette, key=lambda one: (one[0] - r) ** 2 + (one[1] - g) ** 2 + (one[2] - b) ** 2)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
