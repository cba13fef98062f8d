#!/bin/sh
# tests/conformance.sh CHECK: compares the program with recorded answers of tfdbg, by the checker CHECK that comes
# with the recordings; text and marks, every kind that is complete. Answers that are knowingly different are listed
# with their reasons in tests/argued: any other difference fails, and so does a line there that no longer differs.
set -u

: "${B:=build}"
check=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME="$work"           # nobody's own filters
passed=0 bad=0

for kind in v1 v1_versions profile; do
	for marks in '' --doc; do
		"$check" --kind "$kind" --bin "$B/tensordbg" -v $marks >"$work/out" || true
		# Without marks the last line counts once for text; differences come before the line of their golden.
		awk -v kind="$kind$marks" '
			/^[^ ]+\.golden +[0-9]+\/[0-9]+/ { golden = $1; next }
			/^    \$ / { print kind ": " golden ": " substr($0, 7) }' "$work/out" | sort >>"$work/differ"
		total=$(tail -n 1 "$work/out")
		echo "$kind $marks: $total"
		passed=$((passed + ${total%% *}))
	done
done
for folder in v1_versions runs runs_odd; do
	facts="$(dirname "$check")/../corpus/$folder"
	[ -d "$facts" ] || continue
	python3 "$here/facts.py" "$B/tensordbg" "$facts" >"$work/facts" || { cat "$work/facts"; bad=1; }
	echo "facts, $folder: $(tail -n 1 "$work/facts")"
done
v2=$(cd "$(dirname "$check")" && pwd)/../corpus/v2
if [ -d "$v2" ] && [ -x "$B/tests/test_program" ]; then
	(program=$(cd "$B/tests" && pwd)/test_program && cd "$here/.." && V2_RECORDINGS="$v2" "$program") \
		>"$work/v2" 2>&1 || { cat "$work/v2"; bad=$((bad + 1)); }
	echo "recorded programs: $(tail -n 1 "$work/v2")"
fi
programs="$(dirname "$check")/check_v2"
if [ -x "$programs" ]; then
	"$programs" --bin "$B/tensordbg" -v >"$work/programs" 2>&1 || { cat "$work/programs"; bad=$((bad + 1)); }
	echo "answers about recorded programs: $(tail -n 1 "$work/programs")"
fi
tfprof="$(dirname "$check")/check_tfprof"
if [ -x "$tfprof" ]; then
	"$tfprof" --bin "$B/tensordbg" -v >"$work/tfprof" 2>&1 || { cat "$work/tfprof"; bad=$((bad + 1)); }
	echo "tfprof, kernels and the like: $(tail -n 1 "$work/tfprof")"
fi
odd="$(dirname "$check")/../corpus/profile_odd"
if [ -d "$odd" ]; then
	B=$(cd "$B" && pwd) "$here/profile_odd.sh" "$odd" >"$work/odd" || { cat "$work/odd"; bad=$((bad + 1)); }
	echo "profiles in odd places: $(tail -n 1 "$work/odd")"
fi
grep -v '^#' "$here/argued" | sort >"$work/argued"
sort "$work/differ" >"$work/found"
comm -3 "$work/found" "$work/argued" >"$work/unexpected"
if [ -s "$work/unexpected" ]; then
	echo "not as listed in tests/argued (in the second column: listed, but equal):"
	cat "$work/unexpected"
	bad=$((bad + $(wc -l <"$work/unexpected")))
fi
echo "$passed passed, $bad failed"
[ "$bad" = 0 ]
