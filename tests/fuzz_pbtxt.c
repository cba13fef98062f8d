/* Text format as each of the roots; what comes out must be sound. */
#include "dump/format/pbtxt.h"

#include <stdio.h>
#include <unistd.h>

#include "dump/model/graph.h"
#include "dump/profile/run_metadata.h"
#include "tests/input.h"

/* Whatever was converted can be read without damage, except for repeated or missing names. */
static void read_back(int fd, enum pbtxt_root root)
{
	char path[64];
	struct err damage = {0}, err = {0};
	struct step step = { .path = path, .file = path,
	                     .source = root == PBTXT_STEP_STATS ? &step_stats_source :
	                               &run_metadata_source };

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (root == PBTXT_GRAPH_DEF) {
		graph_close(graph_open(path, 0, UINT64_MAX, NULL, &damage, &err));
		return;
	}
	MUST(step_load(&step, NULL, &err));
	MUST(!step.damage.code);
	step_release(&step);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);

	for (enum pbtxt_root root = PBTXT_GRAPH_DEF; root <= PBTXT_STEP_STATS; root++) {
		struct err err = {0};
		int fd = pbtxt_convert(path, root, NULL, &err);

		MUST(fd >= 0 || err.code);
		if (fd < 0)
			continue;
		read_back(fd, root);
		close(fd);
	}
	return 0;
}
