#!/bin/sh
# Replays tests/golden/*.cmd: the first line is "# ARGUMENTS", the whole file is the script given to -x. It
# runs in a directory that holds "testdata" and an empty directory "empty". What comes must be the .out beside
# it: standard output, standard error after "! ", the exit status, and every file that was written.
# --write writes the .out files instead; read the difference before it is kept.
set -u

: "${B:?the build directory}"
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME TENSORDBG_OPTIONS
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

cp -r testdata "$scratch/testdata"
# The times of files of arrays are part of the answers.
find "$scratch/testdata/arrays" "$scratch/testdata/array_files" "$scratch/testdata/recorders" -type f -exec touch -d @0 {} +
mkdir "$scratch/bin" && ln -s "$B/tensordbg" "$scratch/bin/tensordbg"

# answer_of FILE.cmd: what the program answers, and what it leaves.
answer_of() (
	rm -rf "$scratch/home" "$scratch/work"
	mkdir -p "$scratch/home" "$scratch/work/empty"
	ln -s ../testdata "$scratch/work/testdata"
	cp "$1" "$scratch/script"
	cd "$scratch/work" || exit 1
	# The arguments are words of our own files.
	# shellcheck disable=SC2046
	HOME="$scratch/home" PATH="$scratch/bin:$PATH" \
		tensordbg --echo --keep-going -x ../script $(sed -n '1s/^# *//p' ../script) </dev/null 2>../err
	status=$?
	sed 's/^/! /' ../err
	echo "exit $status"
	find . -type f | sort | while read -r file; do
		echo "file ${file#./}"
		cat "$file"
	done
)

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
