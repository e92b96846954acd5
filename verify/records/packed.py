"""Records of a large run in memory: as text and compressed, some tenth of what they take as objects."""

import json
import zlib
from collections.abc import Sequence
from typing import overload

from verify.records.folder import Record


def packed(record: Record) -> bytes:
    """Return a record in little memory; all of its values are those of JSON already."""
    return zlib.compress(json.dumps(record, allow_nan=False, ensure_ascii=False).encode(), 1)


def unpacked(item: bytes) -> Record:
    """Return the record that was packed."""
    record: Record = json.loads(zlib.decompress(item))
    return record


class PackedRecords(Sequence[Record]):
    """Records that are made anew whenever they are asked for.

    Args:
        items: Packed records.
    """

    def __init__(self, items: Sequence[bytes]) -> None:
        self._items = tuple(items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Record: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Record]: ...

    def __getitem__(self, index: int | slice) -> Record | Sequence[Record]:
        if isinstance(index, slice):
            return PackedRecords(self._items[index])
        return unpacked(self._items[index])
