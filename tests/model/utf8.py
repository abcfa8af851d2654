"""Characters in bytes, straight from table 3-7 of the Unicode standard, and the CRC-32C of the terminal (R11, R15).

Written for the second opinion alone: nothing here is shared with the reference, and Python's own codec is
used only by selfcheck.py, to be compared with.
"""

# Table 3-7: first bytes from … to, and the ranges that the following bytes must lie in.
TABLE_3_7 = [
    (0x00, 0x7F, []),
    (0xC2, 0xDF, [(0x80, 0xBF)]),
    (0xE0, 0xE0, [(0xA0, 0xBF), (0x80, 0xBF)]),
    (0xE1, 0xEC, [(0x80, 0xBF), (0x80, 0xBF)]),
    (0xED, 0xED, [(0x80, 0x9F), (0x80, 0xBF)]),
    (0xEE, 0xEF, [(0x80, 0xBF), (0x80, 0xBF)]),
    (0xF0, 0xF0, [(0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)]),
    (0xF1, 0xF3, [(0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)]),
    (0xF4, 0xF4, [(0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)]),
]
FOLLOWING = {first: ranges for low, high, ranges in TABLE_3_7 for first in range(low, high + 1)}

CHARACTER, ILL_FORMED, INCOMPLETE = "character", "ill-formed", "incomplete"
REPLACEMENT = "\ufffd"


def pieces(raw):
    """The bytes as a list of (start, end, kind): characters and maximal ill-formed subparts.

    Only the last piece can be INCOMPLETE: the bytes begin a character, and more bytes could complete it.
    """
    result = []
    start = 0
    while start < len(raw):
        end = start + 1
        ranges = FOLLOWING.get(raw[start])
        kind = ILL_FORMED if ranges is None else CHARACTER
        for low, high in ranges or []:
            if end == len(raw):
                kind = INCOMPLETE
                break
            if not low <= raw[end] <= high:
                kind = ILL_FORMED
                break
            end += 1
        result.append((start, end, kind))
        start = end
    return result


def code_point(character):
    """The code point that a well-formed character of one to four bytes stands for."""
    if len(character) == 1:
        return character[0]
    value = character[0] & (0xFF >> (len(character) + 1))
    for byte in character[1:]:
        value = value << 6 | byte & 0x3F
    return value


def decode(raw):
    """The text of bytes that end here: one U+FFFD for each maximal ill-formed subpart and for an incomplete end."""
    return "".join(
        chr(code_point(raw[start:end])) if kind == CHARACTER else REPLACEMENT for start, end, kind in pieces(raw)
    )


def crc32c_table():
    """The remainders of all single bytes, for the reflected Castagnoli polynomial."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


CRC32C = crc32c_table()


def crc32c(raw):
    """CRC-32C: reflected, starting from and finished with all ones."""
    value = 0xFFFFFFFF
    for byte in raw:
        value = value >> 8 ^ CRC32C[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF
