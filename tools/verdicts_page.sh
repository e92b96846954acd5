#!/usr/bin/env bash
# Write docs/verdicts.md again: judge every claim in the quick profile and date the table. Finished records of the
# same sources are kept, so that it takes seconds after `make verify`, which takes two to five minutes on two cores.
#   tools/verdicts_page.sh [FOLDER OF RECORDS]
# BOUNDCHECK=... names another command than .venv/bin/boundcheck.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-.boundcheck}
page=docs/verdicts.md
table=$(${BOUNDCHECK:-.venv/bin/boundcheck} verify --resume --format markdown --out "$folder") || [ $? -eq 1 ] || [ $? -eq 3 ]
[ -n "$table" ] || { echo "verify printed no table; $page is as it was" >&2; exit 1; }
verdicts=$(printf '%s\n' "$table" | awk -F' [|] ' 'NR > 2 { count[$3]++ } END { for (v in count) print count[v], v }' | sort -rn | paste -sd ';' | sed 's/;/, /g')
revision=$(git describe --always --dirty --exclude '*')
trap 'rm -f "$page.part"' EXIT
cat > "$page.part" <<END
# The verdicts

Every claim in the quick profile, as judged on $(date -u +%Y-%m-%d) at revision $revision: $verdicts. Made by

\`\`\`sh
tools/verdicts_page.sh    # boundcheck verify --resume --format markdown
\`\`\`

and not by hand. The weakest grade comes first. A star marks a part whose formulas are proved while the words around them rest on checks of this grade; \`boundcheck show ID\` tells which.
What the grades say is on [What a verdict means](explanation/what-a-verdict-means.md). Seconds are of CPU.

$table
END
mv "$page.part" "$page"
