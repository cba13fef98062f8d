#ifndef CMDS_WORKER_H
#define CMDS_WORKER_H

#include "dump/base/arena.h"
#include "dump/base/map.h"

/*
 * What the machine is called that a dump is of: by the names of its devices, "worker/3" of
 * "/job:worker/replica:0/task:3/device:CPU:0". What every program of one machine calls itself,
 * "/job:localhost", names none.
 */
struct worker_names {
	struct map names;
	struct arena mem;
};

void worker_see_device(struct worker_names *names, const char *device);
/* In names: that of all devices, else the last part of the path, as it is really called. */
const char *worker_name(struct worker_names *names, const char *path);
void worker_names_release(struct worker_names *names);

#endif
