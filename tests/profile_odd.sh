#!/bin/sh
# tests/profile_odd.sh [FOLDER]: profiles that lie on the disk in unusual ways, against what the real tools said
# of them. FOLDER/NAME/answers/NN.cmd is a line of tfprof's, NN.out what it printed. FOLDER/NAME/expected_ps.txt
# holds blocks "ps ['PATH']" with the first lines of tfdbg's answer, then the whole answer of lp. The program is
# asked from an empty directory and from within NAME.
set -u

: "${B:?the build directory}"
folder=$(cd "${1:-$(dirname "$0")/../testdata/profile_odd}" && pwd) || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME TENSORDBG_OPTIONS
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/home" "$scratch/empty"
export HOME="$scratch/home"
passed=0 failed=0

# ask DIRECTORY COMMAND PROFILE
ask() (
	cd "$1" && "${TENSORDBG:-$B/tensordbg}" -c "$2" "$3" </dev/null 2>"$scratch/err"
)

# same WHAT: does $scratch/got hold what $scratch/want does?
same() {
	if diff -u "$scratch/want" "$scratch/got" >"$scratch/diff"; then
		passed=$((passed + 1))
		return
	fi
	failed=$((failed + 1))
	echo "$1"
	cat "$scratch/diff" "$scratch/err"
}

# ends FILE: without the empty lines at its end.
ends() {
	printf '%s\n' "$(cat "$1")"
}

# Cuts expected_ps.txt: a block is $scratch/ps.N and its path $scratch/ps.N.path, the rest is $scratch/lp.
cut_expected() {
	rm -f "$scratch"/ps.* "$scratch/lp"
	awk -v to="$scratch" '
		/^ps \[/ && !lp { n++; gsub(/^ps \[.|.\]$/, ""); print > (to "/ps." n ".path"); next }
		n && /^$/ { lp = 1 }
		{ print > (lp ? to "/lp" : to "/ps." n) }' "$1"
}

for answers in "$folder"/*/answers; do
	profile=$(dirname "$answers")
	for cmd in "$answers"/*.cmd; do
		cp "${cmd%.cmd}.out" "$scratch/want"
		ask "$scratch/empty" "tfprof $(cat "$cmd")" "$profile" >"$scratch/got"
		same "$cmd: $(cat "$cmd")"
	done
done
for expected in "$folder"/*/expected_ps.txt; do
	profile=$(dirname "$expected")
	cut_expected "$expected"
	for from in "$scratch/empty" "$profile"; do
		for path in "$scratch"/ps.*.path; do
			cp "${path%.path}" "$scratch/want"
			ask "$from" "ps $(cat "$path")" "$profile" >"$scratch/all"
			head -n "$(wc -l <"$scratch/want")" "$scratch/all" >"$scratch/got"
			same "$expected: ps $(cat "$path")"
		done
		ends "$scratch/lp" >"$scratch/want"
		ask "$from" lp "$profile" >"$scratch/all"
		ends "$scratch/all" >"$scratch/got"
		same "$expected: lp"
	done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
