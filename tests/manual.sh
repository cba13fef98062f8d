#!/bin/sh
# The man pages and the completions agree with the program: the parts of a page between markers come from the program's
# tables, options are those of --help, every command and key stands in its list once, and mandoc finds no flaw in any page.
# All links between the pages as HTML lead somewhere. --write rewrites the parts, and the commands in the completions.
set -u

: "${B:?the build directory}"
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C.UTF-8
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
page=tui/tensordbg.1
passed=0 failed=0

pages="$page $(echo tui/tensordbg-*.7)"
parts='command_list commands keys expressions recorders recorder_costs'
for part in $parts; do
	"$B/tests/tool_manual" $part >"$scratch/$part" || exit 1
done
mkdir "$scratch/pages"
for file in $pages; do
	awk -v dir="$scratch" '
		$1 == ".\\\"" && $2 == "end" { inside = 0 }
		!inside { print }
		$1 == ".\\\"" && $2 == "begin" {
			inside = 1
			while ((getline line < (dir "/" $3)) > 0) print line
		}' "$file" >"$scratch/pages/${file#tui/}"
done

# with_words NAME FILE: a completion, the words of its variable NAME replaced by those on standard input.
with_words() {
	awk -v name="$1" -v words="$(tr '\n' ' ')" '
		index($0, "local " name "=") {
			indent = $0
			sub(/local.*/, "\t", indent)
			line = substr($0, 1, index($0, "=")) "\047"
			n = split(words, word, " ")
			for (i = 1; i <= n; i++) {
				if (length(line word[i]) > 90) { print line; line = indent }
				line = line (line ~ /[\t\047]$/ ? "" : " ") word[i]
			}
			print line "\047"
			inside = 1
		}
		!inside { print }
		/\047$/ { inside = 0 }' "$2"
}
command_names() { sed -n 's/^\.Ss //p' "$scratch/commands" | tr -d ','; }
recorder_names() { sed -n 's/^\.It Cm //p' "$scratch/recorders"; echo list; }

if [ "${1:-}" = --write ]; then
	cp "$scratch"/pages/* tui/
	for file in tui/completion.bash tui/_tensordbg; do
		command_names | with_words commands $file >"$scratch/file" &&
			recorder_names | with_words recorders "$scratch/file" >$file
	done
	exit 0
fi

# same WHAT WANTED GOT: two files.
same() {
	if diff -u "$2" "$3" >"$scratch/diff"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$1:"
		cat "$scratch/diff"
	fi
}

words() { tr -cs 'a-z_-' '\n' | sed '/^$/d' | sort -u; }

for file in $pages; do
	same "$file is not of these tables: make manual" "$scratch/pages/${file#tui/}" "$file"
done
for part in $parts; do
	if grep -q "^\.\\\\\" begin $part\$" $pages; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "no page has the part $part"
	fi
done
awk '/^\.Ss/ { heading = $0 } /^\.It/ && seen[heading $0]++ { print heading ": " $0 }' "$scratch/keys" >"$scratch/twice"
: >"$scratch/nothing"
same 'keys that stand twice below one heading' "$scratch/nothing" "$scratch/twice"

"$B/tensordbg" --help | sed -n -E 's/^ {2,6}(-(.), )?--([a-z-]*).*/-\2 --\3/p' | tr ' ' '\n' | sed '/^-$/d' |
	sort >"$scratch/options"
[ -s "$scratch/options" ] || failed=$((failed + 1))
awk '/^\.Sh/ { inside = $2 == "OPTIONS" } inside && /^\.It Fl/ {
	for (i = 2; i <= NF; i++) if ($i == "Fl") print "-" $(i + 1) }' $page | sort >"$scratch/in_page"
same 'options in the man page' "$scratch/options" "$scratch/in_page"
# The synopsis has each option once, by its letter if it has one; its last line has those that print something and end.
printf 'V\nh\n' >"$scratch/end"
"$B/tensordbg" --help | sed -n -E 's/^  (-(.), )? *--([a-z-]*).*/\2 -\3/p' | sed 's/^ //; s/^\(.\) .*/\1/' | sort >"$scratch/once"
awk '/^\.Sh/ { inside = $2 == "SYNOPSIS" } /^\.Cm/ { exit } inside && /^\.Op Fl/ { print $3 }' $page |
	cat - "$scratch/end" | sort >"$scratch/in_synopsis"
same 'options in the synopsis' "$scratch/once" "$scratch/in_synopsis"
sed -n "/^\t\t\t\(summarize\|merge\))/,/;;/s/.*options='\(.*\)' ;;/\1/p" tui/completion.bash | tr -d = | tr ' ' '\n' |
	sort -u >"$scratch/of_summaries"
sed -n '/^\.It Fl/p' tui/tensordbg-summary.7 | grep -o 'Fl [^ ]*' | sed 's/Fl /-/' | sort >"$scratch/in_page"
same 'options of summarize and merge' "$scratch/of_summaries" "$scratch/in_page"
sed -n "/local options='/,/'$/p" tui/completion.bash | sed "s/.*options='//" | tr -d "='" | tr -s '\t ' '\n' |
	sed '/^$/d' | sort >"$scratch/in_bash"
same 'options in completion.bash' "$scratch/options" "$scratch/in_bash"
sed -n '/^_arguments/,$p' tui/_tensordbg | grep -oE "(^|['{,)*])--?[a-zA-Z][a-z-]*" | grep -oE -- '--?[a-zA-Z-]+' |
	sort -u >"$scratch/in_zsh"
same 'options in _tensordbg' "$scratch/options" "$scratch/in_zsh"

command_names | words >"$scratch/commands.words"
recorder_names | sort -u >"$scratch/recorders.words"
for file in tui/completion.bash tui/_tensordbg; do
	for what in commands recorders; do
		awk -v name="$what" 'sub(".*local " name "=.", "") { inside = 1 }
			inside { print }
			/\047$/ { inside = 0 }' $file | tr -d "'" | tr -s '\t ' '\n' | sed '/^$/d' | sort -u >"$scratch/in_file"
		same "$what in $file" "$scratch/$what.words" "$scratch/in_file"
	done
done

# lint WHAT COMMAND...: where the tool is installed it says nothing.
lint() {
	what=$1
	shift
	command -v "$1" >/dev/null || return
	"$@" >"$scratch/said" 2>&1
	# Which other pages there are is the machine's business.
	grep -v -e 'referenced manual not found' -e 'outdated mandoc.db' "$scratch/said" >"$scratch/flaws"
	same "$what" "$scratch/nothing" "$scratch/flaws"
}

for file in $pages; do
	lint "$file" mandoc -T lint "$file"
	lint "$file at 80 columns" groff -mandoc -ww -Tutf8 -rLL=78n -P-c -z "$file"
done
lint tui/_tensordbg zsh -n tui/_tensordbg

# As HTML: a file for each page, all of them on the first one, and no link leads nowhere.
if command -v mandoc >/dev/null; then
	tui/html.sh "$scratch/html" $pages >"$scratch/said" 2>&1
	same 'tui/html.sh says' "$scratch/nothing" "$scratch/said"
	(cd "$scratch/html" && ls) >"$scratch/got"
	{ echo index.html; for file in $pages; do echo "${file#tui/}.html"; done; } | sort >"$scratch/wanted"
	same 'files of the pages as HTML' "$scratch/wanted" "$scratch/got"
	grep -v index.html "$scratch/wanted" >"$scratch/listed"
	grep -o 'href="[^"#]*' "$scratch/html/index.html" | sed 's/.*"//' | sort >"$scratch/got"
	same 'links of index.html' "$scratch/listed" "$scratch/got"
	grep -ho 'href="[^"]*' "$scratch"/html/*.html | sed 's/.*"//' | grep -v -e '^#' -e '^man:' | sort -u |
		comm -23 - "$scratch/wanted" >"$scratch/got"
	same 'links that lead nowhere' "$scratch/nothing" "$scratch/got"
	for file in $pages; do
		[ "$file" = $page ] || echo "${file#tui/}.html"
	done | sort >"$scratch/others"
	grep -o 'href="tensordbg-[^"#]*' "$scratch/html/tensordbg.1.html" | sed 's/.*"//' | sort -u >"$scratch/got"
	same 'pages that tensordbg(1) refers to' "$scratch/others" "$scratch/got"
fi

# offers WORD...: what bash completes the last word to.
offers() {
	bash -c '. tui/completion.bash
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_tensordbg && printf "%s\n" "${COMPREPLY[@]}"' bash tensordbg "$@" | sort | tr '\n' ' '
}

# completes WANTED WORD...
completes() {
	wanted=$1
	shift
	got=$(offers "$@")
	if [ "$got" = "$wanted" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "bash completes $*: wanted \"$wanted\", got \"$got\""
	fi
}

# Options whose value is no file, as --help names it, offer no files.
values() { "$B/tensordbg" --help | sed -n 's/^ .*\(--[a-z-]*\)=\([^ ]*\) .*/\1 \2/p' | grep "$@" -e ' FILE' -e ' OLD'; }

if command -v bash >/dev/null; then
	values -v | while read -r option value; do
		[ "$option" = --source-map ] || printf '%s: %s\n' "$option" "$(offers "$option" = tui/op)"
	done | grep options.c >"$scratch/flaws"
	same 'bash offers files' "$scratch/nothing" "$scratch/flaws"
	values | while read -r option value; do
		printf '%s: %s\n' "$option" "$(offers "$option" = tui/op)"
	done | grep -v 'tui/options.c tui/options.h $' >"$scratch/flaws"
	same 'bash offers no files' "$scratch/nothing" "$scratch/flaws"
	completes 'bfloat16 ' --as = bf
	completes ' ' summarize x --shard = 1
	completes 'summarize ' summar
	completes '--shard= ' summarize x --sh
	completes '--keep-going ' --ke
	completes '--screen= --script= --slow --source-map= --stacks= ' --s
	completes 'csv ' --format = c
	completes 'csv doc json text ' --format =
	completes 'list_alerts list_executions list_graphs list_inputs list_outputs list_profile list_source list_tensors ' -c list
	completes 'always auto ' --color = a
	completes 'tui/options.c tui/options.h ' -x tui/op
	completes 'testdata ' -c lt testd
	completes 'tui/options.c tui/options.h ' tui/op
	completes 'session ' --recorder = se
	completes ' ' --width = 4
fi
values -v | while read -r option value; do
	grep -e "'\**$option=.*:_files" tui/_tensordbg
done >"$scratch/flaws"
same 'zsh offers files' "$scratch/nothing" "$scratch/flaws"
values | while read -r option value; do
	grep -q -e "$option=.*:_files" tui/_tensordbg || echo "$option"
done >"$scratch/flaws"
same 'zsh offers no files' "$scratch/nothing" "$scratch/flaws"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
