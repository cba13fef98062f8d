#!/bin/sh
# tests/deps.sh check|install build|test|static|deb|git...
# tests/deps.sh list SYSTEM build|test|static|deb|git [tool|pc|lib...]
#
# What it takes to build, and beyond that to test, to build the static program, to make a package for Debian, to list the
# sources of a checkout. `check` is silent if all is there; else it names what is missing, with the line that installs it
# here, and fails. `install` installs it where there are apt-get and root or sudo, and says so before it begins; elsewhere it
# does what `check` does. `list` prints the packages of another system. $CC and $PKG_CONFIG are heeded.
set -eu

: "${CC:=cc}" "${PKG_CONFIG:=pkg-config}"
how=$1
shift

# For: what it is, how it is looked for, and its packages in Debian, Fedora, Arch, Alpine, Homebrew (- where it comes with
# another or the system).
needs() {
	cat <<-'END'
	build tool:CC              gcc,libc6-dev          gcc                   gcc         build-base           -
	build tool:PKG_CONFIG      pkg-config             pkgconf-pkg-config    pkgconf     pkgconf              pkgconf
	build tool:protoc-c        protobuf-c-compiler    protobuf-c-compiler   protobuf-c  protobuf-c-compiler  protobuf-c
	build pc:ncursesw          libncurses-dev         ncurses-devel         ncurses     ncurses-dev          ncurses
	build pc:readline          libreadline-dev        readline-devel        readline    readline-dev         readline
	build pc:libpcre2-8        libpcre2-dev           pcre2-devel           pcre2       pcre2-dev            pcre2
	build pc:libprotobuf-c     libprotobuf-c-dev      protobuf-c-devel      protobuf-c  protobuf-c-dev       protobuf-c
	build pc:sqlite3           libsqlite3-dev         sqlite-devel          sqlite      sqlite-dev           sqlite
	build pc:zlib              zlib1g-dev             zlib-devel            zlib        zlib-dev             zlib
	build pc:libarchive        libarchive-dev         libarchive-devel      libarchive  libarchive-dev       libarchive
	build lib:iberty           libiberty-dev          binutils-devel        binutils    binutils-dev         binutils
	test  pc:check             check                  check-devel           check       check-dev            check
	test  pc:vterm             libvterm-dev           libvterm-devel        libvterm    libvterm-dev         libvterm
	test  tool:mandoc          mandoc                 mandoc                mandoc      mandoc               mandoc
	test  tool:patch         patch                  patch                 patch       patch                -
	deb   tool:dh               debhelper              -                     -           -                    -
	deb   tool:dpkg-buildpackage  dpkg-dev             -                     -           -                    -
	deb   tool:lintian          lintian                -                     -           -                    -
	deb   deb:build-essential  build-essential        -                     -           -                    -
	git   tool:git              git                    git                   git         git                  git
	static a:c               libc6-dev              glibc-static          glibc       -                    -
	static a:zstd            libzstd-dev            libzstd-static        zstd        zstd-static          zstd
	static file:/usr/lib/locale/C.utf8/LC_CTYPE  libc-bin  glibc-common           glibc       -                    -
	static term:kitty        ncurses-bin,ncurses-term  ncurses,ncurses-term  ncurses  ncurses,ncurses-terminfo  ncurses
	END
}

system() {
	command -v apt-get >/dev/null && echo debian && return
	command -v dnf >/dev/null && echo fedora && return
	command -v pacman >/dev/null && echo arch && return
	command -v apk >/dev/null && echo alpine && return
	command -v brew >/dev/null && echo homebrew && return
	echo other
}

# packages_of SYSTEM DEBIAN FEDORA ARCH ALPINE HOMEBREW
packages_of() {
	case $1 in
	debian) echo "$2" ;;
	fedora) echo "$3" ;;
	arch) echo "$4" ;;
	alpine) echo "$5" ;;
	homebrew) echo "$6" ;;
	*) echo - ;;
	esac
}

# list SYSTEM KIND [HOW IT IS LOOKED FOR...]
list() {
	system=$1 kind=$2
	shift 2
	needs | while read -r for what packages; do
		[ "$for" = "$kind" ] || continue
		case " ${*:-${what%%:*}} " in *" ${what%%:*} "*) ;; *) continue ;; esac
		# shellcheck disable=SC2086
		packages_of "$system" $packages
	done | tr ',' '\n' | grep -v '^-$' | awk '!seen[$0]++'
}

# is_there KIND:NAME
is_there() {
	case $1 in
	tool:CC) command -v "${CC%% *}" >/dev/null && echo 'int main(void) { return 0; }' | $CC -x c -o /dev/null - 2>/dev/null ;;
	tool:PKG_CONFIG) command -v "${PKG_CONFIG%% *}" >/dev/null ;;
	tool:*) command -v "${1#tool:}" >/dev/null ;;
	deb:*) dpkg-query -W -f '${Status}' "${1#deb:}" 2>/dev/null | grep -q ' installed$' ;;
	pc:*) $PKG_CONFIG --exists "${1#pc:}" 2>/dev/null ;;
	a:*) echo 'int main(void) { return 0; }' | $CC -static -x c -o /dev/null - "-l${1#a:}" 2>/dev/null ;;
	file:*) [ -r "${1#file:}" ] ;;
	term:*) infocmp "${1#term:}" >/dev/null 2>&1 ;;
	lib:*) echo 'int main(void) { return 0; }' | $CC -x c -o /dev/null - "-l${1#lib:}" 2>/dev/null ;;
	esac
}

# What is missing of the kinds named: a line each, "WHAT PACKAGES".
missing() {
	for kind; do
		needs | while read -r for what packages; do
			[ "$for" = "$kind" ] || continue
			is_there "$what" && continue
			case $what in
			tool:CC) name="a C compiler" ;;
			tool:PKG_CONFIG) name=pkg-config ;;
			lib:*) name=lib${what#lib:} ;;
			a:*) name=lib${what#a:}.a ;;
			term:*) name="the terminfo entry ${what#term:}" ;;
			*) name=${what#*:} ;;
			esac
			# shellcheck disable=SC2086
			printf '%s\t%s\n' "$name" "$(packages_of "$(system)" $packages)"
		done
	done
}

# Prints what runs a command as root, nothing if this is root already; false if nothing does.
as_root() {
	[ "$(id -u)" != 0 ] || return 0
	command -v sudo
}

# The packages of what is lacking, in one line.
packages() { printf '%s\n' "$lacking" | cut -f 2 | tr ', ' '\n\n' | grep -v '^-*$' | awk '!seen[$0]++' | tr '\n' ' ' | sed 's, *$,,'; }

report() {
	names=$(printf '%s\n' "$lacking" | cut -f 1 | tr '\n' ',' | sed 's/,$//; s/,/, /g')
	echo "tensordbg: missing here: $names" >&2
	case $(system) in
	debian) line="apt-get install $(packages)" ;;
	fedora) line="dnf install $(packages)" ;;
	arch) line="pacman -S $(packages)" ;;
	alpine) line="apk add $(packages)" ;;
	homebrew) line="brew install $(packages)" ;;
	*) line= ;;
	esac
	case $(system) in
	other) echo "Please install it, with the headers of the libraries." >&2 ;;
	homebrew) echo "Install it with: $line" >&2 ;;
	*) echo "As root, install it with: $line" >&2 ;;
	esac
	if [ "$how:$(system):$kinds" = check:debian:build ] && as_root >/dev/null; then
		echo "make deps does so." >&2
	fi
}

[ "$how" != list ] || { list "$@"; exit; }
kinds=$*
lacking=$(missing "$@")
[ -n "$lacking" ] || exit 0
if [ "$how" = install ] && [ "$(system)" = debian ] && root=$(as_root); then
	echo "tensordbg: ${root:+sudo }apt-get will now install, as root, the packages that are missing here:"
	echo "$(packages)" | fold -s -w 100 | sed 's/^/    /'
	$root apt-get update -q
	# sudo may drop what is only exported.
	# shellcheck disable=SC2046
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $(packages)
	lacking=$(missing "$@")
	[ -n "$lacking" ] || exit 0
fi
report
exit 1
