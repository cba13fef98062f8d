#include "cmds/tensor/read_all.h"

#include "dump/base/share.h"

struct reading {
	struct visit *visit;
	const uint32_t *at;
	struct progress *progress;
};

static bool read_one(void *context, size_t i)
{
	const struct reading *r = context;
	struct err err = {0};

	return healths_read(r->visit->healths, r->at[i], r->progress, &err);
}

size_t read_all(struct visit *visit, const uint32_t *at, size_t n, struct progress *progress)
{
	struct reading r = { visit, at, progress };

	if (progress)
		atomic_store(&progress->what, "tensors");
	return share_work(n, read_one, &r, progress);
}
