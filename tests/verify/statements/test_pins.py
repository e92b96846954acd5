"""The file of pinned words: what is damaged is one error that names it."""

import pytest

from verify.errors import UsageError
from verify.statements import check, hashes
from verify.statements.pins import write


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"sample/var": 3}', b'{"\xff": {}}'])
def test_a_damaged_file_of_pins_is_named(samples, tmp_path, content):
    claim, file = samples["var"], tmp_path / "pins.json"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"pins\.json is damaged \(.*\); take it from version control"):
        check(claim, file=file)
    with pytest.raises(UsageError, match=r"pins\.json is damaged"):
        write(file, {claim.id: hashes(claim)})
    assert file.read_bytes() == content
