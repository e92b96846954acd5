#!/usr/bin/env bash
# Write requirements/*.lock again from pyproject.toml: versions and hashes, no addresses. Needs `uv` (UV=... names another one).
#   tools/lock.sh              keep the locked versions that still fit, add what is new
#   tools/lock.sh --upgrade    take the newest versions
set -euo pipefail
cd "$(dirname "$0")/.."
uv=${UV:-uv}

build_requirements() {
    sed -n '/^\[build-system\]/,/^\[project\]/s/^requires = \["\(.*\)"\]$/\1/p' pyproject.toml
}

# The extra `coding`, but not on Linux on ARM, where its library has no wheel: there the checks use a coder of their own.
coding_requirements() {
    sed -n 's/^coding = \["\(.*\)"\]$/\1 ; sys_platform != "linux" or platform_machine == "x86_64"/p' pyproject.toml
}

# The extra `fast`, but not on a Mac with an Intel processor, where its library has no wheel: there numpy draws alone.
fast_requirements() {
    sed -n 's/^fast = \["\(.*\)"\]$/\1 ; sys_platform != "darwin" or platform_machine == "arm64"/p' pyproject.toml
}

# One version per package for every supported Python (fork strategy), wheels only, the public index and nothing else:
# what one machine is configured with must not enter a lock.
compile() {
    local lock=$1; shift
    { build_requirements; coding_requirements; [ "$lock" = requirements/core.lock ] || fast_requirements; } | "$uv" --no-config pip compile --quiet pyproject.toml - --output-file "$lock" \
        --universal --python-version 3.11 --fork-strategy fewest --only-binary :all: --generate-hashes \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links "$@"
}

[ -n "$(coding_requirements)" ] || { echo "lock.sh: no extra coding found in pyproject.toml" >&2; exit 1; }
[ -n "$(fast_requirements)" ] || { echo "lock.sh: no extra fast found in pyproject.toml" >&2; exit 1; }
[ -n "$(build_requirements)" ] || { echo "lock.sh: no build-system.requires found in pyproject.toml" >&2; exit 1; }
compile requirements/core.lock --extra proof "$@"
compile requirements/dev.lock --extra proof --extra data --extra figures --extra docs --extra report --extra crate --extra dask --extra mpi --extra dev \
    --constraints requirements/core.lock "$@"
