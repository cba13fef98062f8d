#include "cmds/session/workers.h"

#include <string.h>

#include "cmds/doc/call.h"

enum { NAMED = 8 };

bool call_knows_worker(struct call *call, const char *worker)
{
	const struct runs *runs = call->shell->runs;

	return call_is_worker(call, worker, runs ? runs->workers.at : NULL,
	                      runs ? runs->workers.len : 0);
}

bool call_is_worker(struct call *call, const char *worker, const char *const *workers, size_t n)
{
	struct str names = {0};

	for (size_t i = 0; i < n; i++)
		if (!strcmp(workers[i], worker))
			return true;
	for (size_t i = 0; i < n && i < NAMED; i++)
		str_fmt(&names, "%s%s", i ? ", " : "", workers[i]);
	if (n > NAMED)
		str_fmt(&names, " and %zu more", n - NAMED);
	if (n)
		call_error(call, "ERROR: No worker is called \"%s\". There are: %s", worker,
		           names.text);
	else
		call_error(call, "ERROR: Nothing here has workers.");
	str_release(&names);
	return false;
}
