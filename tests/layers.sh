#!/bin/sh
# The rules of the house that a compiler does not check, over the tree at $1 (this one) and the
# objects made of it at $B: includes point down and form no cycle, rooms (folders) call each other in
# one direction, libraries stay in their fence, banned functions stay out, each .c includes its own
# header first, lines have at most 100 columns, lists in the comments of headers have one item a line,
# nothing new at the top. One line a finding. Without an argument it first shows on small trees that
# it would find each of them.
set -u
export LC_ALL=C

sources() { find dump cmds tui tests -name '*.[ch]' 2>/dev/null | sort; }
program() { find dump cmds tui -name '*.[ch]' 2>/dev/null | sort; }

# "FILE TARGET" for each include of a project file or a library.
includes() {
	sources | xargs -r grep -HE '^[[:space:]]*#[[:space:]]*include' |
		sed -n -E 's,^([^:]*):[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]*)[">].*,\1 \2,p'
}

# The rooms of cmds/ from the bottom; what lies in none is above them.
rooms='lang doc array summary session graph profile/tfprof profile/export profile program tensor origins runs overview rest'

# A tests/ file may include everything. What no prefix names is a library or libc.
arrows() {
	awk -v rooms="$rooms" '
	function rank(path, i, n, room) {
		sub(/^cmds\//, "", path)
		sub(/\/?[^\/]*$/, "", path)
		n = split(rooms, room)
		for (i = 1; i <= n; i++) if (path == room[i]) return i / 100
		return 0.99
	}
	function layer(path) {
		if (path ~ /^dump\/base\//) return 1
		if (path ~ /^dump\//) return 2
		if (path ~ /^cmds\//) return 3 + rank(path)
		if (path ~ /^tui\//) return 4
		if (path ~ /^tests\//) return 5
		return 0
	}
	{
		from = layer($1); to = layer($2)
		if (to > from) print $1 ": includes " $2 ", which is above it"
		if (from == 4 && to == 2) print $1 ": includes " $2 "; tui/ sees dumps through cmds/ only"
	}'
}

fences() {
	awk '
	function bad(what) { print $1 ": includes " $2 "; " what }
	$1 ~ /^tests\// && $2 !~ /pb-c\.h$/ { next }
	$2 ~ /^(ncurses|curses|ncursesw|term\.h|panel)/ && $1 !~ /^tui\// { bad("curses is for tui/") }
	$2 ~ /^readline\// && $1 !~ /^tui\/(editor|prompt|line)\.c$/ { bad("readline is for tui/editor.c, tui/prompt.c and tui/line.c") }
	$2 ~ /^pcre2/ && $1 != "cmds/lang/pattern.c" { bad("PCRE2 is for cmds/lang/pattern.c") }
	$2 == "zlib.h" && $1 !~ /^dump\/format\/(gzip|crc32)\.c$/ {
		bad("zlib is for gzip.c and crc32.c of dump/format/")
	}
	$2 ~ /^archive(_entry)?\.h$/ && $1 !~ /^dump\/format\/(stream\.[ch]|tar\.c|zstd\.c)$/ {
		bad("libarchive is for stream.c, tar.c and zstd.c of dump/format/")
	}
	$2 == "sqlite3.h" && $1 != "dump/format/database.c" { bad("SQLite is for dump/format/database.c") }
	($2 ~ /protobuf-c/ || $2 ~ /pb-c\.h$/) && $1 != "dump/format/decode.c" { bad("protobuf-c is for dump/format/decode.c") }
	$2 ~ /^libiberty\// && $1 != "dump/profile/demangle.c" { bad("libiberty is for dump/profile/demangle.c") }
	$2 ~ /^(check|vterm)\.h$/ { bad("check and vterm are for tests/") }'
}

# x.c and x.h are one module. A part may know the whole it belongs to: x.c includes part.h, which
# includes x.h; any other loop is a finding. tsort names each loop it meets.
cycles() {
	awk '
	$2 ~ /^(dump|cmds|tui|tests)\// {
		from = to = $1
		sub(/\.[ch]$/, "", from)
		to = $2
		sub(/\.h$/, "", to)
		if (from == to) next
		edge[from " " to]
		if ($1 ~ /\.c$/) by_source[from " " to]
		else by_header[from " " to]
	}
	END {
		for (e in edge) {
			split(e, end)
			back = end[2] " " end[1]
			of_part = e in by_header && !(e in by_source) && back in by_source && !(back in by_header)
			if (!of_part) print e
		}
	}' | sort | tsort 2>&1 >/dev/null | awk '
	/contains a loop/ { if (loop) print loop; loop = "cycle of includes:"; next }
	{ loop = loop " " $2 }
	END { if (loop) print loop }'
}

# A room is a folder. "ROOM ROOM" for each symbol that an object of one takes from an object of
# another; tsort names each loop. Objects whose source is gone don't count.
calls() {
	program | sed -n 's,\.c$,.o,p' | while read -r object; do
		[ ! -f "$1/$object" ] || echo "$1/$object"
	done | xargs -r nm -A -P 2>/dev/null | awk -v at="$1/" '
	{
		room = substr($1, length(at) + 1)
		sub(/\/[^\/]*$/, "", room)
		if ($3 == "U") needs[room " " $2]
		else if ($3 ~ /^[A-Z]$/) home[$2] = room
	}
	END {
		for (n in needs) {
			split(n, end)
			if (end[2] in home && home[end[2]] != end[1]) print end[1], home[end[2]]
		}
	}' | sort -u | tsort 2>&1 >/dev/null | awk '
	/contains a loop/ { if (loop) print loop; loop = "cycle of calls:"; next }
	{ loop = loop " " $2 }
	END { if (loop) print loop }'
}

# "FILE:LINE:..." becomes "FILE:LINE: $1".
put_lines() { sed "s,^\([^:]*:[0-9]*\):.*,\1: $1,"; }

banned() {
	sources | xargs -r grep -HnE \
		'(^|[^a-zA-Z0-9_.>])(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|gets|tmpnam)[[:space:]]*\(' |
		put_lines 'calls a banned function'
}

# One module writes files, one starts threads, one writes to standard error; /dev/null and
# /dev/tty are no files.
one_writer() {
	program | grep -v '^dump/base/writer\.c$' | xargs -r grep -HnE \
		'(fopen|freopen)[[:space:]]*\(.*"[wa]|O_CREAT|O_TRUNC|(^|[^a-z_])rename[[:space:]]*\(' |
		grep -v '"/dev/' | put_lines 'writes a file past dump/base/writer.c'
	program | grep -v '^dump/base/thread\.c$' | xargs -r grep -Hn 'pthread_create[[:space:]]*(' |
		put_lines 'starts a thread past dump/base/thread.c'
	program | grep -v '^dump/base/say\.c$' | xargs -r grep -HnE \
		'(^|[^a-z_])perror[[:space:]]*\(|fprintf\(stderr, "[^"]*%s' |
		put_lines 'writes text to standard error past dump/base/say.c'
}

own_header_first() {
	program | awk '
	!listed { if (!($1 in first)) first[$1] = $2; next }
	{ own = $0; sub(/\.c$/, ".h", own); if (own == $0) header[own]; else source[own] = $0 }
	END {
		for (own in source) if (own in header && first[source[own]] != own)
			print source[own] ": does not include " own " first"
	}' "$scratch/includes" listed=1 -
}

# A tab goes to the next eighth column; of a character in UTF-8 only the first byte counts.
widths() {
	# shellcheck disable=SC2046
	awk '{
		rest = $0
		gsub(/[\200-\277]/, "", rest)
		for (width = 0; (at = index(rest, "\t")) > 0; rest = substr(rest, at + 1))
			width += at - 1 + 8 - (width + at - 1) % 8
		if (width + length(rest) > 100)
			print FILENAME ":" FNR ": is wider than 100 columns"
	}' $(sources) /dev/null
}

# Lists in the comments of headers have one item a line. An item begins with a label and two blanks
# ("rows   lines known so far"), with one word ("Limits. ", "Source: "), or with the parameters of a
# list ("X(id, name)"). Example code is indented by a tab, a table by two blanks or more. A quoted
# text counts as a word, or as two if it has a blank.
comments() {
	# shellcheck disable=SC2046
	awk '
	function finding(line, what) { print FILENAME ":" line ": " what }
	function is_labeled_late(text, n, i, run) {
		if (text !~ /^  /) {
			sub(/^ *[A-Za-z0-9_.]+(, [A-Za-z0-9_.]+)*   */, "", text)
			return text ~ /[^ ]   *[^ ]/
		}
		sub(/^ */, "", text)
		n = split(text, run, /   */)
		for (i = 1; i < n; i++) if (run[i] ~ /[^ ] [^ ]+ [^ ]+ [^ ]/) return 1
		return 0
	}
	function comment_line(text) {
		if (text ~ /^\t/) text = ""
		if (is_labeled_late(text)) finding(FNR, "a label behind other text")
		if (text ~ /[.!?] [A-Z][A-Za-z_]*\.( |$)/) finding(FNR, "a one-word sentence behind other text")
		if (is_alone && text !~ /^ *$/ &&
			text !~ /^ *([A-Za-z0-9_.]+(, [A-Za-z0-9_.]+)*  |[A-Z][A-Za-z]*[.:] |[A-Z]+\()/)
			finding(FNR - 1, "one word in the middle of a paragraph")
		is_alone = text ~ /^ *[^ ]+ *$/
	}
	{
		gsub(/"[^" ]*"/, "_")
		gsub(/"[^"]*"/, "_ _")
		if (inside && !sub(/^[ \t]*\*\//, "*/")) sub(/^[ \t]*\*?/, "")
		while (inside || index($0, "/*")) {
			if (!inside) $0 = substr($0, index($0, "/*") + 2)
			inside = 1
			end = index($0, "*/")
			text = end ? substr($0, 1, end - 1) : $0
			sub(/[ \t]*$/, "", text)
			comment_line(text)
			if (!end) break
			inside = is_alone = 0
			$0 = substr($0, end + 2)
		}
	}' $(sources | grep '\.h$') /dev/null
}

# A mutant whose lines have changed would test nothing.
mutants() {
	for mutant in tests/mutants/*.patch; do
		[ ! -f "$mutant" ] || patch --dry-run -f -s -p1 <"$mutant" >/dev/null 2>&1 ||
			echo "$mutant: does not apply"
	done
}

top_level() {
	for entry in *; do
		case $entry in
		Makefile|README.md|COPYING|tui|cmds|dump|tests|testdata|build|build-*) ;;
		debian) ;; # where a package for Debian is built
		*) echo "$entry: does not belong at the top" ;;
		esac
	done
}

findings() (
	cd "$1" || exit 1
	calls "$2"
	includes >"$scratch/includes"
	arrows <"$scratch/includes"
	fences <"$scratch/includes"
	cycles <"$scratch/includes"
	banned
	one_writer
	own_header_first
	widths
	comments
	mutants
	top_level
)

passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# finds WHAT FILE TEXT [FILE TEXT]: a tree of these files gives exactly one finding, about WHAT.
finds() {
	what=$1
	shift
	rm -rf "$scratch/tree"
	while [ $# -gt 0 ]; do
		mkdir -p "$scratch/tree/$(dirname "$1")"
		printf '%b' "$2" >"$scratch/tree/$1"
		shift 2
	done
	[ -z "${compiled-}" ] || (cd "$scratch/tree" && for file in */*/*.c; do ${CC:-cc} -c -o "${file%.c}.o" "$file"; done)
	found=$(findings "$scratch/tree" .)
	case ${found:-none} in
	"$what"*) passed=$((passed + 1)) ;;
	*) failed=$((failed + 1)); echo "self-test: wanted \"$what\", got \"$found\"" ;;
	esac
}

if [ $# = 0 ]; then
	finds 'dump/a.c: includes cmds/b.h, which' dump/a.c '#include "cmds/b.h"\n'
	finds 'cmds/a.h: includes tui/b.h, which' cmds/a.h '#include "tui/b.h"\n'
	finds 'cmds/doc/a.c: includes cmds/array/b.h, which' cmds/doc/a.c '#include "cmds/array/b.h"\n'
	finds 'cmds/runs/a.c: includes cmds/table.h, which' cmds/runs/a.c '#include "cmds/table.h"\n'
	finds none cmds/profile/a.c '#include "cmds/profile/tfprof/b.h"\n#include "cmds/lang/c.h"\n'
	finds 'tui/a.c: includes dump/run.h; tui/' tui/a.c '#include "dump/run.h"\n#include "dump/base/err.h"\n'
	finds 'cmds/a.c: includes curses.h; ' cmds/a.c '# include <curses.h>\n'
	finds 'tui/app.c: includes readline/' tui/app.c '#include <readline/readline.h>\n'
	finds 'cmds/lang/args.c: includes pcre2.h; ' cmds/lang/args.c '#include <pcre2.h>\n'
	finds 'cmds/a.c: includes libiberty/' cmds/a.c '#include <libiberty/demangle.h>\n'
	finds 'dump/files/a.c: includes archive.h; ' dump/files/a.c '#include <archive.h>\n'
	finds 'dump/profile/a.c: includes sqlite3.h; ' dump/profile/a.c '#include <sqlite3.h>\n'
	finds 'dump/a.c: includes dump/proto/x.pb-c.h; ' dump/a.c '#include "dump/proto/x.pb-c.h"\n'
	finds 'tui/a.c: includes check.h; ' tui/a.c '#include <check.h>\n'
	finds 'cycle of includes: dump/a dump/b' dump/a.h '#include "dump/b.h"\n' dump/b.h '#include "dump/a.h"\n'
	finds 'cycle of includes: dump/a dump/b' dump/a.h '\n' dump/a.c '#include "dump/a.h"\n#include "dump/b.h"\n' \
		dump/b.h '\n' dump/b.c '#include "dump/b.h"\n#include "dump/a.h"\n'
	finds none dump/a.h '\n' dump/a.c '#include "dump/a.h"\n#include "dump/part.h"\n' \
		dump/part.h '#include "dump/a.h"\n'
	compiled=yes finds 'cycle of calls: cmds/doc cmds/lang' cmds/lang/a.c 'int b(void); int a(void) { return b(); }\n' \
		cmds/doc/b.c 'int a(void); int b(void) { return a(); }\n'
	compiled=yes finds none cmds/lang/a.c 'int a(void) { return 1; }\n' cmds/doc/b.c 'int a(void); int b(void) { return a(); }\n' \
		cmds/doc/c.c 'int b(void); int c(void) { return b(); }\n'
	finds 'dump/a.c:2: calls a banned' dump/a.c '\n\tstrcpy(a, b);\n'
	finds 'dump/a.c:1: writes a file' dump/a.c 'out = fopen(path, "we");\n'
	finds 'dump/a.c:1: writes a file' dump/a.c 'if (rename(beside, path) != 0)\n'
	finds 'tui/a.c:1: writes text' tui/a.c 'fprintf(stderr, "tensordbg: %%s\\n", path);\n'
	finds 'dump/a.c:1: starts a thread' dump/a.c 'pthread_create(&thread, NULL, work, NULL);\n'
	finds none tui/a.c 'out = fopen("/dev/null", "w");\n' dump/base/writer.c 'fd = open(name, O_CREAT);\n'
	finds 'dump/a.c: does not include dump/a.h first' dump/a.h '\n' dump/a.c '#include <stdio.h>\n#include "dump/a.h"\n'
	columns_96=$(printf '%096d' 0)
	finds none dump/a.c "\n/*\303\251${columns_96#0}*/\n"
	finds 'dump/a.c:2: is wider' dump/a.c "\n/*\303\251$columns_96*/\n"
	finds 'dump/a.c:1: is wider' dump/a.c "  \tint a${columns_96#00000000};\n"
	label='a label behind other text' sentence='a one-word sentence behind' word='one word in the middle'
	finds "dump/a.h:2: $label" dump/a.h '/*\n * May be NULL. rows   all lines\n * line   one\n */\n'
	finds "cmds/a.h:1: $label" cmds/a.h 'int a;   /* rows   lines  known */\n'
	finds "tui/a.h:3: $label" tui/a.h '/*\n * line   makes a line\n *        for this pane work   goes on\n */\n'
	finds "tests/a.h:2: $sentence" tests/a.h '/*\n * Nothing fails. Limits. Names are cut,\n * and lists, too.\n */\n'
	finds "dump/a.h:1: $sentence" dump/a.h '/* The name (in full). Borrowed. */\n'
	finds "dump/a.h:3: $word" dump/a.h '/*\n * drop   from 1 on, until the name (the\n * last\n *        column) is reached\n */\n'
	finds "dump/a.h:2: $word" dump/a.h '/*\n * "inputs"\n * of a node\n */\n'
	finds none dump/a.h '/*\n * The rows of a list.\n * Source: a\n * list.\n * Limits. Ten of them in every\n * list.\n * rows, line   all, "of  two"\n *        words.\n * X(id, name)\n *\n * One.\n */\n'
	finds none dump/a.h '/* None. */\n/*\n * Two  words\n *\tmore(a,  b);\n *\telse\n *\t\treturn;\n *\n *     12 + L  4  its sum\n * last\n */\nint a;  /* "x  y" */ /* one */\nint b;  /* two */\n'
	mutant='t: m\n--- a/dump/a.c\n+++ b/dump/a.c\n@@ -1 +1 @@\n-int a;\n+int b;\n'
	finds none dump/a.c 'int a;\n' tests/mutants/m.patch "$mutant"
	finds 'tests/mutants/m.patch: does not apply' dump/a.c 'int c;\n' tests/mutants/m.patch "$mutant"
	finds 'notes.txt: does not belong' notes.txt 'x'
	finds none dump/a.h '\n' dump/a.c '#include "dump/a.h"\n/* no strcpy, no my_atoi() */\nint my_atoi(void);\n'
	set -- "$(dirname "$0")/.."
fi

found=$(findings "$1" "${B:-build}")
if [ -n "$found" ]; then
	echo "$found"
	failed=$((failed + $(echo "$found" | wc -l)))
else
	passed=$((passed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
