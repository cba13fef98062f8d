#!/bin/sh
# What make and tests/deps.sh say: on a terminal how far the build is; of what is missing, which packages are going to be
# installed, or the line that installs them. What installs is a program that only writes down how it was called.
set -u

: "${B:?the build directory}"
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL MAKE_TERMOUT MAKE_TERMERR
passed=0 failed=0

# says WHAT PATTERN: a line of $scratch/said is PATTERN (says_not: none is).
says() {
	if grep -qx "$2" "$scratch/said"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "building: $1: no line is '$2' of:"
		cat "$scratch/said"
	fi
}
says_not() {
	if grep -qx "$2" "$scratch/said"; then
		failed=$((failed + 1))
		echo "building: $1: a line is '$2' of:"
		cat "$scratch/said"
	else
		passed=$((passed + 1))
	fi
}

# A build directory of its own, in which three steps are due, then one.
make="make -j1 B=$scratch/build $scratch/build/dump/base/err.o"
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
	script -qec "$make" /dev/null </dev/null | tr -d '\r' >"$scratch/said"
	says "the first step on a terminal" '\[1/2\] PB dump/proto/framework.proto'
	says "the last step on a terminal" '\[2/2\] CC dump/base/err.c'
	script -qec "$make $scratch/build/dump/base/str.o" /dev/null </dev/null | tr -d '\r' >"$scratch/said"
	says "the step that is left" '\[1/1\] CC dump/base/str.c'
else
	echo "skipped: there is no script(1) that gives make a terminal"
fi
rm -rf "$scratch/build"
$make >"$scratch/said" 2>&1
says "a step elsewhere" '  CC dump/base/err.c'

# deps HOW KIND... as user $user, where $tools are all the programs that there are.
mkdir "$scratch/bin"
for tool in sh awk cat cut env fold grep sed tr; do
	ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "called: $0 $*" | sed "s,[^ ]*/,,"\n' >"$scratch/bin/apt-get"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "sudo follows"; exec "$@"\n' >"$scratch/sudo"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "$user"\n' >"$scratch/bin/id"
chmod +x "$scratch/bin/apt-get" "$scratch/bin/id" "$scratch/sudo"
deps() { CC=no-such-compiler PKG_CONFIG=no-such-pkg-config PATH="$scratch/bin" tests/deps.sh "$@" >"$scratch/said" 2>&1; }

export user=0
deps install build
says "root" 'tensordbg: apt-get will now install, as root, the packages that are missing here:'
says "root" '    gcc libc6-dev pkg-config protobuf-c-compiler .*'
says "root" 'called: apt-get install -q -y --no-install-recommends gcc libc6-dev pkg-config .*'
says "what is still missing" 'As root, install it with: apt-get install gcc .*'
deps check build
says "a build that root begins" 'make deps does so.'
user=1000
deps check build
says_not "a build without root" 'make deps does so.'
deps install build test
says "without root" 'tensordbg: missing here: a C compiler, pkg-config, .*'
says "without root" 'As root, install it with: apt-get install gcc libc6-dev .* mandoc patch'
says_not "without root" 'called: .*'
ln -s "$scratch/sudo" "$scratch/bin/sudo"
deps install deb git
says "with sudo" 'tensordbg: sudo apt-get will now install, as root, the packages that are missing here:'
says "with sudo" '    debhelper dpkg-dev lintian build-essential git'
says "with sudo" 'sudo follows'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
