#!/bin/sh
# Runs the test programs and scripts named, $JOBS at once, each with an empty home, and adds up
# what they report: Check's "Checks: n, Failures: n, Errors: n" or a last line "n passed, n failed".
# $B: the build directory. As each ends there is a line about it, the output of what failed, and lines
# that begin with "skipped: ". The last line is the sum.
set -u

: "${B:?the build directory}" "${JOBS:=2}"
export B
export TENSORDBG="$B/tensordbg" LC_ALL=C.UTF-8 TZ=UTC CK_VERBOSITY=normal
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
unset NO_COLOR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME TENSORDBG_OPTIONS INPUTRC

# Scratch files in memory, where it has room and lets programs run: half the time of all tests.
in_memory=/dev/shm
if [ -z "${TMPDIR-}" ] && trial=$(mktemp "$in_memory/tensordbg-XXXXXX" 2>/dev/null); then
	printf '#!/bin/sh\n' >"$trial" && chmod +x "$trial"
	[ "$(df -Pk "$in_memory" | awk 'NR == 2 { print int($4 / 1048576) }')" -gt 0 ] && "$trial" 2>/dev/null &&
		export TMPDIR="$in_memory"
	rm -f "$trial"
fi

# Runs $2, the test of this name.
run_one() {
	home="$B/results/$1.home"
	rm -rf "$home" && mkdir -p "$home"
	HOME="$home" "$2" >"$B/results/$1.out" 2>&1 </dev/null
	status=$?
	rm -rf "$home"
}

# How many passed and failed of it, into good and wrong.
count() {
	counts=$(sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' \
		-e 's/^\([0-9]*\) passed, \([0-9]*\) failed$/+\1 \2 0/p' "$1" 2>/dev/null | tail -n 1)
	case $counts in
	'')  good=0 wrong=1 ;;
	+*)  set -- ${counts#+}; good=$1 wrong=$2 ;;
	*)   set -- $counts; wrong=$(($2 + $3)) good=$(($1 - $2 - $3)) ;;
	esac
	# A program may report no failure and still end badly: a leak, a crash at exit.
	[ "$status" = 0 ] || [ "$wrong" -gt 0 ] || wrong=1
}

if [ "${1:-}" = --one ]; then
	name=$(basename "$2")
	run_one "$name" "$2"
	count "$B/results/$name.out"
	echo "$good $wrong" >"$B/results/$name.counts"
	printf '%-24s %s passed, %s failed\n' "$name" "$good" "$wrong"
	sed -n 's/^skipped: /    &/p' "$B/results/$name.out"
	[ "$wrong" = 0 ] || sed 's/^/    /' "$B/results/$name.out"
	exit 0
fi

rm -rf "$B/results" && mkdir -p "$B/results"
printf '%s\0' "$@" | xargs -0 -n 1 -P "$JOBS" "$0" --one

passed=0 failed=0 bad=
for test; do
	name=$(basename "$test")
	read -r good wrong <"$B/results/$name.counts" || good=0 wrong=1
	passed=$((passed + good)) failed=$((failed + wrong))
	[ "$wrong" = 0 ] || bad="$bad $name"
done
[ -z "$bad" ] || echo "failed:$bad"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
