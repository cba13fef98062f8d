/*
 * Finds out what PATH is, as the program does before it reads it: an archive is listed, unpacked if
 * it is packed. For tests/bench.sh.
 *
 *   tool_open PATH
 */
#include <stdio.h>

#include "dump/base/say.h"
#include "dump/target.h"

int main(int argc, char **argv)
{
	struct opened opened = { .profile = profile_new() };
	struct target target = {0};
	struct err err = {0};
	bool ok = argc == 2 && target_open(argv[1], &target, &opened, NULL, &err);

	if (!ok)
		say("%s", argc == 2 ? err.msg : "tool_open PATH");
	runs_close(opened.runs);
	programs_close(opened.programs);
	profile_close(opened.profile);
	target_release(&target);
	return !ok;
}
