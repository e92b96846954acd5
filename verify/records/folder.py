"""Records on disk: one JSON file per unit, written atomically, checked against a schema when read."""

import contextlib
import functools
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verify.errors import DamagedRecordError, OutputFolderError, UnknownRecordError
from verify.records.schema import schema_problems

Record = Mapping[str, Any]

DEFAULT_FOLDER = ".boundcheck"


def key_of(record: Record) -> tuple[str, str, str]:
    """Return claim, rung and instance, which a record has in common with its unit."""
    return record["claim"], record["rung"], record["instance"]


def record_id(record: Record) -> str:
    """Return claim@12 hex digits of the record's content without time and machine."""
    return f"{record['claim']}@{content_sha256([record])[:12]}"


def content_sha256(records: list[Record]) -> str:
    """Return the SHA-256 of the content of records, times and machines left out."""
    left_out = ("seconds", "machine", "digest")
    timeless = [{name: item for name, item in record.items() if name not in left_out} for record in records]
    timeless.sort(key=lambda item: (item["claim"], item["rung"], item["instance"]))
    text = json.dumps(timeless, sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def sealed(record: Record) -> dict[str, Any]:
    """Return the record with the digest of its content, so that an edit is noticed."""
    return {**record, "digest": content_sha256([record])}


class RecordFolder:
    """The records of runs in one folder, `.boundcheck` by default.

    Args:
        folder: The output folder; records lie in `folder/records/PAPER/SLUG/RUNG.INSTANCE.json`.
    """

    def __init__(self, folder: str | Path = DEFAULT_FOLDER) -> None:
        self.folder = Path(folder)

    def path(self, claim: str, rung: str, instance: str) -> Path:
        """Return the file of one unit."""
        return self.folder / "records" / claim / f"{rung}.{instance}.json"

    def prepare(self) -> None:
        """Create the folder and make sure that it can be written.

        Raises:
            OutputFolderError: It cannot; nothing has been computed yet.
        """
        try:
            (self.folder / "records").mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder / "records"):
                pass
        except OSError as error:
            raise OutputFolderError(
                f"out={str(self.folder)!r} must be a folder that can be written ({error.strerror or error}); "
                "choose another one with --out DIR"
            ) from error

    def write(self, record: Record) -> Path:
        """Write a record so that a reader sees the old file or the whole new one, never a part.

        Nobody waits for the disk, which takes longer than many a check: what a power failure cuts off has not
        the digest that it states, and is made again.

        Raises:
            OutputFolderError: It cannot be written.
        """
        validate(record)
        path = self.path(record["claim"], record["rung"], record["instance"])
        text = json.dumps(record, indent=1, sort_keys=True, allow_nan=False, ensure_ascii=False) + "\n"
        try:
            self._replace(path, text)
        except OSError as error:
            raise OutputFolderError(
                f"{path} cannot be written ({error.strerror or error}); finished records are kept: make "
                "room, or remove what is in the way, and go on with --resume; or choose another folder "
                "with --out DIR"
            ) from error
        return path

    def _replace(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
            raise

    def read(self, claim: str, rung: str, instance: str) -> Record | None:
        """Return the record of a unit, None where there is none.

        Raises:
            DamagedRecordError: The file is there but cannot be used.
        """
        path = self.path(claim, rung, instance)
        if not path.exists():
            return None
        record = read_record(path)
        if (record["claim"], record["rung"], record["instance"]) != (claim, rung, instance):
            raise DamagedRecordError(
                f"record {str(path)!r} is that of another check; it has to be made again"
            )
        return record

    def paths(self, claim: str | None = None) -> list[Path]:
        """Return the record files of one claim or of all."""
        root = self.folder / "records"
        return sorted((root / claim if claim else root).rglob("*.json"))

    def records(self, claim: str | None = None) -> Iterator[Record]:
        """Yield all usable records, of one claim or of all, in the order of their paths."""
        for path in self.paths(claim):
            with contextlib.suppress(DamagedRecordError):
                yield read_record(path)

    def find(self, reference: str) -> list[Record]:
        """Return the records that a file path or an identifier `claim@hex` names.

        An identifier may name one record or, as printed by `cite`, all records of a claim.

        Raises:
            UnknownRecordError: There is none.
            DamagedRecordError: The file is there but cannot be used.
        """
        if Path(reference).is_file():
            return [read_record(Path(reference))]
        claim, at, digest = reference.partition("@")
        if at:
            found = list(self.records(claim))
            single = [record for record in found if content_sha256([record]).startswith(digest)]
            if single and digest:
                return single
            if found and digest and content_sha256(found).startswith(digest):
                return found
        raise UnknownRecordError(
            f"record={reference!r} is neither a record file nor an identifier of a record under "
            f"{str(self.folder)!r}; identifiers look like squant/var@0123456789ab, "
            "`boundcheck show --full CLAIM` lists them"
        )


def _umask() -> int:
    """Return the mask for new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_record(path: Path) -> Record:
    """Read one record file and check it against the schema.

    Raises:
        DamagedRecordError: It is cut, malformed, edited or does not fit the schema.
    """
    try:
        record: Record = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except ValueError as error:  # no JSON, no UTF-8, or NaN and infinity, which Python would accept
        raise DamagedRecordError(
            f"record {str(path)!r} is cut or malformed ({error}); it has to be made again"
        ) from error
    except OSError as error:
        raise DamagedRecordError(f"record {str(path)!r} cannot be read ({error.strerror})") from error
    validate(record, str(path))
    if record["digest"] != content_sha256([record]):
        raise DamagedRecordError(
            f"record {str(path)!r} was edited: its content does not have the digest that it states; "
            "it has to be made again"
        )
    return record


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def validate(record: Record, where: str = "record") -> None:
    """Raise `DamagedRecordError` unless a record fits the committed schema."""
    problem = next(schema_problems(record, _schema()), None)
    if problem is not None:
        field, message = problem
        raise DamagedRecordError(
            f"{where} does not fit the schema at {field or 'top level'}: {message}; it has to be made again"
        )


@functools.cache
def _schema() -> Any:
    return json.loads(Path(__file__).with_name("record.schema.json").read_text(encoding="utf-8"))
