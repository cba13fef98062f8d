#!/bin/sh
# tests/deps.sh check|install build|test|static|deb...
# tests/deps.sh list SYSTEM build|test|static|deb [tool|pc|lib...]
#
# What it takes to build, and beyond that to test, to build the static program, a package for Debian. `check` is silent if
# all is there; else it names what is missing, with the line that installs it here, and fails. `install` does so first where
# there is apt-get. `list` prints the packages of another system. $CC and $PKG_CONFIG are heeded.
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

as_root() {
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || return 1
		echo sudo
	fi
}

report() {
	names=$(printf '%s\n' "$lacking" | cut -f 1 | tr '\n' ',' | sed 's/,$//; s/,/, /g')
	packages=$(printf '%s\n' "$lacking" | cut -f 2 | grep -v '^-$' | tr ',\n' '  ' | sed 's/ *$//')
	echo "tensordbg cannot be built or tested yet; missing: $names" >&2
	case $(system) in
	debian) echo "install them with: make deps, or as root: apt-get install $packages" >&2 ;;
	fedora) echo "install them with: dnf install $packages" >&2 ;;
	arch) echo "install them with: pacman -S $packages" >&2 ;;
	alpine) echo "install them with: apk add $packages" >&2 ;;
	homebrew) echo "install them with: brew install $packages" >&2 ;;
	*) echo "please install them, with their headers" >&2 ;;
	esac
}

[ "$how" != list ] || { list "$@"; exit; }
lacking=$(missing "$@")
[ -n "$lacking" ] || exit 0
if [ "$how" = install ] && [ "$(system)" = debian ] && root=$(as_root); then
	packages=$(printf '%s\n' "$lacking" | cut -f 2 | tr ',\n' '  ')
	echo "installing $packages"
	$root apt-get update -q
	# sudo may drop what is only exported.
	# shellcheck disable=SC2086
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages
	lacking=$(missing "$@")
	[ -n "$lacking" ] || exit 0
fi
report
exit 1
