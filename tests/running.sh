#!/bin/sh
# tests/run.sh tells of each suite as it ends: the second one here waits for the line about the first. Of what the
# third leaves in its directory nothing stays.
set -u

: "${B:?the build directory}"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

printf '#!/bin/sh\necho "3 passed, 0 failed"\n' >"$dir/first"
cat >"$dir/second" <<EOF
#!/bin/sh
n=0
until grep -q '^first  *3 passed, 0 failed' "$dir/told" || [ \$n = 2400 ]; do n=\$((n + 1)); sleep 0.05; done
[ \$n = 2400 ] && echo "0 passed, 1 failed" || echo "1 passed, 0 failed"
EOF
cat >"$dir/third" <<EOF
#!/bin/sh
mktemp >"$dir/left"
echo why it failed
echo "2 passed, 1 failed"
exit 1
EOF
chmod +x "$dir/first" "$dir/second" "$dir/third"

mkdir "$dir/build"
B="$dir/build" JOBS=1 tests/run.sh "$dir/first" "$dir/second" "$dir/third" >"$dir/told"
status=$?

passed=0 failed=0
expect() {
	if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); cat "$dir/told"; fi
}
expect grep -q '^second  *1 passed, 0 failed' "$dir/told"
expect grep -q '^third  *2 passed, 1 failed' "$dir/told"
expect grep -q '^    why it failed' "$dir/told"
expect grep -q '^6 passed, 1 failed' "$dir/told"
expect [ "$status" = 1 ]
expect [ -s "$dir/left" ]
expect [ ! -e "$(dirname "$(dirname "$(cat "$dir/left")")")" ]
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
