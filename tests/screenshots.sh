#!/bin/sh
# The README's pictures, testdata/pictures/*.svg, from real runs: the same each time. Where
# rsvg-convert is installed, as PNG below the build directory too, to look at.
set -eu

: "${B:?the build directory}"
cd "$(dirname "$0")/../testdata"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch" LC_ALL=C.UTF-8 TZ=UTC INPUTRC=/dev/null
unset NO_COLOR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME TENSORDBG_OPTIONS
mkdir -p pictures "$B/pictures"

# picture NAME COLSxROWS TITLE [ARGUMENT]... <SCRIPT
picture() {
	name=$1 size=$2 title=$3
	shift 3
	[ $# -gt 0 ] || set -- mnist_nan
	"$B/tests/tool_screenshot" "$size" "$title" "pictures/$name.svg" "$B/tensordbg" "$@"
	set -- "$name"
	if command -v rsvg-convert >/dev/null; then
		rsvg-convert -z 2 "pictures/$1.svg" -o "$B/pictures/$1.png"
	fi
	rm -rf "${scratch:?}"/* "$scratch"/.[!.]*
}

picture walk 100x28 'A NaN, and where it came from' <<END
wait 301 dumped tensor(s):
frame 2200
type lt -f has_inf_or_nan
frame 1200
press enter
wait 50 dumped tensor(s)
frame 2600
enter pt cross_entropy/Log:0 -s
wait Numeric summary:
frame 3000
enter li -t cross_entropy/Log
wait Inputs to node
frame 2600
enter picture softmax:0 --log
wait half a cell
frame 4000
END

picture first 100x28 'The tensors of one training step' <<END
wait 301 dumped tensor(s):
END

picture nan 100x28 'The logarithm holds minus infinity' <<END
wait 301 dumped tensor(s):
enter lt -f has_inf_or_nan
wait 50 dumped tensor(s)
enter pt cross_entropy/Log:0 -s
wait Numeric summary:
enter /-inf
wait Scroll (PgDn/PgUp)
press home
wait dtype: float32
END

picture tree 80x24 'What feeds the logarithm' <<END
wait 301 dumped tensor(s):
enter li -r -t cross_entropy/Log
wait Inputs to node "cross_entropy/Log"
END

picture narrow 40x12 'A small screen' <<END
wait 301 dumped tensor(s)
enter li -t -r softmax
wait logits/activation
END

picture grid 100x32 'A tensor as a grid, and as a heat map' <<END
wait 301 dumped tensor(s):
enter grid hidden/Wx_plus_b/MatMul:0 --colors heat
wait [,0]
press escape
wait h keys
type p
wait half a cell
END

picture panes 120x32 'A list, and beside it what its row is about' <<END
wait 301 dumped tensor(s)
press escape
wait row 1/301
type vV
wait │
type /Log:0
press enter
wait Tensor "cross_entropy/Log:0
END

picture filter 80x20 'Rows as the filter is typed' <<END
wait 301 dumped tensor(s)
press escape
wait row 1/301
type &softmax
wait of 301
END

step='profile/gpu_like/run_metadata.pb'

picture kernels 100x24 'Where the time of a GPU went' "$step" --graph=profile/gpu_like/graph.pb <<END
wait | kernels
enter kernels
wait GPU kernels by kernel
press escape
wait h keys
END

picture timeline 100x24 'Kernels above, what ran when below' "$step" --graph=profile/gpu_like/graph.pb <<END
wait | kernels
enter layout timeline
wait GPU:0 stream 16
press escape
wait h keys
type w
wait , . zoom
type jj
wait GPU:0 stream 14 -
type ...
wait 800 us
END

picture scopes 100x20 'Time by name scope' "$step" --graph=profile/gpu_like/graph.pb <<END
wait | kernels
enter scopes --under gradients
wait [gradients
press escape
wait row 1/
END

picture graph 100x16 'What is near a node' "$step" --graph=profile/gpu_like/graph.pb <<END
wait | kernels
enter graph block_0/add -d 2
wait [[block_0/add
press escape
wait h keys
press left
press down
wait 5 in
END

picture steps 100x28 'The executions of a TensorFlow 2 program, and the tensors of the bad one' v2/mode_CONCISE_HEALTH <<END
wait 46 executions.
enter run -f has_inf_or_nan
wait passing filter
END

picture made 100x28 'The line of the program that made the first bad op' v2/mode_CONCISE_HEALTH <<END
wait 46 executions.
enter run -f has_inf_or_nan
wait passing filter
enter ps train.py -b 24
wait L24
END
