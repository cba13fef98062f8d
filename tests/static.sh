#!/bin/sh
# The static program (`make static`) in a root of its own, with nothing but a dump: it answers what $B/tensordbg answers,
# and its screen opens on terminals that nothing there describes. It is skipped unless it was built of these sources.
# --again: whether it is built the same, byte for byte, in another directory.
set -u

: "${B:?the build directory}"
cd "$(dirname "$0")/.." || exit 1
static=build-static/tensordbg most_bytes=12000000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

skip() {
	echo "skipped: $1"
	echo "1 passed, 0 failed"
	exit 0
}

# checked WHAT COMMAND...
checked() {
	what=$1
	shift
	if "$@" >"$scratch/said" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "static: $what"
		cat "$scratch/said"
	fi
}

end() {
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
	exit
}

[ -e "$static" ] || skip "there is no static program; make static builds it"
if [ "${1:-}" = --again ]; then
	unset MAKEFLAGS MFLAGS MAKELEVEL
	mkdir "$scratch/again"
	cp -r Makefile dump cmds tui tests "$scratch/again"
	checked "is not built" make -C "$scratch/again" -j2 ${CC:+"CC=$CC"} static
	checked "is built differently elsewhere" cmp "$static" "$scratch/again/$static"
	end
fi
[ -z "$(find dump cmds tui -name '*.[ch]' -newer "$static" -print -quit)" ] ||
	skip "the static program is older than the sources; make static builds it"
enter=$(command -v chroot)
if ! "$enter" / true 2>/dev/null; then
	unshare -r "$enter" / true 2>/dev/null || skip "no root of its own can be made here (chroot, unshare -r)"
	enter="$(command -v unshare) -r $enter"
fi

root="$scratch/root"
mkdir "$root"
cp "$static" "$root/tensordbg"
cp -r testdata/mnist_nan testdata/v2 testdata/arrays testdata/traces testdata/tables "$root"

is_small() { [ "$(wc -c <"$static")" -le "$most_bytes" ]; }
checked "is larger than $most_bytes bytes" is_small

# answers PATH COMMAND: as they are from the other program in the same place.
answers() {
	# shellcheck disable=SC2086
	env -i TZ=UTC LC_ALL=C.UTF-8 $enter "$root" /tensordbg --keep-going -c "$2" "$1" >"$scratch/got" 2>&1
	echo "status $?" >>"$scratch/got"
	(cd "$root" && env -i TZ=UTC LC_ALL=C.UTF-8 "$B/tensordbg" --keep-going -c "$2" "$1") >"$scratch/wanted" 2>&1
	echo "status $?" >>"$scratch/wanted"
	diff "$scratch/wanted" "$scratch/got"
}
while read -r path command; do
	checked "\"$command\" of $path is answered differently" answers "$path" "$command"
done <<END
mnist_nan lt -f has_inf_or_nan
mnist_nan lt -n .*[Rr]elu
mnist_nan pt -s hidden/weights/Variable:0
mnist_nan li -r -t cross_entropy/Log
mnist_nan origins
mnist_nan no_such_command
v2 lx
arrays lt
traces kernels
tables kernels
nowhere lt
END

# The language comes along, its files do not: characters beyond ASCII show all the same.
opens() {
	# shellcheck disable=SC2086
	"$B/tests/tool_frame" screen 1 "$2" env -i TERM="$1" LANG=de_DE.UTF-8 $enter "$root" /tensordbg \
		--screen=modern mnist_nan
}
for term in xterm-256color xterm screen-256color tmux-256color linux vt100 vt220 rxvt-unicode-256color alacritty foot \
            xterm-kitty xterm-ghostty putty; do
	checked "opens no screen on TERM=$term" opens "$term" '◆ 1 origin'
done
checked "draws a screen on TERM=dumb" opens dumb 'tfdbg>'
checked "says nothing of TERM=no-such-terminal" opens no-such-terminal 'try --ui=line'
end
