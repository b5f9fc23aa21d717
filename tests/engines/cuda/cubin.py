"""What a cubin says of its kernels: registers and stack, from the attributes in its ``.nv.info`` section."""

from __future__ import annotations

import struct

REGISTERS, STACK = 0x2F, 0x11  # EIATTR_REGCOUNT, EIATTR_FRAME_SIZE
SIZED = 0x04  # the format of an attribute that says its size
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()


def sections(cubin: bytes) -> dict[str, tuple[int, bytes]]:
    """Where each section lies, and its bytes, by its name."""
    if cubin[:5] != b"\x7fELF\x02":
        raise ValueError("a cubin must be a 64-bit ELF file")
    (start,) = struct.unpack_from("<Q", cubin, 0x28)
    size, number, names = struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [SECTION.unpack_from(cubin, start + i * size) for i in range(number)]
    return {_text(cubin, headers[names][4] + h[0]): (h[4], cubin[h[4] : h[4] + h[5]]) for h in headers}


def attributes(cubin: bytes) -> dict[str, dict[int, int]]:
    """The registers and the bytes of stack of each kernel, by its lowered name."""
    parts = sections(cubin)
    names, symbols, info = (parts[x][1] for x in (".strtab", ".symtab", ".nv.info"))
    found: dict[str, dict[int, int]] = {}
    at = 0
    while at < len(info):
        kind, attribute, size = struct.unpack_from("<BBH", info, at)
        if kind == SIZED:
            if attribute in (REGISTERS, STACK):
                symbol, value = struct.unpack_from("<II", info, at + 4)
                name = _text(names, SYMBOL.unpack_from(symbols, symbol * SYMBOL.size)[0])
                found.setdefault(name, {})[attribute] = value
            at += size
        at += 4
    return found
