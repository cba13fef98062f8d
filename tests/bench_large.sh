#!/bin/sh
# How time and memory grow with what is opened: a line for each kind of work, with its CPU time at
# each size (of "frame", the first one: how long it took), what an item of the largest costs, the
# exponent from the smallest size to the largest (1: in proportion; at most 1.05, or what the plainest
# way to do it has here and now, where the system's own caches end), and how many times that way it is.
#
#   tests/bench_large.sh [dump|program|runs|graph|summary]...
#
# What is made for it is kept in $LARGE ($B/bench-large): a million small files, and 4 GB.
set -eu

: "${B:?the build directory}"
export LC_ALL=C.UTF-8
tensordbg="$B/tensordbg" tools="$B/tests"
made="${LARGE:-$B/bench-large}" most_exponent=1.05 beside= best_of=3
mkdir -p "$made"
notes=$(mktemp)
trap 'rm -f "$notes" "$notes.cpu"' EXIT

# make NAME COMMAND...: $made/NAME, unless it is there; "part" in the command is what it is made as.
make() {
	[ -e "$made/$1" ] && return
	name=$1
	shift
	rm -rf "$made/part"
	"$@"
	mv "$made/part" "$made/$name"
}

# note CASE N MS [MB [BESIDE BESIDE_MS]]
note() { echo "$@" >>"$notes"; }

# cpu COMMAND...: $ms of CPU, and $mb, the best of $best_of runs.
cpu() {
	"$tools/tool_time" case "$best_of" "$@" >"$notes.cpu"
	read -r _ _ _ mb _ ms _ <"$notes.cpu"
}

# session PREFIX N PATH [NAME COMMAND]...: loading and the commands, best of three.
session() {
	prefix=$1 n=$2 path=$3
	shift 3
	"$tools/tool_session" --cpu 3 "$path" "$@" | while read -r name first _ best _ mb _; do
		case $name in
		load) note "$prefix opened" "$n" "$best" "$mb" $beside ;;
		*) note "$prefix $name" "$n" "$first" "$mb" ;;
		esac
	done
}

# frame PREFIX N TEXT OPTION... PATH
frame() {
	prefix=$1 n=$2 text=$3
	shift 3
	ms=$("$tools/tool_frame" frame 3 "$text" "$tensordbg" --screen=modern "$@" |
		awk '{ print $2 }')
	note "$prefix frame" "$n" "$ms" -
}

dumps() {
	for n in 10000 100000 1000000; do
		make "dump_$n" "$tools/tool_gen_dump" "$made/part" --tensors=$n --nodes=$n --bytes=4
		dump="$made/dump_$n"
		cpu sh -c "find '$dump' -printf '%s %T@ %p\n' | wc -l"
		note "dump find" "$n" "$ms" -
		beside="find $ms"
		session dump "$n" "$dump" list lt size 'lt -s dump_size' match 'lt -n .*Relu' du du
		if command -v pcre2grep >/dev/null; then
			find "$dump" -name '*_0_DebugIdentity_*' -printf '%P\n' |
				sed 's,^[^/]*/,,; s,_0_DebugIdentity_[0-9]*$,,' >"$made/names"
			cpu sh -c "pcre2grep -c '.*Relu' '$made/names'"
			note "dump grep" "$n" "$ms" -
		fi
		frame dump "$n" 'dumped tensor' "$dump"
	done
}

programs() {
	for n in 100000 1000000 10000000; do
		make "program_$n" "$tools/tool_gen_program" "$made/part" "$n"
		program="$made/program_$n"
		cpu "$tools/tool_scan" --crc32c "$program"/*
		note "program scan" "$n" "$ms" -
		beside="scan $ms"
		session program "$n" "$program" list lx step 'lt --step 500' bad 'lx -f has_nan' \
			all 'lt --all-steps' alerts la
		frame program "$n" exec "$program"
	done
}

roots() {
	for n in 1000 10000 100000; do
		make "runs_$n" "$tools/tool_gen_dump" "$made/part" --tensors=8 --runs=$n --nan=1
		root="$made/runs_$n"
		cpu find "$root" -maxdepth 1 -type d -printf '%f\n'
		note "runs find" "$n" "$ms" -
		beside="find $ms"
		session runs "$n" "$root" list runs to "run --to $n" \
			drift drift overview overview
		frame runs "$n" fetches "$root"
	done
}

graphs() {
	for n in 50000 500000 5000000; do
		make "graph_$n" "$tools/tool_gen_dump" "$made/part" --tensors=8 --nodes=$n
		graph="$made/graph_$n"
		cpu sh -c "cat '$graph'/*/_tfdbg_graph_* | cat"
		note "graph cat" "$n" "$ms" -
		beside="cat $ms"
		session graph "$n" "$graph" node 'ni tower_0/block_0/unit_0/add' \
			edges 'li -r tower_0/block_0/unit_0/conv/Conv2D' scopes 'graph'
		frame graph "$n" 'dumped tensor' "$graph"
	done
}

summarize() { "$tensordbg" summarize "$dump" -o "$made/part" "$@"; }

summaries() {
	for n in 10000 100000 1000000; do
		make "dump_$n" "$tools/tool_gen_dump" "$made/part" --tensors=$n --nodes=$n --bytes=4
		dump="$made/dump_$n" summary="$made/summary_$n" best_of=1
		cpu sh -c "find '$dump/' -type f -print0 | xargs -0 cat | wc -c"
		note "summary read" "$n" "$ms" -
		beside="read $ms"
		cpu "$tensordbg" summarize "$dump" -o "$made/part"
		mv "$made/part" "$summary"
		note "summary made" "$n" "$ms" "$mb" $beside
		best_of=3
		cpu sh -c "cat '$summary' | cat"
		note "summary cat" "$n" "$ms" -
		beside="cat $ms"
		session summary "$n" "$summary" list lt bad 'lt -f has_inf_or_nan' origins origins \
			overview overview
		for k in 1 2 3 4 5 6 7 8; do
			make "summary_$n.$k" summarize --shard=$k/8
		done
		cpu "$tensordbg" merge "$summary".* -o "$made/merged"
		note "summary merge" "$n" "$ms" "$mb" $beside
		cmp "$made/merged" "$summary"
		frame summary "$n" 'dumped tensor' "$summary"
	done
}

print_table() {
	awk -v most="$most_exponent" '
	function exponent(name, k) {
		k = n[name]
		return log((ms[name, k] + 0.001) / (ms[name, 1] + 0.001)) / \
			log(count[name, k] / count[name, 1])
	}
	{
		name = $1 " " $2
		if (!(name in n)) order[++rows] = name
		kind[name] = $1
		k = ++n[name]
		count[name, k] = $3; ms[name, k] = $4; mb[name, k] = $5
		if (NF > 6) { of[name] = $6; of_ms[name] = $7 }
	}
	END {
		for (i = 1; i <= rows; i++) {
			name = order[i]; k = n[name]
			printf "%-16s", name
			for (j = 1; j <= k; j++)
				printf "  %8d: %9.1f ms", count[name, j], ms[name, j]
			printf "  %8.3f us each", ms[name, k] * 1e3 / count[name, k]
			if (name ~ / (opened|made|merge)$/ && k > 1)
				printf ", %5.0f bytes", (mb[name, k] - mb[name, 1]) * 1048576 / \
					(count[name, k] - count[name, 1])
			if (k > 1) {
				e = exponent(name)
				bar = name in of ? exponent(kind[name] " " of[name]) : most
				bar = bar > most ? bar : most
				missed = e > bar ? ": MISSED" : ""
				printf "  exponent %.2f%s", e, missed
			}
			if (name in of) printf "  %.2f of %s", ms[name, k] / of_ms[name], of[name]
			print ""
		}
	}' "$notes"
}

[ $# -gt 0 ] || set -- dump program runs graph summary
for kind; do
	case $kind in
	dump) dumps ;;
	program) programs ;;
	runs) roots ;;
	graph) graphs ;;
	summary) summaries ;;
	*) echo "bench_large.sh: dump, program, runs, graph or summary" >&2; exit 2 ;;
	esac
done
print_table
