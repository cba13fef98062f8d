#!/bin/sh
# tests/packages.sh ROOT DEB...
#
# Installs these packages of tensordbg (`make deb`), one after the other, oldest first, in a copy of ROOT, a clean Debian
# (debootstrap makes one), uses what they install, removes and purges: nothing may be left. It takes root, and a mirror for
# what the package depends on; make test does not run it.
set -u

[ $# -ge 2 ] || { sed -n '2,6s/^# *//p' "$0" >&2; exit 2; }
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
dump=$(dirname "$0")/../testdata/mnist_nan
scratch=$(mktemp -d)
root=$scratch/root
passed=0 failed=0

end() {
	umount "$root/proc" 2>/dev/null
	rm -rf --one-file-system "$scratch"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
	exit
}
trap 'failed=1; end' INT TERM

skip() {
	echo "skipped: $1"
	passed=1
	end
}

# checked WHAT COMMAND...
checked() {
	what=$1
	shift
	if "$@" >"$scratch/said" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "packages: $what"
		cat "$scratch/said"
	fi
}

in_root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
	DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }

[ "$(id -u)" = 0 ] || skip "only root can enter another root"
cp -a --one-file-system "$1" "$root" || skip "$1 cannot be copied"
shift
mkdir -p "$root/proc" && mount -t proc proc "$root/proc" || skip "there can be no /proc in the copy"
mkdir "$root/debs"
cp "$@" "$root/debs"
cp -r "$dump" "$root/dump"

# Small images leave manuals out (dpkg.cfg.d). All but the package itself comes first: then what it leaves can be told from
# what others brought.
first=/debs/$(basename "$1")
in_root sh -c "apt-get update -q && apt-get install -q -y --no-install-recommends man-db bash-completion zsh &&
	rm -f /etc/dpkg/dpkg.cfg.d/docker /etc/dpkg/dpkg.cfg.d/excludes &&
	apt-get install -q -y --no-install-recommends $first && apt-get purge -q -y tensordbg" >"$scratch/said" 2>&1 ||
	{ cat "$scratch/said"; skip "what it depends on cannot be installed"; }
files() {
	(cd "$root" && find . -xdev ! -type d ! -path './var/cache/*' ! -path './var/log/*' ! -path './var/lib/dpkg/*' \
		! -path './proc/*' | sort)
}
files >"$scratch/before"

program_answers() { in_root tensordbg -c 'lt -f has_inf_or_nan' /dump | grep 'cross_entropy/Log'; }
version_is() { [ "$(in_root tensordbg --version)" = "tensordbg $1" ]; }
manual_shows() { in_root man tensordbg | grep "^NAME" && in_root man tensordbg-nan | grep "^NAME"; }
bash_completes() {
	in_root bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader tensordbg; complete -p tensordbg
		COMP_WORDS=(tensordbg --vers) COMP_CWORD=1 COMP_LINE="tensordbg --vers" COMP_POINT=16
		$(complete -p tensordbg | sed "s/.*-F \([^ ]*\).*/\1/") tensordbg --vers tensordbg
		echo "${COMPREPLY[@]}"' | grep -x -- '--version *'
}
zsh_completes() {
	[ "$(in_root zsh -fc 'autoload -Uz compinit && compinit -D && echo $_comps[tensordbg]')" = _tensordbg ]
}
for deb; do
	name=/debs/$(basename "$deb")
	version=$(in_root dpkg-deb -f "$name" Version)
	checked "$version is not installed" in_root dpkg -i "$name"
	checked "$version has another version in it" version_is "${version%-*}"
	checked "$version answers nothing" program_answers
	checked "$version has no manual" manual_shows
	checked "$version does not complete in bash" bash_completes
	checked "$version does not complete in zsh" zsh_completes
	checked "$version has files that are not as packed" in_root dpkg --verify tensordbg
done

checked "is not removed" in_root dpkg --remove tensordbg
gone() { ! in_root sh -c 'command -v tensordbg'; }
checked "is still there" gone
checked "is not purged" in_root dpkg --purge tensordbg
nothing_left() { files | diff "$scratch/before" -; }
checked "leaves files, or takes others'" nothing_left
end
