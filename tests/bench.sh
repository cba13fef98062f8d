#!/bin/sh
# One line per case: name, best wall time of a few runs, memory, how many times a limit that is (the
# plainest way to do the same work, measured here and now), and the most it may take. The first runs
# of a case fill the system's cache. Dumps are made once and kept in $B/bench (1.3 GB).
#
# Memory is the largest resident size of a process; of cases in one process, anonymous memory.
set -eu

: "${B:?the build directory}"
export LC_ALL=C.UTF-8
tensordbg="$B/tensordbg" tools="$B/tests" dumps="$B/bench"
mkdir -p "$dumps"

# dump NAME OPTION...: makes $dumps/NAME unless it is there.
dump() {
	[ -d "$dumps/$1" ] && return
	name=$1
	shift
	rm -rf "$dumps/part"
	"$tools/tool_gen_dump" "$dumps/part" "$@"
	mv "$dumps/part" "$dumps/$name"
}

# runs NAME N BAD OPTION...: a directory of N runs, the last BAD of them with a NaN.
runs() {
	[ -d "$dumps/$1" ] && return
	name=$1 n=$2 bad=$3
	shift 3
	rm -rf "$dumps/part"
	mkdir "$dumps/part"
	for i in $(seq 0 $((n - 1))); do
		"$tools/tool_gen_dump" "$dumps/part/run_$((1700000000000000 + i * 20000))_$i" "$@" \
			"--nan=$((i >= n - bad ? 1 : 0))"
	done
	mv "$dumps/part" "$dumps/$name"
}

# line NAME MS MB LIMIT LIMIT_MS BAR; "-" for what there is not. A bar is MS, or MS/MB.
line() {
	awk -v name="$1" -v ms="$2" -v mb="$3" -v limit="$4" -v limit_ms="$5" -v bar="$6" 'BEGIN {
		if (ms !~ /^[0-9.]+$/) {
			print name " failed"
			exit
		}
		printf "%-26s %9.1f ms", name, ms
		if (mb == "-") printf "%12s", "-"
		else printf " %8.1f MB", mb
		if (limit == "-") printf "  %29s", ""
		else printf "  %6.2f of %-6s %8.1f ms", ms / limit_ms, limit, limit_ms
		parts = split(bar, most, "/")
		if (bar != "-") printf "  at most %.1f ms", most[1]
		if (parts > 1) printf ", %.1f MB", most[2]
		if (bar != "-" && (ms + 0 > most[1] + 0 || (parts > 1 && mb + 0 > most[2] + 0))) printf ": MISSED"
		print ""
	}'
}

# measure RUNS COMMAND...: $ms, $mb and $cpu of the best run; false if it fails.
measure() {
	runs=$1
	shift
	times=$("$tools/tool_time" case "$runs" "$@") || return 1
	ms=$(echo "$times" | awk '{ print $2 }') mb=$(echo "$times" | awk '{ print $4 }')
	cpu=$(echo "$times" | awk '{ print $6 }')
}

# limit COMMAND...: $limit_ms.
limit() {
	measure 3 "$@"
	limit_ms=$ms
}

# bar FACTOR [MS]: so many times $limit_ms, and MS more.
bar() { awk -v f="$1" -v l="$limit_ms" -v more="${2:-0}" 'BEGIN { print f * l + more }'; }

# process NAME RUNS LIMIT BAR COMMAND...
process() {
	name=$1 runs=$2 of=$3 most=$4
	shift 4
	if measure "$runs" "$@"; then
		line "$name" "$ms" "$mb" "$of" "${limit_ms:--}" "$most"
	else
		echo "$name failed"
	fi
}

# cpu_time NAME RUNS BAR COMMAND...: the same, as CPU time.
cpu_time() {
	name=$1 runs=$2 most=$3
	shift 3
	if measure "$runs" "$@"; then
		line "${name}_cpu" "$cpu" "$mb" - - "$most"
	else
		echo "$name failed"
	fi
}

# frame NAME TEXT BAR [OPTION]... DUMP: in the style tfdbg, unless an option says otherwise.
frame() {
	name=$1 text=$2 most=$3
	shift 3
	ms=$("$tools/tool_frame" frame 5 "$text" "$tensordbg" "$@" | awk '{ print $2 }')
	line "$name" "$ms" - - - "$most"
}

# pages NAME N KEY TEXT [OPTION]... DUMP: from a key to the row that tells where one is, in our style.
# A page may take 2 ms, 5 ms at most in 95 of 100.
pages() {
	name=$1 n=$2 key=$3 text=$4
	shift 4
	times=$("$tools/tool_frame" pages --pages "$n" "$key" "$text" "$tensordbg" --screen=modern "$@")
	line "${name}_p50" "$(echo "$times" | awk '{ print $2 }')" - - - 2
	line "${name}_p95" "$(echo "$times" | awk '{ print $4 }')" - - - 5
	line "${name}_max" "$(echo "$times" | awk '{ print $6 }')" - - - -
}
# bytes NAME N KEY TEXT BAR [OPTION]... DUMP: what a key has the program write, on a screen of 80 x 24.
bytes() {
	name=$1 n=$2 key=$3 text=$4 most=$5
	shift 5
	counts=$("$tools/tool_frame" bytes --bytes "$n" "$key" "$text" "$tensordbg" "$@")
	echo "$name $counts" | awk -v most="$most" '{
		printf "%-26s %9.0f bytes a key, 95 in 100: %.0f, at most: %.0f", $1, $3, $5, $7
		if (most != "-") printf "  bar: %d%s", most, ($5 + 0 > most + 0 ? ": MISSED" : "")
		print ""
	}'
}
page_down=$(printf '\033[6~')

# keys NAME N TEXT P95_BAR MAX_BAR DUMP: from a key to the program's answer, while it loads.
keys() {
	times=$("$tools/tool_frame" keys --keys "$2" "$3" "$tensordbg" "$6")
	line "$1_p95" "$(echo "$times" | awk '{ print $2 }')" - - - "$4"
	line "$1_max" "$(echo "$times" | awk '{ print $4 }')" - - - "$5"
}

# Cases within one process: session [--screen] DUMP RUNS NAME COMMAND..., then inside CASE NAME WHICH LIMIT BAR,
# where WHICH is the first or the best run. --screen: of answers that go to a screen the CPU time.
session() {
	screen=
	[ "$1" = --screen ] && screen=$1 && shift
	path=$1 runs=$2
	shift 2
	inside_times=$("$tools/tool_session" $screen "$runs" "$path" "$@")
}

inside() {
	column=$([ "$3" = first ] && echo 2 || echo 4)
	set -- "$1" "$(echo "$inside_times" | awk -v n="$2" -v c="$column" '$1 == n { print $c }')" \
		"$(echo "$inside_times" | awk -v n="$2" '$1 == n { print $6 }')" "$4" "$5"
	line "$1" "$2" "$3" "$4" "${limit_ms:--}" "$5"
}

dump small --tensors=1000
dump large --tensors=100000 --nodes=150000 --devices=2 --nan=5 --control=2
dump wide --tensors=1 --nodes=1 --bytes=100000000
dump million --tensors=8 --nodes=1000000 --attr=130

small="$dumps/small" large="$dumps/large" wide="$dumps/wide" million="$dumps/million"
node=tower_0/block_0/unit_0/conv/Conv2D
weights=tower_0/block_0/unit_0/weights

frame first_frame_1000 'dumped tensor(s)' 15 "$small"
frame first_frame_100000 'dumped tensor(s)' 50 "$large"
frame modern_first_frame_1000 'Tensor name' 15 --screen=modern "$small"
frame modern_first_frame_100000 'Tensor name' 50 --screen=modern "$large"
pages page_of_100000_health 200 "$page_down" 'row 1/100000' "$large"
bytes page_bytes 40 "$page_down" 'Tensor name' - --screen=modern "$small"
bytes page_bytes_slow 40 "$page_down" 'Tensor name' 2000 --screen=modern --slow "$small"
keys keys_while_loading 40 'dumped tensor(s)' 5 20 "$large"

limit sh -c "find '$large' -printf '%s %p\n' | wc -l"
session "$large" 3 lt lt size 'lt -s dump_size' op 'lt -s op_type' name 'lt -s tensor_name -r' \
	match 'lt -n .*Relu' match_op 'lt -t .*Conv' nan 'lt -f has_inf_or_nan' \
	du du du_op 'du -g op' li_first "li -r $node" li "li -r $node" lo "lo -r $node"
inside index_100000 load best find "$(bar 1.2)"
process lt_100000_to_a_pipe 3 find "$(bar 1.2 100)" "$tensordbg" -c lt "$large"
inside lt_100000 lt best - 20
for key in size op name; do
	inside "lt_by_${key}_first" $key first - 60
	inside "lt_by_$key" $key best - 20
done
inside du_100000 du first find 50
inside du_100000_by_op du_op first find 50

if command -v pcre2grep >/dev/null; then
	find "$large" -name '*_0_DebugIdentity_*' -printf '%P\n' |
		sed 's,^[^/]*/,,; s,_0_DebugIdentity_[0-9]*$,,' >"$dumps/names"
	limit sh -c "pcre2grep -c '.*Relu' '$dumps/names'"
	inside lt_100000_by_regex match best grep "$(bar 2)"
	inside lt_100000_by_op_regex match_op best grep "$(bar 2)"
else
	inside lt_100000_by_regex match best - -
	echo 'no limit for regexes: pcre2grep (Debian: pcre2-utils) is missing'
fi

limit sh -c "find '$large' -type f -print0 | xargs -0 cat"
process lt_100000_nan 3 cat "$(bar 1.2)" "$tensordbg" -c 'lt -f has_inf_or_nan' "$large"
limit "$tensordbg" -c 'lt -f has_inf_or_nan' "$large"
process origins_100000 3 lt "$(bar 1.3)" "$tensordbg" -c origins "$large"
process drift_100000 3 lt "$(bar 1.3)" "$tensordbg" -c drift "$large"
process doctor_100000 3 lt "$(bar 1.3)" "$tensordbg" -c doctor "$large"
process overview_100000 3 lt "$(bar 1.6)" "$tensordbg" -c overview "$large"
# It writes, sums and counts exponents besides.
process summarize_100000 3 lt "$(bar 2.5)" "$tensordbg" summarize "$large" -o "$dumps/large.sum"
inside lt_100000_nan_again nan best - 20

for worker in $(seq 60); do
	[ -f "$dumps/workers/$worker.sum" ] && continue
	mkdir -p "$dumps/workers"
	"$tensordbg" summarize "$small" -o "$dumps/workers/$worker.sum" --worker="worker/$worker"
done
limit sh -c "cat '$dumps'/workers/*"
process merge_60_workers 5 cat 200 "$tensordbg" merge "$dumps"/workers/* -o "$dumps/merged.sum"
process overview_60_workers 5 cat 1000 "$tensordbg" -c overview "$dumps/merged.sum"

inside li_with_edges_to_read li_first first - -
inside li_of_150000_nodes li best - 5
inside lo_of_150000_nodes lo best - 5
session --screen "$large" 3 tree 'li -r -c -d 20 train_op'
inside li_exponential_screen tree best - 5
process li_exponential_to_a_pipe 1 - - "$tensordbg" -c 'li -r -c -d 20 train_op' "$large"

runs session 500 10 --tensors=200
limit find "$dumps/session" -maxdepth 1 -type d -printf '%f\n'
frame modern_first_frame_500_runs 'fetches' 50 --screen=modern "$dumps/session"
process open_500_runs 5 find "$(bar 1.5 10)" "$tensordbg" -c run_info "$dumps/session"
limit sh -c "find '$dumps/session' -type f -print0 | xargs -0 cat"
process run_f_500_runs 3 cat "$(bar 1.2)" "$tensordbg" -c 'run -f has_inf_or_nan' "$dumps/session"
process origins_500_runs 3 cat "$(bar 1.5)" "$tensordbg" -c origins "$dumps/session"
process drift_500_runs 3 cat "$(bar 1.5)" "$tensordbg" -c drift "$dumps/session"
process doctor_500_runs 3 cat "$(bar 1.5)" "$tensordbg" -c doctor "$dumps/session"

limit "$tools/tool_scan" "$(find "$wide" -name 'weights_*')"
bytes grid_bytes_slow 40 "$page_down" 'cell [0]' - --screen=modern --slow -i -c "grid $weights:0" "$wide"
pages page_of_a_grid 200 "$page_down" 'cell [0]' -i -c "grid $weights:0" "$wide"
session "$wide" 3 pt "pt $weights:0" slice "pt $weights:0[0:10]" summary "pt -s $weights:0"
inside pt_100MB pt first - 10
inside pt_100MB_slice slice first - 10
# It reads the tensor twice, the second time for the standard deviation, and does more with it each time.
process pt_100MB_summary 5 scan "$(bar 4)" "$tensordbg" -c "pt -s $weights:0" "$wide"

graph=$(find "$million" -name '_tfdbg_graph_*')
limit sh -c "cat '$graph' | cat"
session "$million" 3 li "li -r $node"
inside graph_1000000_nodes load best cat "$(bar 4)"
inside graph_1000000_edges li first - 600

# Archives of 100,000 members: opened, that is listed and, if packed, unpacked.
for packer in '' gzip zstd; do
	archive="$dumps/archive.tar${packer:+.$packer}"
	tar -c ${packer:+--$packer} -f "$archive" -C "$dumps" large
	limit tar -t ${packer:+--$packer} -f "$archive"
	process "open_tar_100000${packer:+_$packer}" 5 'tar -t' "$(bar 1.2)" "$tools/tool_open" "$archive"
	rm -f "$archive"
done

# Arrays of other programs. What is large is made of zeros, which take no room, or goes at once.
arrays="$dumps/arrays"
rm -rf "$arrays"
mkdir "$arrays"
gen_arrays="$tools/tool_gen_arrays"
"$gen_arrays" safetensors "$arrays/many.safetensors" --tensors=10000 --bytes=2000000
limit sh -c "head -c 1200000 '$arrays/many.safetensors' | wc"
process lt_safetensors_10000 5 wc 20 "$tensordbg" -c lt "$arrays/many.safetensors"
"$gen_arrays" checkpoint "$arrays/many" --tensors=10000 --bytes=2000000
limit wc "$arrays/many.index"
process lt_checkpoint_10000 5 wc 50 "$tensordbg" -c lt "$arrays/many"
"$gen_arrays" safetensors "$arrays/wide.safetensors" --tensors=100 --bytes=20000000
limit cat "$arrays/wide.safetensors"
process nan_2_GB_safetensors 3 cat "$(bar 1.43)" "$tensordbg" -c 'lt -f has_inf_or_nan' "$arrays/wide.safetensors"
"$gen_arrays" npy "$arrays/wide" --tensors=100 --bytes=20000000
limit sh -c "cat '$arrays'/wide/*"
process nan_2_GB_npy 3 cat "$(bar 1.43)" "$tensordbg" -c 'lt -f has_inf_or_nan' "$arrays/wide"
rm -rf "$arrays"/wide* "$arrays"/many*
for seed in 1 2; do
	"$gen_arrays" checkpoint "$arrays/step-$seed" --tensors=100 --bytes=10000000 --seed=$seed
done
limit sh -c "cat '$arrays'/step-*"
process diff_2_checkpoints_1_GB 3 cat "$(bar 1.5)" "$tensordbg" -c "diff '$arrays/step-1'" "$arrays/step-2"
rm -rf "$arrays"/step-*
for order in row column; do
	"$gen_arrays" npy "$arrays/$order" --tensors=1 --bytes=400000000 --columns=10000 --seed=1 \
		$([ $order = row ] || echo --fortran)
done
summary='pt -s block_000.layer_000000.output'
limit "$tensordbg" -c "$summary" "$arrays/row"
process npy_400_MB_by_column 3 by_row "$(bar 8)" "$tensordbg" -c "$summary" "$arrays/column"
rm -rf "$arrays/row" "$arrays/column"
"$gen_arrays" npy "$arrays/many" --tensors=100000 --bytes=400
limit sh -c "find '$arrays/many' -type f -print0 | xargs -0 cat"
process lt_100000_npy_to_a_pipe 3 cat "$(bar 1.2)" "$tensordbg" -c lt "$arrays/many"
# Their heads, and then their values.
process lt_100000_npy_nan 3 cat "$(bar 2.4)" "$tensordbg" -c 'lt -f has_inf_or_nan' "$arrays/many"
rm -rf "$arrays"

# program NAME TRACES [OPTION]...: a recorded program, from the generator that comes with the recordings.
generator=$(cd "$(dirname "$0")/../.." && pwd)/shared/bench/gen_v2.py
program() {
	[ -d "$dumps/$1" ] && return
	rm -rf "$dumps/part"
	name=$1 traces=$2
	shift 2
	python3 "$generator" "$traces" "$dumps/part" "$@" >/dev/null
	mv "$dumps/part" "$dumps/$name"
}

if [ -f "$generator" ] && command -v python3 >/dev/null; then
	program program 1000000
	program="$dumps/program"
	limit "$tools/tool_scan" --crc32c "$program"/*
	session "$program" 3 lx lx la la all 'lt --all-steps' step 'lt --step 5000' nan 'lx -f has_nan'
	inside program_1000000_traces load best scan "$(bar 6)"
	inside la_1000000 la first scan "$(bar 6)"
	inside lx_10000_steps lx first - 50
	inside lx_10000_steps_nan nan first - 100
	inside lt_of_a_step step first - 50
	inside lt_of_all_steps all first - 1000
	cpu_time program_1000000_alone 3 1000/100 "$tensordbg" -c la "$program"
	frame first_frame_1000000_traces 'execution' 50 "$program"
	frame modern_first_frame_1000000_traces 'exec' 50 --screen=modern "$program"
	pages page_of_10000_steps 150 "$page_down" 'row 1/10000' "$program"
	pages page_of_1000000_health 200 "$page_down" 'row 1/1010000' -i -c 'lt --all-steps' "$program"
	pages next_bad_of_1000000 40 ']n' 'row 1/1010000' -i -c 'lt --all-steps' "$program"
	program program_bad 1000000 --bad 1000
	session "$dumps/program_bad" 3 lx lx origins origins
	inside origins_1000000_program origins first - 100
	program program_half_bad 1000000 --bad 2
	limit "$tensordbg" -c lx "$dumps/program_half_bad"
	process origins_half_bad_program 3 lx "$(bar 1.3)" "$tensordbg" -c origins "$dumps/program_half_bad"
	program program_values 100000 --mode FULL_TENSOR --elements 640
	values="$dumps/program_values"
	frame first_frame_256_MB_values 'executions so far' 50 "$values"
else
	echo 'no recorded program: python3 or shared/bench/gen_v2.py is missing'
fi

# A Chrome trace of a million kernels, 160 MB.
trace="$dumps/trace.json"
if [ ! -f "$trace" ]; then
	awk 'BEGIN {
		printf "{\"traceEvents\": ["
		for (i = 0; i < 1000000; i++)
			printf "%s{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%d\",\"pid\":%d,\"tid\":%d," \
				"\"ts\":%d.%03d,\"dur\":%d.5,\"args\":{\"device\":%d,\"stream\":%d,\"correlation\":%d," \
				"\"grid\":[%d,1,1],\"block\":[128,1,1]}}", i ? ",\n" : "\n", i % 37, i % 2, 7 + i % 3,
				i, i % 1000, i % 5, i % 2, 7 + i % 3, i, i % 64 + 1
		print "\n]}"
	}' >"$dumps/part.json"
	mv "$dumps/part.json" "$trace"
fi
cpu_time trace_1000000 3 1500/120 "$tensordbg" -c kernels "$trace"
frame first_frame_1000000_events 'record(s)' 100 "$trace"

# An XSpace of a million events: a quarter of a million ops, their kernels and launches.
xspace="$dumps/host.xplane.pb"
if [ ! -f "$xspace" ]; then
	"$tools/tool_gen_xspace" "$dumps/part.pb"
	mv "$dumps/part.pb" "$xspace"
fi
cpu_time xspace_1000000 3 1000/120 "$tensordbg" -c 'kernels --step all' "$xspace"
cpu_time xspace_1000000_timeline 3 1000/120 "$tensordbg" -c 'timeline --step all' "$xspace"
frame first_frame_1000000_of_xspace 'record(s)' 100 "$xspace"

# profile NAME NODES: a step of so many records, without its graph, from the generator that comes with the recordings.
generator=$(cd "$(dirname "$0")/../.." && pwd)/shared/bench/gen_profile.py
profile() {
	[ -d "$dumps/$1" ] && return
	rm -rf "$dumps/part"
	python3 "$generator" "$dumps/part" --nodes "$2" >/dev/null
	rm "$dumps/part/graph.pb"
	mv "$dumps/part" "$dumps/$1"
}

if [ -f "$generator" ] && command -v python3 >/dev/null; then
	profile profile 1000000
	profile profile_100000 100000
	profile profile_72000_ops 400000         # of so many records 72,000 rows of ops that ran kernels
	profile="$dumps/profile"
	most_mb=$(cat "$profile"/* | wc -c | awk '{ print $1 / 2 / 1024 / 1024 + 64 }')
	# What a loop of some 20 operations a record takes in Python, and a quarter more.
	measure 3 python3 -c 'x = 0
for i in range(20000000): x += i'
	loop_bar=$(awk -v c="$cpu" 'BEGIN { print 1.25 * c }')
	frame first_frame_1000000_records 'record(s)' 300 "$profile"
	limit sh -c "cat '$profile'/* | cat"
	session "$profile" 3 lp lp node 'lp -s node' time 'lp -s exec_time -r' kernels kernels ops 'kernels -g op' \
		memory memory lanes timeline
	inside profile_1000000_records load best cat 1000
	inside lp_1000000 lp first - 1000
	inside lp_1000000_by_node node first - 1000
	inside lp_1000000_by_time time first - 1000
	inside kernels_1000000 kernels first - 1000
	inside kernels_1000000_again kernels best - 300
	inside kernels_1000000_by_op ops best - 1500
	inside memory_1000000 memory best - "$loop_bar"
	inside timeline_1000000 lanes best - 1000
	session --screen "$dumps/profile_72000_ops" 3 type 'kernels -g type' ops 'kernels -g op'
	inside kernels_72000_rows_screen ops best - 1000
	cpu_time lp_1000000_to_a_pipe 3 "2000/$most_mb" "$tensordbg" -c 'lp -s node' "$profile"
	cpu_time lp_by_time_to_a_pipe 3 "$loop_bar/$most_mb" "$tensordbg" -c 'lp -s exec_time -r' "$profile"
	cpu_time kernels_1000000_alone 3 "$loop_bar/$most_mb" "$tensordbg" -c kernels "$profile"
	cpu_time tfprof_scope_1000000 3 "2000/$most_mb" "$tensordbg" -c 'tfprof scope -max_depth 4' "$profile"
	cpu_time tfprof_op_1000000 3 "2000/$most_mb" "$tensordbg" -c 'tfprof op' "$profile"
	cpu_time timeline_json_100000 3 500 "$tensordbg" -c "timeline -o $dumps/timeline.json" \
		"$dumps/profile_100000"
	cpu_time timeline_json_memory 3 1000 "$tensordbg" -c "timeline -o $dumps/timeline.json --memory" \
		"$dumps/profile_100000"
	rm -f "$dumps/timeline.json"
else
	echo 'no profiles: python3 or shared/bench/gen_profile.py is missing'
fi
