#!/bin/sh
# Installs the Debian packages in $PACKAGES that are missing. Elsewhere it tells what is.
set -eu

tools_missing() {
	for tool in cc pkg-config protoc-c; do
		command -v "$tool" >/dev/null || echo "$tool"
	done
	for library in ncursesw readline libpcre2-8 libprotobuf-c check vterm; do
		pkg-config --exists "$library" 2>/dev/null || echo "$library"
	done
}

if ! command -v apt-get >/dev/null; then
	missing=$(tools_missing)
	[ -z "$missing" ] && exit 0
	echo "Please install, with headers:" $missing >&2
	exit 1
fi

missing=
for package in $PACKAGES; do
	status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$status" = installed ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
	as_root=sudo
	if ! command -v sudo >/dev/null; then
		echo "Please install, as root: apt-get install$missing" >&2
		exit 1
	fi
fi
echo "installing$missing"
$as_root apt-get update -q
# sudo may drop what is only exported.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
