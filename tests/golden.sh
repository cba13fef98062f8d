#!/bin/sh
# Replays tests/golden/*.cmd: the first line is "# ARGUMENTS", the whole file is the script given
# to -x. What comes must be the .out beside it: standard output, what went to standard error after
# "! ", and the exit status. --write writes the .out files instead; read the difference before it is kept.
set -u

: "${B:?the build directory}"
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

answer_of() {
	# The arguments are words of our own files.
	# shellcheck disable=SC2046
	HOME="$scratch" "$B/tensordbg" --echo --keep-going -x "$1" $(sed -n '1s/^# *//p' "$1") \
		</dev/null 2>"$scratch/err"
	status=$?
	sed 's/^/! /' "$scratch/err"
	echo "exit $status"
}

for cmd in tests/golden/*.cmd; do
	[ -e "$cmd" ] || continue
	answer_of "$cmd" >"$scratch/out"
	if [ "${1:-}" = --write ]; then
		cp "$scratch/out" "${cmd%.cmd}.out"
	elif diff -u "${cmd%.cmd}.out" "$scratch/out"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
done
[ "${1:-}" = --write ] && exit 0
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
