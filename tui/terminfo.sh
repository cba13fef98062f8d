#!/bin/sh
# tui/terminfo.sh NAME...: the table of tui/terminfo.h with these terminals, as C. The system's terminfo describes them;
# NAME=OTHER, one that it does not know by this name, is OTHER.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# entry NAME: its names but the description, and what is compiled.
entry() {
	names=$(infocmp -x -1 "$1" | sed -n '/^[^#[:space:]]/{s/,$//; s/|[^|]*$//; p; q;}')
	compiled=$(infocmp -x -Q2 "$1" | grep -v '^#' | tr -d '\n')
	case $compiled in
	b64:*) printf '\t{ "%s",\n\t  "%s" },\n' "$names" "$compiled" ;;
	*) echo "tui/terminfo.sh: infocmp does not know the terminal $1" >&2; exit 1 ;;
	esac
}

echo '#include "tui/terminfo.h"'
echo
echo 'const struct terminfo_entry terminfo_entries[] = {'
for name; do
	case $name in
	*=*)
		printf '%s|%s,\n\tuse=%s,\n' "${name%=*}" "${name#*=} by another name" "${name#*=}" >"$scratch/source"
		tic -x -o "$scratch" "$scratch/source"
		TERMINFO=$scratch entry "${name%=*}"
		;;
	*) entry "$name" ;;
	esac
done
echo '	{ "", "" },'
echo '};'
echo "const int terminfo_n_entries = $#;"
