#!/bin/sh
# tests/mutants.sh [NAME...]: makes each small wrong change of tests/mutants/NAME.patch to a copy of the tree, builds, and
# runs the suites that its first line names; one that they pass survives all of them and is a test that is missing.
#
# The first line of a patch is "SUITE...: what is wrong". With MUTANTS_ALL=1 what survives its suites meets all the others.
set -u

: "${B:?the build directory}" "${JOBS:=2}" "${CC:=cc}"
cd "$(dirname "$0")/.." || exit 1
tree="$B/mutants"
killed=0 bad=0
mkdir -p "$tree"
cp -rp Makefile README.md dump cmds tui tests testdata "$tree"
[ $# -gt 0 ] || set -- $(cd tests/mutants && ls -- *.patch | sed 's/\.patch$//')

# suites NAME...: true if they pass in the copy.
suites() {
	programs=$(printf 'build/tests/%s ' "$@")
	# shellcheck disable=SC2086
	(cd "$tree" && make -s "-j$JOBS" B=build "CC=$CC" build/tensordbg $programs &&
		B="$PWD/build" JOBS="$JOBS" tests/run.sh $(printf "$PWD/build/tests/%s " "$@")) >"$tree/said" 2>&1
}

for name; do
	patch="$PWD/tests/mutants/$name.patch"
	first=$(head -n 1 "$patch")
	if ! (cd "$tree" && patch -s -p1 <"$patch") >"$tree/said" 2>&1; then
		echo "$name: does not apply"
		bad=$((bad + 1))
		cp -rp dump cmds tui "$tree"
		continue
	fi
	# Its time is that of the change, so that make sees it, also when it goes back.
	# shellcheck disable=SC2086
	if ! suites ${first%%:*}; then
		if grep -q ' passed, [1-9][0-9]* failed' "$tree/said"; then
			killed=$((killed + 1))
		else
			echo "$name: does not build"
			bad=$((bad + 1))
		fi
	elif [ -n "${MUTANTS_ALL:-}" ] && ! (cd "$tree" && make "-j$JOBS" B=build "CC=$CC" run-tests) >"$tree/said" 2>&1; then
		echo "$name: killed, but not by ${first%%:*}"
		killed=$((killed + 1))
	else
		echo "$name survives:${first#*:}"
		bad=$((bad + 1))
	fi
	(cd "$tree" && patch -s -R -p1 <"$patch") || exit 1
done
echo "$killed passed, $bad failed"
[ "$bad" = 0 ]
