#!/bin/sh
# What the pages show of the program must be what the program says. The pages are README.md, those of four rooms, and the
# man pages. Checked are their lengths and links, the names of recorders, each key of the key sheet, each block of examples, and the
# packages that tests/deps.sh installs. Python, also that of --recorder, is compiled where there is one; tests/recorders.sh
# runs it.
#
# An example is a line that begins with "$ tensordbg", in a fenced block or a literal display; it goes on where it ends in
# "\" or "|". The lines below it are its output, where "..." stands for any lines. In a block without any output the
# commands only have to succeed. README and the pages of section 7 have an example with its output.
set -u

: "${B:?the build directory}"
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

texts= manuals=
for page in README.md tui/README.md cmds/README.md dump/README.md tests/README.md; do
	[ ! -e $page ] || texts="$texts $page"
done
for page in tui/tensordbg*.[17]; do
	[ ! -e "$page" ] || manuals="$manuals $page"
done

# README is short, the other pages are, too.
for page in $texts; do
	most=150
	[ $page != README.md ] || most=250
	if [ "$(wc -l <$page)" -le $most ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$page has more than $most lines"
	fi
done

# README names every recorder.
for name in $("$B/tensordbg" --recorder list --format=csv | sed '1d; s/,.*//'); do
	if grep -q "^|.*\`$name\`" README.md; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "README.md: no recorder $name"
	fi
done

# Links lead to files.
for page in $texts; do
	for link in $(grep -o '](\([^)#:]*\))' $page | tr -d '](' | tr -d ')'); do
		if [ -e "$(dirname $page)/$link" ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "$page: no file $link"
		fi
	done
done

# Keys of the sheet, in its first column.
"$B/tests/tool_manual" keys | sed -n 's/^\.It //p' | sed 's/ , /\n/g' | sed 's/^Ic //; s/^\\&//' >"$scratch/keys"
# shellcheck disable=SC2086
cat $texts | sed -n '/^<!-- keys -->/,/^<!-- end of keys -->/s/^| \(`[^|]*`\) |.*/\1/p' | grep -o '`[^`]*`' | tr -d '`' >"$scratch/sheet"
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
	# shellcheck disable=SC2086
	line=$(cat $texts | grep -E "^\| .*${column#* } (install|add|-S) ")
	for package in $(sed -n '/^	build /p' tests/deps.sh | awk -v at="${column%% *}" '{ print $at }' | tr ',\n' '  '); do
		case "$package $line" in
		"- "*|*[\ \`]"$package"[\ \`]*) passed=$((passed + 1)) ;;
		*) failed=$((failed + 1)); echo "${column#* }: no $package in a page" ;;
		esac
	done
done

# Python: each block is a program that compiles, and so is each recorder.
if command -v python3 >/dev/null; then
	for name in $("$B/tensordbg" --recorder list --format=csv | sed '1d; s/,.*//'); do
		"$B/tensordbg" --recorder "$name" >"$scratch/record_$name.py"
	done
	# shellcheck disable=SC2086
	awk -f tests/blocks.awk $texts $manuals | awk -v dir="$scratch" '
		/^```python/ { name = sprintf("%s/%d.py", dir, ++n); next }
		/^```/ { name = "" }
		name { print > name }'
	for block in "$scratch"/*.py; do
		if python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$block"; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
		fi
	done
fi

# shown GOT WANTED: whether what an example prints is what the page says.
shown() {
	awk '
		NR == FNR { got[++n] = $0; next }
		$0 == "..." { any = 1; next }
		{
			at++
			while (any && at <= n && got[at] != $0) at++
			any = 0
			if (got[at] != $0) { print "line " FNR ": " $0; print "got: " got[at]; bad = 1; exit }
		}
		END { exit bad || (!any && at != n) }' "$1" "$2"
}

# Each page has a directory, where its examples find recordings, and each example a file N.sh there. N.shown has what the
# page shows below it; there is none if its whole block shows nothing.
mkdir "$scratch/bin" && ln -s "$B/tensordbg" "$scratch/bin/tensordbg"
for page in $texts $manuals; do
	at="$scratch/in/$page" with_output=0
	mkdir -p "$at/examples"
	ln -s "$PWD/testdata" "$PWD/tests" "$at"
	ln -s "$PWD/testdata/mnist_nan" "$at/dump"
	ln -s "$PWD/testdata/profile/linear" "$at/profile"
	awk -f tests/blocks.awk $page | awk -v dir="$at/examples" '
		function end_block() {
			for (i = first; any && i <= n; i++)
				printf "%s", shown[i] > sprintf("%s/%03d.shown", dir, i)
			first = n + 1
			any = inside = goes_on = 0
		}
		BEGIN { first = 1 }
		/^```/ { end_block(); next }
		goes_on || /^\$ tensordbg / {
			if (!goes_on) { inside = 1; n++; sub(/^\$ /, "") }
			print > sprintf("%s/%03d.sh", dir, n)
			goes_on = /[\\|]$/
			next
		}
		/^\$ / { inside = 0 }
		inside { shown[n] = shown[n] $0 "\n"; any = 1 }'
	for script in "$at/examples"/*.sh; do
		[ -e "$script" ] || continue
		wanted="${script%.sh}.shown"
		if grep -q '\<jq ' "$script" && ! command -v jq >/dev/null; then
			echo "skipped: $page has an example for jq, which is not installed"
			continue
		fi
		(cd "$at" && HOME="$scratch" PATH="$scratch/bin:$PATH" sh "$script") >"$scratch/got" 2>&1 </dev/null
		status=$?
		if [ -e "$wanted" ]; then
			with_output=1
			shown "$scratch/got" "$wanted"
		else
			[ $status = 0 ] || { cat "$scratch/got" && false; }
		fi
		if [ $? = 0 ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "$page: differs: $(cat "$script")"
		fi
	done
	case $page$with_output in
	README.md0 | *.70)
		failed=$((failed + 1))
		echo "$page: no example with its output"
		;;
	esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
