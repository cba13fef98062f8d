#include "dump/base/progress.h"

static _Thread_local struct progress *here;

struct progress *progress_enter(struct progress *progress)
{
	struct progress *before = here;

	here = progress;
	return before;
}

bool progress_here_cancelled(void)
{
	return progress_cancelled(here);
}
