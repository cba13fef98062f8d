#include "cmds/summary/worker.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/path.h"
#include "dump/base/text.h"
#include "dump/model/device.h"

/* What follows "/job:" or "/task:" in a task, up to the next slash; len 0: it is not there. */
static struct text part_of(struct text task, const char *key)
{
	size_t key_len = strlen(key);

	for (size_t i = 0; i + key_len <= task.len; i++) {
		struct text part = { task.at + i + key_len, 0 };

		if (memcmp(task.at + i, key, key_len) != 0)
			continue;
		while (part.at + part.len < task.at + task.len && part.at[part.len] != '/')
			part.len++;
		return part;
	}
	return (struct text){0};
}

void worker_see_device(struct worker_names *names, const char *device)
{
	static const char local[] = "localhost";
	struct text task = device_parse(device, strlen(device)).task, job, number;
	struct str name = {0};

	if (!task.at)
		return;
	job = part_of(task, "/job:");
	number = part_of(task, "/task:");
	if (!job.len || (job.len == strlen(local) && !memcmp(job.at, local, job.len)))
		return;
	str_put(&name, job.at, job.len);
	str_putc(&name, '/');
	str_put(&name, number.len ? number.at : "0", number.len ? number.len : 1);
	map_add(&names->names, &names->mem, name.text, name.len);
	str_release(&name);
}

const char *worker_name(struct worker_names *names, const char *path)
{
	char *real;
	const char *last;

	if (names->names.len == 1)
		return names->names.key[0];
	real = realpath(path, NULL);
	last = path_name(real ? real : path);
	last = arena_copy(&names->mem, last, strlen(last));
	free(real);
	return last;
}

void worker_names_release(struct worker_names *names)
{
	map_release(&names->names);
	arena_release(&names->mem);
}
