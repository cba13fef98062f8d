#!/bin/sh
# Runs the test programs and scripts named, $JOBS at once, each with an empty home and directory for scratch
# files, and adds up what they report: Check's "Checks: n, Failures: n, Errors: n" or a last line "n passed,
# n failed". $B: the build directory. As each ends there is a line about it, the output of what failed, and lines
# that begin with "skipped: ". The last line is the sum.
set -u

: "${B:?the build directory}" "${JOBS:=2}"
export B
export TENSORDBG="$B/tensordbg" LC_ALL=C.UTF-8 TZ=UTC CK_VERBOSITY=normal
# A suite may take ten times as long on a busy machine; a timeout is for tests that hang.
export CK_TIMEOUT_MULTIPLIER=10
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
unset NO_COLOR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME TENSORDBG_OPTIONS INPUTRC

# Runs $2, the test of this name. What it leaves of its scratch files goes, too; screens show their paths, which
# are to be short.
run_one() {
	home="$B/results/$1.home" own=$(mktemp -d "$scratch/XXX")
	rm -rf "$home" && mkdir -p "$home"
	HOME="$home" TMPDIR="$own" "$2" >"$B/results/$1.out" 2>&1 </dev/null
	status=$?
	rm -rf "$home" "$own"
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

# lets_run DIRECTORY: has it a gigabyte, and may programs in it be run?
lets_run() {
	printf '#!/bin/sh\n' >"$1/trial" && chmod +x "$1/trial" && "$1/trial" 2>/dev/null &&
		[ "$(df -Pk "$1" | awk 'NR == 2 { print int($4 / 1048576) }')" -gt 0 ]
}

# Scratch files are in memory if that will do: half the time of all tests.
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
scratch=
if [ -z "${TMPDIR-}" ] && scratch=$(mktemp -d /dev/shm/tensordbg-XXXXXX 2>/dev/null) && ! lets_run "$scratch"; then
	rm -rf "$scratch"
	scratch=
fi
[ -n "$scratch" ] || scratch=$(mktemp -d "${TMPDIR:-/tmp}/tensordbg-XXXXXX") || exit 1
export scratch

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
