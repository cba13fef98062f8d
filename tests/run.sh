#!/bin/sh
# Runs the test programs and scripts named, $JOBS at once, each with an empty home, and adds up
# what they report: Check's "Checks: n, Failures: n, Errors: n" or a last line "n passed, n failed".
# $B: the build directory. The output of what failed is shown, and lines that begin with "skipped: ".
# The last line is the sum.
set -u

: "${B:?the build directory}" "${JOBS:=2}"
export B
export TENSORDBG="$B/tensordbg" LC_ALL=C.UTF-8 TZ=UTC CK_VERBOSITY=normal
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
unset NO_COLOR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME TENSORDBG_OPTIONS INPUTRC

if [ "${1:-}" = --one ]; then
	name=$(basename "$2")
	home="$B/results/$name.home"
	rm -rf "$home" && mkdir -p "$home"
	HOME="$home" "$2" >"$B/results/$name.out" 2>&1 </dev/null
	echo $? >"$B/results/$name.status"
	rm -rf "$home"
	exit 0
fi

rm -rf "$B/results" && mkdir -p "$B/results"
printf '%s\0' "$@" | xargs -0 -n 1 -P "$JOBS" "$0" --one

passed=0 failed=0 bad=
for test; do
	name=$(basename "$test")
	out="$B/results/$name.out"
	status=$(cat "$B/results/$name.status" 2>/dev/null || echo none)
	counts=$(sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' \
		-e 's/^\([0-9]*\) passed, \([0-9]*\) failed$/+\1 \2 0/p' "$out" 2>/dev/null | tail -n 1)
	case $counts in
	'')  good=0 wrong=1 ;;
	+*)  set -- ${counts#+}; good=$1 wrong=$2 ;;
	*)   set -- $counts; wrong=$(($2 + $3)) good=$(($1 - $2 - $3)) ;;
	esac
	# A program may report no failure and still end badly: a leak, a crash at exit.
	[ "$status" = 0 ] || [ "$wrong" -gt 0 ] || wrong=1
	passed=$((passed + good)) failed=$((failed + wrong))
	printf '%-24s %s passed, %s failed\n' "$name" "$good" "$wrong"
	sed -n 's/^skipped: /    &/p' "$out" 2>/dev/null
	if [ "$wrong" -gt 0 ]; then
		bad="$bad $name"
		sed 's/^/    /' "$out" 2>/dev/null
	fi
done
[ -z "$bad" ] || echo "failed:$bad"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
