#!/bin/sh
# What packages are made from tells the same as the program: its version, what tests/deps.sh says it needs, and each file
# that `make install` installs. What there is a reader for here (bash, ruby, rpmspec, dpkg) must be readable to it.
set -u

: "${B:?the build directory}"
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
passed=0 failed=0

# checked WHAT COMMAND...
checked() {
	what=$1
	shift
	if "$@" >"$scratch/said" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "package files: $what"
		cat "$scratch/said"
	fi
}

version=$("$B/tensordbg" --version | cut -d ' ' -f 2)
echo sources >"$scratch/tarball"
sha=$(sha256sum <"$scratch/tarball" | cut -d ' ' -f 1)
url=https://example.org/tensordbg.tar.gz
made="$scratch/made"
export SOURCE_DATE_EPOCH=1700000000 SOURCE_URL=$url HOMEPAGE=https://example.org MAINTAINER='A. Name <a@example.org>'
checked "are not made" tui/packages/make.sh files "$made" "$scratch/tarball"
formula=$made/tensordbg.rb pkgbuild=$made/PKGBUILD spec=$made/tensordbg.spec control=$made/debian/control

# says FILE LINE: one line of it, whatever is before it.
says() { grep -q "^ *$2\$" "$1" || { cat "$1" && false; }; }
checked "the formula has another version" says "$formula" "version \"$version\""
checked "the PKGBUILD has another version" says "$pkgbuild" "pkgver=$version"
checked "the spec has another version" says "$spec" "Version: *$version"
checked "the changelog has another version" says "$made/debian/changelog" "tensordbg ($version-1) unstable; .*"
checked "the formula has another sum" says "$formula" "sha256 \"$sha\""
checked "the PKGBUILD has another sum" says "$pkgbuild" "sha256sums=($sha)"
checked "the spec has another source" says "$spec" "Source0: *$url"
no_marks() { ! grep -r '@[A-Z0-9_]*@' "$made"; }
checked "a mark is left" no_marks

# needs FILE SYSTEM KIND FORMAT: a line for each package.
needs() {
	tests/deps.sh list "$2" "$3" | while read -r package; do
		case $package in
		gcc | libc6-dev) [ "$2" = debian ] && continue ;;
		esac
		# shellcheck disable=SC2059
		says "$1" "$(printf "$4" "$package")" || exit 1
	done
}
for kind in build test; do
	checked "debian/control does not name what it takes to $kind" needs "$control" debian $kind '%s\( <!nocheck>\)*,*'
	checked "the spec does not name what it takes to $kind" needs "$spec" fedora $kind 'BuildRequires: *%s'
	checked "the PKGBUILD does not name what it takes to $kind" \
		needs "$pkgbuild" arch $kind '[a-z]*depends=(\(.* \)*%s\( .*\)*)'
done
checked "the formula does not name what it takes to build" needs "$formula" homebrew build 'depends_on "%s".*'

# The spec's files, where they go, are those of make install.
installed() {
	make -s -o "$B/tensordbg" "B=$B" "DESTDIR=$scratch/root" PREFIX=/usr install || return 1
	(cd "$scratch/root" && find . -type f | sed 's,^\.,,' | sort) >"$scratch/wanted"
	sed -n -e 's,^%{_bindir},/usr/bin,p' -e 's,^%{_datadir},/usr/share,p' \
		-e 's,^%{_mandir}\(.*\)\*$,/usr/share/man\1,p' "$spec" | sort >"$scratch/got"
	diff "$scratch/wanted" "$scratch/got"
}
checked "the spec names other files than make install" installed

# What is not known is left out, with its line.
unset SOURCE_URL HOMEPAGE MAINTAINER
checked "are not made without a homepage" tui/packages/make.sh files "$scratch/bare" "$scratch/tarball"
no_homepage() { ! grep -ri -e homepage -e '^url' "$scratch/bare"; }
checked "a homepage is made up" no_homepage
checked "the source is not the tarball" says "$scratch/bare/PKGBUILD" "source=(\"file://$scratch/tarball\")"

readable() {
	if command -v "$1" >/dev/null; then
		checked "$*" "$@"
	else
		echo "skipped: what $1 reads: it is not installed"
	fi
}
readable bash -c ". \"$pkgbuild\" && [ \"\${#depends[@]}\" -gt 5 ] && declare -f build check package"
readable ruby -c "$formula"
readable rpmspec -P "$spec"
readable dpkg-parsechangelog -l "$made/debian/changelog" -S Version
if [ -e /usr/share/dpkg/buildopts.mk ] && command -v dh >/dev/null; then
	readable make -n -f "$made/debian/rules" -C "$scratch" override_dh_auto_install
else
	echo "skipped: debian/rules: dpkg-dev and debhelper, which it calls, are not installed"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
