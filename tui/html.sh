#!/bin/sh
# tui/html.sh DIRECTORY PAGE...
#
# The man pages as HTML: DIRECTORY/NAME.SECTION.html, with links between them, and index.html, which lists them. A link to a
# page that is not among them is one for a reader of man pages (man:NAME(SECTION)).
set -eu

command -v mandoc >/dev/null || {
	echo "mandoc is missing, which makes HTML of the man pages (its package has this name on most systems)" >&2
	exit 1
}
to=$1
shift
mkdir -p "$to"
to=$(cd "$to" && pwd)
cd "$(dirname "$1")"

{
	echo '<!DOCTYPE html>'
	echo '<html lang="en"><head><meta charset="utf-8"><title>tensordbg: manual</title></head><body>'
	echo '<h1>tensordbg</h1>'
	echo '<dl>'
	for page; do
		page=${page##*/}
		mandoc -Thtml -O 'man=%N.%S.html;man:%N(%S)' "$page" >"$to/$page.html"
		printf '<dt><a href="%s.html">%s</a></dt><dd>%s</dd>\n' "$page" "$(echo "$page" | sed 's/\.\(.\)$/(\1)/')" \
			"$(sed -n 's/^\.Nd //p' "$page")"
	done
	echo '</dl>'
	echo '</body></html>'
} >"$to/index.html"
