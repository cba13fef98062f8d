#!/bin/sh
# make install puts each file where it belongs, below DESTDIR and PREFIX, and nothing else anywhere.
set -u

: "${B:?the build directory}"
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
passed=0 failed=0

# The program that is tested is the one that other tests run now: -o keeps make from linking it again, whatever is newer.
make -s -o "$B/tensordbg" "B=$B" "DESTDIR=$scratch/dest dir" PREFIX=/opt/t install >"$scratch/said" 2>&1 || {
	failed=1
	cat "$scratch/said"
}
cat >"$scratch/wanted" <<END
755 opt/t/bin/tensordbg
644 opt/t/share/bash-completion/completions/tensordbg
644 opt/t/share/man/man1/tensordbg.1
644 opt/t/share/man/man7/tensordbg-compare.7
644 opt/t/share/man/man7/tensordbg-nan.7
644 opt/t/share/man/man7/tensordbg-profile.7
644 opt/t/share/man/man7/tensordbg-record.7
644 opt/t/share/man/man7/tensordbg-summary.7
644 opt/t/share/zsh/site-functions/_tensordbg
END
(cd "$scratch/dest dir" && find . -type f -printf '%m %P\n' | LC_ALL=C sort -k 2) >"$scratch/got"
if diff -u "$scratch/wanted" "$scratch/got"; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
fi
if "$scratch/dest dir/opt/t/bin/tensordbg" --version >/dev/null; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
fi
# Without symbols it is smaller, and does the same.
make -s -o "$B/tensordbg" "B=$B" "DESTDIR=$scratch/dest dir" PREFIX=/opt/stripped install-strip >"$scratch/said" 2>&1
if [ "$(wc -c <"$scratch/dest dir/opt/stripped/bin/tensordbg")" -lt "$(wc -c <"$scratch/dest dir/opt/t/bin/tensordbg")" ] &&
   "$scratch/dest dir/opt/stripped/bin/tensordbg" --version >/dev/null; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	cat "$scratch/said"
fi
# What was installed goes, and nothing else.
: >"$scratch/dest dir/opt/t/bin/other"
make -s "B=$B" "DESTDIR=$scratch/dest dir" PREFIX=/opt/t uninstall >"$scratch/said" 2>&1
if [ "$(cd "$scratch/dest dir/opt/t" && find . -type f)" = ./bin/other ]; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	cat "$scratch/said"
fi
# Where something is missing, make names it before it compiles anything.
mkdir "$scratch/none"
if make -s "B=$scratch/b" PKG_CONFIG="$scratch/none/pkg-config" >"$scratch/said" 2>&1; then
	failed=$((failed + 1))
elif grep -q '^tensordbg: missing here: pkg-config, ncursesw, ' "$scratch/said" &&
     [ ! -e "$scratch/b/dump" ]; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	cat "$scratch/said"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
