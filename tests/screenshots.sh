#!/bin/sh
# Pictures of the screen, testdata/pictures/*.svg, from real runs: those of the pages, then every view in three sizes,
# on dark and on light ground.
# Where rsvg-convert is installed, as PNG below the build directory too, to look at. With names as arguments only these.
set -eu

: "${B:?the build directory}"
cd "$(dirname "$0")/../testdata"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch" LC_ALL=C.UTF-8 TZ=UTC INPUTRC=/dev/null
unset NO_COLOR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME TENSORDBG_OPTIONS
mkdir -p pictures "$B/pictures"
wanted=" $* "
ground=

# picture NAME COLSxROWS TITLE [ARGUMENT]... <SCRIPT
picture() {
	name=$1 size=$2 title=$3
	shift 3
	case "$wanted" in "  " | *" $name "*) ;; *) return 0 ;; esac
	[ $# -gt 0 ] || set -- mnist_nan
	if [ "$ground" ]; then
		mkdir -p "$scratch/.config/tensordbg"
		echo 'config set theme light' >"$scratch/.config/tensordbg/config"
	fi
	# shellcheck disable=SC2086  # no ground is no word
	"$B/tests/tool_screenshot" $ground "$size" "$title" "pictures/$name.svg" "$B/tensordbg" --screen=modern "$@"
	set -- "$name"
	if command -v rsvg-convert >/dev/null; then
		rsvg-convert -z 2 "pictures/$1.svg" -o "$B/pictures/$1.png"
	fi
	rm -rf "${scratch:?}"/* "$scratch"/.[!.]*
}

picture walk 100x28 'A NaN, and where it came from' <<END
wait 301 dumped tensor(s):
wait Enter open
frame 2200
type ]n
wait row 204/301
frame 2200
type v
wait -inf 64  inf 0
frame 2600
type o
wait [Softmax] softmax
frame 2600
press tab
press enter
wait ni -a -d -t softmax
frame 2600
enter :picture softmax:0 --log
wait half a cell
frame 4000
END

picture panes 120x32 'A list, and beside it what its row is about' <<END
wait 301 dumped tensor(s)
wait Enter open
type ]n
wait row 204/301
type vV
wait min -82.43
END

picture grid 100x32 'A tensor as a grid, and as a heat map' <<END
wait 301 dumped tensor(s):
wait Enter open
enter :grid hidden/Wx_plus_b/MatMul:0 --colors heat
wait [,0]
type p
wait half a cell
END

picture runs 100x28 'The runs, and below them what changed in the first bad one' train20_whole <<END
wait 20 runs
wait Enter open
type ]n
wait row 13/20
type d
wait First bad:
wait >13
END

picture overview 120x20 'One page about the dump' train20_whole <<END
wait 20 runs
wait origin, first in run
type gh
wait Numbers
wait complete:
END

picture origin 120x16 'An origin, and how it came to what it reaches' <<END
wait 301 dumped tensor(s):
wait 1 origin
type go
wait spreads
enter :origins 1
wait total/Mean:0
END

step='profile/gpu_like/run_metadata.pb'

picture timeline 100x24 'Kernels above, what ran when below' "$step" <<END
wait 32.5
wait Enter drill
enter :layout timeline
wait GPU:0 stream 16
type w
wait , . zoom
type jj
type ...
END

picture made 100x28 'The line of the program that made the first bad op' v2/mode_CONCISE_HEALTH <<END
wait 46 executions.
wait Enter open
enter :run -f has_inf_or_nan
wait passing
enter :ps train.py -b 24
wait L24
END

# view NAME TITLE [ARGUMENT]... <SCRIPT: at three sizes, on both grounds.
view() {
	base=$1 title=$2
	shift 2
	cat >"$scratch.script"
	for size in 80x24 120x40 200x60; do
		ground=
		picture "$base-$size" "$size" "$title" "$@" <"$scratch.script"
		ground=--light
		picture "$base-$size-light" "$size" "$title" "$@" <"$scratch.script"
	done
	ground=
	rm -f "$scratch.script"
}

view list 'Tensors' mnist_nan <<END
wait 301 dumped
wait Enter open
END

view tensor 'A tensor' mnist_nan <<END
wait 301 dumped
wait Enter open
enter :pt cross_entropy/Log:0
wait -inf 64
END

view tree 'What feeds a node' mnist_nan <<END
wait 301 dumped
wait Enter open
enter :li -r -t cross_entropy/Log
wait Inputs to node
END

view node 'A node' mnist_nan <<END
wait 301 dumped
wait Enter open
enter :ni -a -d -t softmax
wait Node softmax
END

view picture 'A tensor as a heat map' mnist_nan <<END
wait 301 dumped
wait Enter open
enter :picture hidden/Wx_plus_b/add:0
wait half a cell
END

view keys 'The keys of the view' mnist_nan <<END
wait 301 dumped
wait Enter open
type ?
wait Esc close
END

view run 'A run of several' train20_whole <<END
wait 20 runs
wait Enter open
type ]n
wait row 13/20
press enter
wait row 1/32
END

view kernels 'GPU kernels' "$step" <<END
wait Enter drill
wait 3.057ms
END

view lanes 'What ran when' "$step" <<END
wait Enter drill
type gl
wait GPU:0 stream 16
END

view memory 'Memory over time' "$step" <<END
wait Enter drill
type gm
wait memory
END

view scopes 'Time by name scope' "$step" <<END
wait Enter drill
type gs
wait gradients
END

view graph 'What is near a node' "$step" <<END
wait Enter drill
enter :graph block_0/add -d 2
wait depth 2
END

view steps 'Executions of a recorded program' v2/mode_CONCISE_HEALTH <<END
wait 46 executions.
wait Enter open
enter :run -f has_inf_or_nan
wait passing
END
