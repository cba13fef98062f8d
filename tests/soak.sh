#!/bin/sh
# Sessions of random keys by seed (tests/tool_soak.c); without a seed, a few that make test has time for.
set -u

: "${B:?the build directory}"
export TENSORDBG="$B/tensordbg" LC_ALL=C.UTF-8 TZ=UTC
[ $# -gt 0 ] || set -- 1 2 3 4 5 6 7 8 9 10
exec "$B/tests/tool_soak" "$@"
