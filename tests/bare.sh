#!/bin/sh
# tests/bare.sh: what the README promises, on a machine with nothing but make. The committed tree, once with .git and once
# without, is put into a minimal root of this Debian (debootstrap), and the README's commands run there as they stand: make
# demo at a terminal, where a key leaves it, make test, make static, make deb, installing and removing the package. It
# prints a line for each step with its time, and the end of what a failing step said. $STEPS are the steps to take, $TREES
# the trees ("git plain"); $BARE keeps the minimal root in that directory, for another time.
#
# It takes root, the network and some 20 minutes on two cores, and is no part of `make test`. The mirror and the proxy are
# those of this machine's apt.
set -u

cd "$(dirname "$0")/.." || exit 1
: "${STEPS:=demo test static deb install remove}" "${TREES:=git plain}"
passed=0 failed=0

skip() {
	echo "skipped: $1"
	echo "0 passed, 0 failed"
	exit 0
}
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
[ "$(id -u)" = 0 ] || skip "a root of its own takes root"
[ -e .git ] && command -v git >/dev/null || skip "the committed tree takes git and a checkout"

# What apt here knows of Debian: "URI CODENAME COMPONENT LABEL" a line.
repositories() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT) $(LABEL)' \
		'Created-By: Packages' 'Origin: Debian' | sort -u
}
# shellcheck disable=SC1091
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(repositories | awk -v codename="$codename" '$2 == codename && $3 == "main" && $4 == "Debian" { print $1; exit }')
[ -n "$mirror" ] || skip "apt here knows no mirror of Debian $codename"
proxy=$(apt-config dump --format '%v' Acquire::http::Proxy)
[ -z "$proxy" ] || export http_proxy="$proxy"

# inside COMMAND: as somebody who has just logged in there, in the tree.
inside() {
	chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=xterm-256color \
		${http_proxy:+"http_proxy=$http_proxy"} sh -c "cd /root/tensordbg && $1"
}
if [ "${1:-}" = --demo ]; then
	root=$2
	stty rows 24 cols 80
	inside "make demo"
	exit
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/tensordbg-bare-XXXXXX") || exit 1
root=$scratch/root base=${BARE:-$scratch}/base
unmount() {
	for inside in dev/pts dev/shm proc; do
		! grep -q " $root/$inside " /proc/mounts || umount -l "$root/$inside"
	done
}
trap 'unmount && rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# step NAME COMMAND...
step() {
	name=$1
	shift
	begin=$(date +%s)
	if "$@" >"$scratch/said" 2>&1; then
		passed=$((passed + 1)) result=passed
	else
		failed=$((failed + 1)) result=FAILED
	fi
	printf '%-32s %s %5d s  %s\n' "$name" $result $(($(date +%s) - begin)) "$(tail -n 1 "$scratch/said" | cut -c 1-70)"
	[ $result = passed ] || { tail -n 40 "$scratch/said" | sed 's/^/    /'; false; }
}

# The root of a fresh machine: its apt knows what apt here knows, and make is there.
make_base() {
	[ ! -e "$base/made" ] || return 0
	rm -rf "$base"
	mkdir -p "$base"
	debootstrap --variant=minbase --include=make "$codename" "$base" "$mirror" || return 1
	repositories | awk '{ print "deb " $1, $2, $3 }' >"$base/etc/apt/sources.list"
	apt-config dump Acquire::http Acquire::https Acquire::Check-Valid-Until Acquire::Check-Date \
		>"$base/etc/apt/apt.conf.d/99here"
	cp /etc/resolv.conf "$base/etc/resolv.conf"
	touch "$base/made"
}

# A machine of its own for each tree: the one before it has installed packages. The tree has its .git, or is as packed.
put_tree() {
	unmount
	rm -rf --one-file-system "$root"
	cp -a "$base" "$root" && mkdir -p "$root/dev/pts" "$root/dev/shm" "$root/root/tensordbg" &&
		mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/dev/shm" &&
		mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" &&
		ln -sf pts/ptmx "$root/dev/ptmx" || return 1
	if [ "$1" = git ]; then
		git clone -q --no-hardlinks . "$root/root/tensordbg"
	else
		git archive HEAD | tar -xf - -C "$root/root/tensordbg"
	fi
}

# The demo at a terminal of 80 x 24: its screen is waited for, then it is left.
demo() {
	rm -f "$scratch/keys" "$scratch/screen"
	mkfifo "$scratch/keys" && : >"$scratch/screen" || return 1
	script -qefc "$0 --demo $root" "$scratch/screen" <"$scratch/keys" >/dev/null &
	program=$!
	exec 3>"$scratch/keys"
	until grep -q cross_entropy "$scratch/screen" || ! kill -0 $program 2>/dev/null; do
		sleep 1
	done
	while kill -0 $program 2>/dev/null; do
		printf qy >&3
		sleep 1
	done
	exec 3>&-
	wait $program
	status=$?
	tr -d '\r' <"$scratch/screen" | sed 's/\x1b.*//'
	[ $status = 0 ] && grep -q cross_entropy "$scratch/screen"
}

each_step() {
	for one in $STEPS; do
		case $one in
		demo) step "$1: make demo" demo ;;
		test | static | deb) step "$1: make $one" inside "make $one </dev/null" ;;
		install) step "$1: installing the package" inside "apt-get install -y ./build/packages/deb/tensordbg_*.deb &&
			cd / && tensordbg -c 'origins 1' /root/tensordbg/testdata/mnist_nan" ;;
		remove) step "$1: removing the package" inside "apt-get remove -y tensordbg && ! command -v tensordbg" ;;
		esac
	done
}

step "a minimal $codename" make_base || exit 1
for tree in $TREES; do
	step "$tree: the tree" put_tree "$tree" && each_step "$tree"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
