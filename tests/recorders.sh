#!/bin/sh
# tests/recorders.sh PYTHON...: with each of these interpreters, each recorder whose framework that has: a
# program of tests/recorders trains with it, what came of it is opened, and a value is compared with the one
# that the program had. Then the README's Python. Not a part of `make test`: frameworks are large. Tried
# with TensorFlow 1.15.5 and 2.21, PyTorch 2.15, JAX 0.10. Then the tables of small programs, which a recorder
# must not break: programs_TABLE.py. ONLY="NAME..." takes these recorders and tables only, PROGRAMS="NAME..."
# these programs of the tables.
set -u

: "${B:=build}"
cd "$(dirname "$0")/.." || exit 1
here=$PWD
case $B in
/*) ;;
*) B="$here/$B" ;;
esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OMP_NUM_THREADS=1 TF_CPP_MIN_LOG_LEVEL=3 PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=ignore
passed=0 failed=0

names=$("$B/tensordbg" --recorder list --format=csv | sed '1d; s/,.*//')
for name in $names; do
	"$B/tensordbg" --recorder "$name" >"$scratch/record_$name.py"
done

fine() { passed=$((passed + 1)); }
wrong() { failed=$((failed + 1)); echo "$*"; }

# says WHAT COMMAND...: the answer about the recording holds WHAT.
says() {
	wanted=$1
	shift
	set -- "$recording" "$@"
	if "$B/tensordbg" "$@" >"$scratch/answer" 2>&1 && grep -qF -- "$wanted" "$scratch/answer"; then
		fine
	else
		wrong "no \"$wanted\" in: tensordbg $*"
		sed 's/^/    /' "$scratch/answer"
	fi
}

# is_known TENSOR COMMAND...: after the commands its value is that in known.npy.
is_known() {
	tensor=$1
	shift
	rm -f "$scratch/got.npy"
	"$B/tensordbg" "$recording" "$@" -c "pt $tensor -w $scratch/got.npy" >"$scratch/answer" 2>&1
	if "$python" -c '
import sys
import numpy as np
got, known = (np.load(name) for name in sys.argv[1:])
assert got.shape == known.shape and (got == known).all(), (got, known)' "$scratch/got.npy" "$out/known.npy"; then
		fine
	else
		wrong "$tensor of $recording is another one"
		sed 's/^/    /' "$scratch/answer"
	fi
}

# wraps PROGRAM WHAT [OPTION...]: "python record_NAME.py --out DIRECTORY" runs the program, and runs says WHAT.
wraps() {
	program=$1 wanted=$2
	shift 2
	recording="$out/wrapped"
	if "$python" "$scratch/record_$name.py" --out "$recording" "$@" "tests/recorders/plain_$program.py" >"$scratch/log" 2>&1; then
		says "$wanted" -c runs
	else
		wrong "record_$name.py runs no program"
		sed 's/^/    /' "$scratch/log"
	fi
}

# What a program of TensorFlow 1 left: session, hook.
check_runs() {
	says "$1" -c runs
	says 'x:0' -c 'run --to 2' -c ri
	says 'labels:0' -c 'run --to 2' -c ri
	says 'relu1:0' -c 'run --to 2' -c ri
	says 'Text:     "h = tf.nn.relu(h, name="relu%d" % i) if i < 2 else h"' -c 'run --to 2' -c 'ni -t relu1'
	says 'network.py' -c 'run --to 2' -c ls
	says ' relu1' -c 'run --to 2' -c "ps network.py"
	says '0 damaged, 0 lost' -c doctor
	is_known relu1:0 -c 'run --to 2'
}

# What answers say of a run but when and how fast it was, where it lies, and its number.
answers() {
	"$B/tensordbg" "$1" -c 'run --to 2' -c 'lt -s tensor_name' | sed 's/^\[[0-9.]*\] *//' | sort
	"$B/tensordbg" "$1" -c 'run --to 2' -c ri | sed '1,/^=====/d; /^#2 of/,$d'
	"$B/tensordbg" "$1" --format=json -c 'run --to 2' -c lt | tr ',' '\n' | sed -n 's/.*"tensor":"\(.*\):[0-9]*"$/ni -a -d \1/p' |
		sort -u >"$scratch/nodes"
	{ echo 'run --to 2'; cat "$scratch/nodes"; } >"$scratch/script"
	"$B/tensordbg" "$1" -x "$scratch/script" |
		awk '/^Node / { node = $2 } node { sub(/@ [0-9.]* ms/, ""); print node ": " $0 }' | sort
}

check_session() {
	check_runs '  3 '
	answers "$out/theirs" >"$scratch/theirs"
	answers "$out/ours" >"$scratch/ours"
	if [ -s "$scratch/theirs" ] && diff "$scratch/theirs" "$scratch/ours"; then
		fine
	else
		wrong "another answer than about what tfdbg itself leaves"
	fi
	wraps session '  4 '
}
check_hook() { check_runs '  2 '; }

check_v2() {
	says 'FULL_TENSOR' -c lx
	says 'return lambda: train(images)' -c 'ps train_v2.py'
	says 'Softmax' -c 'run --last' -c lt
	says '0 damaged, 0 lost' -c doctor
	is_known p:0 -c 'run --last'
	wraps keras '1 run of the program'
}

check_numpy() {
	says '  2 ' -c runs
	says 'layer/h#3' -c 'run --to 2' -c lt
	is_known 'layer/h#3' -c 'run --to 2'
}

check_estimator() {
	root=$recording
	recording="$root/evaluate"
	says '  2 ' -c runs
	recording="$root/train"
	says '  2 ' -c runs
	says 'sparse_softmax_cross_entropy_loss/value:0' -c 'run --to 2' -c ri
	says '"logits = tf.matmul(features["x"], w, name="logits")"' -c 'run --to 2' -c 'ni -t logits'
	is_known logits:0 -c 'run --to 2'
	recording=$root
	says 'train' -c runs
}

check_keras() {
	says 'train_keras.py' -c 'run --first' -c ls
	if "$python" -c 'import tensorflow as tf, sys; sys.exit(not hasattr(tf, "Session"))' 2>/dev/null; then
		says '  2 ' -c runs
		says 'loss' -c 'run --first' -c ri
		is_known two/MatMul/ReadVariableOp:0 -c 'run --first'
		wraps keras '  2 ' --count 2
	else
		says 'ok ' -c lx
		is_known sequential_1/two_1/Cast/ReadVariableOp:0 -c 'run --first'
		wraps keras '1 run of the program' --count 2
	fi
}

check_profile() {
	says 'h1' -c 'lp -n ^h1$'
	says 'h = tf.matmul(h, w, name="h%d" % i)' -c 'ps network.py'
	says 'run_metadata_7.pb' -c step
	says 'MatMul' -c 'kernels -g type'
	recording="$out/hook"
	says 'h1' -c 'lp -n ^h1$'
	recording="$out/xspace"
	[ -e "$recording" ] || return
	says 'steps: 3' -c steps
	says 'MatMul' -c kernels
}

check_pytorch() {
	says '  2 ' -c runs
	says 'fc1.weight.grad' -c 'run --to 2' -c lt
	says 'fc2.grad' -c 'run --to 2' -c lt
	says 'act#2' -c 'run --to 2' -c lt
	says 'bfloat16' -c 'run --to 2' -c 'pt half'
	says '    fc2' -c 'run --to 2' -c 'ps train_pytorch.py'
	is_known fc2.weight.grad:0 -c 'run --to 2'
	recording="$out/profile"
	says 'aten::addmm' -c kernels
	says 'steps: 4' -c steps
	wraps pytorch '  4 ' --first 1 --count 4
}

check_jax() {
	says '  2 ' -c runs
	says 'h1.grad' -c 'run --to 2' -c lt
	says 'bfloat16' -c 'run --to 2' -c 'pt half'
	says '    h1' -c 'run --to 2' -c 'ps train_jax.py'
	is_known "params['w1']" -c 'run --to 2'
	recording="$out/profile"
	says 'dot' -c kernels
	says 'steps: 3' -c steps
}

# try NAME: with this interpreter.
try() {
	out="$scratch/of_$1" recording="$scratch/of_$1/recording"
	rm -rf "$out" && mkdir "$out"
	echo "$1:"
	PYTHONPATH="$scratch:tests/recorders" "$python" "tests/recorders/train_$1.py" "$out" >"$scratch/log" 2>&1
	status=$?
	sed -n '/^cost: /s//    /p; /^skipped: /s//    skipped: /p; /^with /s//    with /p' "$scratch/log"
	case $status in
	77) ;;
	0) "check_$1" ;;
	*) wrong "train_$1.py ended with $status"; sed 's/^/    /' "$scratch/log" ;;
	esac
}

# The pages' Python, around a program: of a session, of TensorFlow 2. It is the first block that holds $1.
readme_block() {
	awk -f tests/blocks.awk README.md tui/tensordbg-*.7 | awk -v holds="$1" '
		/^```python/ { inside = 1; block = ""; next }
		/^```/ { if (inside && index(block, holds)) { printf "%s", block; exit } inside = 0 }
		inside { block = block $0 "\n" }' | sed "s,\"/tmp/[a-z0-9]*\",\"$out/recording\","
}
try_readme() {
	out="$scratch/readme" recording="$scratch/readme/recording"
	rm -rf "$out" && mkdir "$out"
	{
		cat <<-END
			import tensorflow as tf
			tf1 = tf.compat.v1
			tf1.disable_eager_execution()
			x = tf1.placeholder(tf.float32, [3], name="x")
			train_op = tf.math.log(x * 2.0, name="y")
			feed = {x: [1, 0, 2]}
			session = tf1.Session()
		END
		readme_block record_session
	} >"$out/program.py"
	"$python" -c 'import tensorflow' 2>/dev/null || return
	echo README:
	if (cd "$out" && PYTHONPATH="$scratch" "$python" program.py) >"$scratch/log" 2>&1; then
		says '1 dumped tensor(s) passing filter "has_inf_or_nan"' -c 'run --first' -c 'lt -f has_inf_or_nan'
		says 'program.py' -c 'run --first' -c 'ni -t y'
	else
		wrong "the README's session"
		sed 's/^/    /' "$scratch/log"
	fi
	"$python" -c 'import tensorflow as tf; tf.debugging.experimental' 2>/dev/null || return
	rm -rf "$recording"
	{
		cat <<-END
			import tensorflow as tf
			@tf.function
			def train():
			    tf.reduce_sum(tf.math.log(tf.constant([1.0, 0.0, 2.0]) * x))
			x = tf.Variable(2.0)
		END
		readme_block record_v2
	} >"$out/program2.py"
	if (cd "$out" && PYTHONPATH="$scratch" "$python" program2.py) >"$scratch/log" 2>&1; then
		says 'Log:0' -c 'la --max 1'
	else
		wrong "the README's TensorFlow 2"
		sed 's/^/    /' "$scratch/log"
	fi
}

# try_programs TABLE FRAMEWORK: with and without a recorder.
try_programs() {
	"$python" -c "import $2; programs = __import__('programs_$1'); exit(not programs.ROWS)" 2>/dev/null || return
	echo "programs of $1:"
	"$python" tests/recorders/programs.py "$1" "$scratch" "$B/tensordbg" ${PROGRAMS:-} >"$scratch/log" 2>&1
	sed '$d; s/^/    /' "$scratch/log"
	set -- $(tail -n 1 "$scratch/log")
	case "$*" in
	[0-9]*" passed, "[0-9]*" failed") passed=$((passed + $1)) failed=$((failed + $3)) ;;
	*) wrong "programs.py: $*" ;;
	esac
}

: "${ONLY:=}"
for python; do
	echo "== $python"
	try_readme
	for name in $names; do
		case " ${ONLY:-$name} " in
		*" $name "*) try "$name" ;;
		esac
	done
	for name in numpy/numpy torch/torch jax/jax keras/tensorflow v2/tensorflow tf1/tensorflow hooks/tensorflow; do
		case " ${ONLY:-${name%/*}} " in
		*" ${name%/*} "*) PYTHONPATH=tests/recorders try_programs "${name%/*}" "${name#*/}" ;;
		esac
	done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
