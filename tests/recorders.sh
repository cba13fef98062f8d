#!/bin/sh
# tests/recorders.sh PYTHON...: runs the README's Python with each of these interpreters, which have TensorFlow, and asks the
# program what came of it. Not a part of `make test`: TensorFlow is large. Tried with 1.15.5 and 2.21.
set -eu

: "${B:=build}"
here=$(cd "$(dirname "$0")/.." && pwd)
case $B in
/*) ;;
*) B="$here/$B" ;;
esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# blocks TEST: the README's blocks of Python, those that call the recorder of TensorFlow 2 (1) or the others (0).
blocks() {
	awk -v recorder="$1" '
		/^```python/ { inside = 1; block = ""; next }
		/^```/ { if (inside && (block ~ /enable_dump_debug_info/) == recorder) printf "%s", block; inside = 0 }
		inside { block = block $0 "\n" }' "$here/README.md" |
		sed "s,/tmp/dumps,$scratch/dumps,; s,/tmp/profile,$scratch/profile,"
}
blocks 0 >"$scratch/readme.py"
blocks 1 >"$scratch/readme2.py"
cat >"$scratch/program.py" <<'END'
import os

import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()
x = tf1.placeholder(tf.float32, [3], name="x")
train_op = tf.math.log(x * 2.0, name="y")
feed = {x: [1, 0, 2]}
session = tf1.Session()
exec(compile(open("readme.py").read(), "readme.py", "exec"))
END

cat >"$scratch/program2.py" <<'END'
exec(compile(open("readme2.py").read(), "readme2.py", "exec"))

@tf.function
def loss(x):
    return tf.reduce_sum(tf.math.log(x * 2.0))

loss(tf.constant([1.0, 0.0, 2.0]))
END

# says WHAT ARGUMENT...: the answer holds WHAT.
says() {
	wanted=$1
	shift
	if "$B/tensordbg" "$@" >"$scratch/answer" 2>&1 && grep -qF -- "$wanted" "$scratch/answer"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "no \"$wanted\" in: tensordbg $*"
		sed 's/^/    /' "$scratch/answer"
	fi
}

for python; do
	rm -rf "$scratch/dumps" "$scratch/dumps2" "$scratch/profile"
	(cd "$scratch" && "$python" program.py) >"$scratch/log" 2>&1 || {
		cat "$scratch/log"
		failed=$((failed + 1))
		continue
	}
	says '1 dumped tensor(s) passing filter "has_inf_or_nan"' "$scratch/dumps" -c 'run --first' -c 'lt -f has_inf_or_nan'
	says 'program.py' "$scratch/dumps" -c 'run --first' -c 'ni -t y'
	says '#(nodes)' "$scratch/dumps" -c 'run --first' -c ls
	says 'y' "$scratch/profile" -c 'lp -n ^y$'
	says '[Log] y' "$scratch/profile" -c 'lo -t mul'
	"$python" -c 'import tensorflow as tf; tf.debugging.experimental.enable_dump_debug_info' 2>/dev/null || continue
	(cd "$scratch" && "$python" program2.py) >"$scratch/log" 2>&1 || {
		cat "$scratch/log"
		failed=$((failed + 1))
		continue
	}
	says 'Log:0        -inf x1' "$scratch/dumps2" -c 'la --max 1'
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
