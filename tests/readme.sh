#!/bin/sh
# What the README shows of the program must be what the program says: the tables of commands and recorders between their
# markers, each key of the key sheet, each console block that begins with "$ tensordbg" (a line "..." stands for any lines), and what
# tests/deps.sh installs. Its Python and that of --recorder is compiled where there is one; tests/recorders.sh runs it.
# --write rewrites the tables.
set -u

: "${B:?the build directory}"
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

for table in commands recorders; do
	"$B/tests/tool_commands" $table >"$scratch/$table" || exit 1
done
awk -v dir="$scratch" '
	/^<!-- end of (commands|recorders) -->$/ { inside = 0 }
	!inside { print }
	/^<!-- (commands|recorders) -->$/ {
		inside = 1
		while ((getline line < (dir "/" $2)) > 0) print line
	}' README.md >"$scratch/README.md"

if [ "${1:-}" = --write ]; then
	cp "$scratch/README.md" README.md
	exit 0
fi
if diff -u README.md "$scratch/README.md"; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
fi

# Keys of the sheet, in its first column.
"$B/tests/tool_manual" keys | sed -n 's/^\.It //p' | sed 's/ , /\n/g' | sed 's/^Ic //; s/^\\&//' >"$scratch/keys"
sed -n '/^<!-- keys -->/,/^<!-- end of keys -->/s/^| \(`[^|]*`\) |.*/\1/p' README.md | grep -o '`[^`]*`' | tr -d '`' >"$scratch/sheet"
while read -r key; do
	if grep -qxF -- "$key" "$scratch/keys"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "no such key: $key"
	fi
done <"$scratch/sheet"
[ -s "$scratch/sheet" ] || failed=$((failed + 1))

# Packages: what deps.sh knows of a system stands in that system's line.
for column in '3 apt-get' '4 dnf' '5 pacman' '6 apk' '7 brew'; do
	line=$(grep -E "^\| .*${column#* } (install|add|-S) " README.md)
	for package in $(sed -n '/^	build /p' tests/deps.sh | awk -v at="${column%% *}" '{ print $at }' | tr ',\n' '  '); do
		case "$package $line" in
		"- "*|*[\ \`]"$package"[\ \`]*) passed=$((passed + 1)) ;;
		*) failed=$((failed + 1)); echo "${column#* }: no $package in the README" ;;
		esac
	done
done

# Python: each block is a program that compiles, and so is each recorder.
if command -v python3 >/dev/null; then
	for name in $("$B/tensordbg" --recorder list --format=csv | sed '1d; s/,.*//'); do
		"$B/tensordbg" --recorder "$name" >"$scratch/record_$name.py"
	done
	awk -v dir="$scratch" '
		/^```python/ { name = sprintf("%s/%d.py", dir, ++n); next }
		/^```/ { name = "" }
		name { print > name }' README.md
	for block in "$scratch"/*.py; do
		if python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$block"; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
		fi
	done
fi

# Every "$ tensordbg ..." and the lines below it, to $scratch/N.shown and $scratch/N.sh.
awk -v dir="$scratch" '
	/^```/ { name = ""; next }
	/^\$ tensordbg / { name = sprintf("%s/%02d", dir, ++n); print substr($0, 3) > (name ".sh"); next }
	name { print > (name ".shown") }' README.md

mkdir "$scratch/bin" && ln -s "$B/tensordbg" "$scratch/bin/tensordbg"
for script in "$scratch"/*.sh; do
	[ -e "$script" ] || continue
	shown="${script%.sh}.shown"
	HOME="$scratch" PATH="$scratch/bin:$PATH" sh "$script" >"$scratch/got" 2>&1 </dev/null
	if awk '
		NR == FNR { got[++n] = $0; next }
		$0 == "..." { any = 1; next }
		{
			at++
			while (any && at <= n && got[at] != $0) at++
			any = 0
			if (got[at] != $0) { print "line " FNR ": " $0; print "got: " got[at]; bad = 1; exit }
		}
		END { exit bad || (!any && at != n) }' "$scratch/got" "$shown"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "differs: $(cat "$script")"
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
