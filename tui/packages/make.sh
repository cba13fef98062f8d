#!/bin/sh
# tui/packages/make.sh source TARBALL          the sources, as one file
# tui/packages/make.sh files DIRECTORY TARBALL  what packages are made from, into DIRECTORY
# tui/packages/make.sh debian DIRECTORY TARBALL  a source and a binary package for Debian, in DIRECTORY
#
# The files beside this one are templates: @NAME@ stands for a fact, which is looked up below where it is kept, and a line
# whose fact is empty is left out. $SOURCE_URL is where TARBALL will be fetched (where it lies, if not said), $HOMEPAGE and
# $MAINTAINER are what they say. All of it is the same bytes for the same sources: $SOURCE_DATE_EPOCH is their date, else
# the last commit, else that of the newest file, which is the same in what `source` packed. It takes GNU tar, date and sed.
set -eu
cd "$(dirname "$0")/../.."
here=tui/packages

export LC_ALL=C TZ=UTC
VERSION=$(sed -n 's/^#define TENSORDBG_VERSION "\(.*\)"$/\1/p' dump/base/version.h)
packed=tensordbg-$VERSION

# The files of the sources, each with a 0 after it.
sources() {
	if [ -e .git ]; then
		git ls-files -z
	else
		find . -path './build*' -prune -o \( -type f -o -type l \) -print0 | sed -z 's,^\./,,'
	fi | sort -z
}

epoch() {
	if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
		echo "$SOURCE_DATE_EPOCH"
	elif [ -e .git ]; then
		git log -1 --format=%ct
	else
		sources | xargs -0 stat -c %Y | sort -n | tail -n 1
	fi
}

pack_sources() {
	mkdir -p "$(dirname "$1")"
	sources | tar -cf "$1.tar" --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--mtime="@$SOURCE_DATE_EPOCH" --transform="s,^,$packed/,SH" --no-recursion --null --files-from=-
	gzip -9n <"$1.tar" >"$1"
	rm -f "$1.tar"
}

# lines FORMAT: each word of standard input by this format, on lines.
lines() { tr '\n' ' ' | xargs -r printf "$1\n"; }

# The README's first paragraph, without its marks, in lines of at most 75.
description() {
	awk 'NR > 1 && !NF && seen { exit } NR > 1 && NF { seen = 1; print }' README.md | tr -d '`*' | tr '\n' ' ' |
		fold -s -w 75 | sed 's/ *$//'
	echo
}

# Debian takes a compiler and make for granted.
debian_needs() { tests/deps.sh list debian "$@" | grep -vx -e gcc -e libc6-dev | lines ' %s,' | sed '$s/,$//'; }

# What SYSTEM needs to build, beyond what the program runs with.
to_build() {
	tests/deps.sh list "$1" build tool lib | while read -r package; do
		tests/deps.sh list "$1" build pc | grep -qx "$package" || echo "$package"
	done
}

# facts TARBALL
facts() {
	export VERSION LICENSE="GPL-3.0-or-later"
	export HOMEPAGE="${HOMEPAGE:-}" SOURCE_URL="${SOURCE_URL:-}"
	export MAINTAINER="${MAINTAINER:-The authors of tensordbg <tensordbg@packages.invalid>}"
	SHA256=$(sha256sum <"$1" | cut -d ' ' -f 1)
	SUMMARY=$(sed -n 's/^\.Nd //p' tui/tensordbg.1)
	TITLE=$(printf '%s' "$SUMMARY" | cut -c 1 | tr '[:lower:]' '[:upper:]')${SUMMARY#?}
	DESCRIPTION=$(description)
	YEAR=$(date -d "@$SOURCE_DATE_EPOCH" +%Y)
	DATE_MAIL=$(date -d "@$SOURCE_DATE_EPOCH" -R)
	DATE_RPM=$(date -d "@$SOURCE_DATE_EPOCH" '+%a %b %d %Y')
	export SHA256 SUMMARY TITLE DESCRIPTION YEAR DATE_MAIL DATE_RPM

	DEBIAN_BUILD=$(debian_needs build)
	DEBIAN_TEST=$(debian_needs test | sed 's/,*$/ <!nocheck>&/')
	DEBIAN_DESCRIPTION=$(printf '%s\n' "$DESCRIPTION" | sed 's/^/ /')
	FEDORA_BUILD=$(tests/deps.sh list fedora build | lines 'BuildRequires:  %s')
	FEDORA_TEST=$(tests/deps.sh list fedora test | lines 'BuildRequires:  %s')
	ARCH_RUN=$(tests/deps.sh list arch build pc | xargs)
	ARCH_BUILD=$(to_build arch | xargs)
	ARCH_TEST=$(tests/deps.sh list arch test | xargs)
	HOMEBREW_DEPENDS=$(to_build homebrew | lines '  depends_on "%s" => :build'
		tests/deps.sh list homebrew build pc | lines '  depends_on "%s"')
	export DEBIAN_BUILD DEBIAN_TEST DEBIAN_DESCRIPTION FEDORA_BUILD FEDORA_TEST ARCH_RUN ARCH_BUILD ARCH_TEST \
		HOMEBREW_DEPENDS
}

# fill TEMPLATE: with the facts in the environment.
fill() {
	awk '{
		line = ""
		for (rest = $0; match(rest, /@[A-Z0-9_]+@/); rest = substr(rest, RSTART + RLENGTH)) {
			name = substr(rest, RSTART + 1, RLENGTH - 2)
			if (!(name in ENVIRON)) {
				print FILENAME ":" FNR ": no such fact: " name >"/dev/stderr"
				exit 1
			}
			if (ENVIRON[name] == "") next
			line = line substr(rest, 1, RSTART - 1) ENVIRON[name]
		}
		print line rest
	}' "$1"
}

# write_filled FROM TO: the templates below FROM; an executable stays one.
write_filled() {
	(cd "$1" && find . -type f ! -name make.sh | sort) | while read -r name; do
		mkdir -p "$(dirname "$2/$name")"
		fill "$1/$name" >"$2/$name"
		[ ! -x "$1/$name" ] || chmod +x "$2/$name"
	done
}

# Where dpkg-buildpackage wants them: the tarball by its own name, beside the sources with debian/ in them.
make_debian() {
	rm -rf "$1"
	mkdir -p "$1"
	cp "$2" "$1/tensordbg_$VERSION.orig.tar.gz"
	tar -xzf "$2" -C "$1"
	write_filled $here/debian "$1/$packed/debian"
	(cd "$1/$packed" && DEB_BUILD_OPTIONS="parallel=${JOBS:-1} ${DEB_BUILD_OPTIONS:-}" dpkg-buildpackage --no-sign)
	lintian --fail-on error "$1"/*.changes
}

how=$1
to=$2
SOURCE_DATE_EPOCH=$(epoch)
export SOURCE_DATE_EPOCH
case $how in
source) pack_sources "$to" ;;
files)
	SOURCE_URL=${SOURCE_URL:-file://$3}
	facts "$3"
	write_filled $here "$to"
	;;
debian)
	facts "$3"
	make_debian "$to" "$3"
	;;
esac
