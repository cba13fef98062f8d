#include "dump/profile/busy.h"

#include <stdbool.h>
#include <stdlib.h>

void busy_add(struct busy *busy, int64_t start_ns, int64_t len_ns)
{
	struct stretch *last = busy->at.len ? vec_last(&busy->at) : NULL;

	if (len_ns <= 0)
		return;
	/* Intervals added in order are united at once: streams are long and rarely out of order. */
	if (last && start_ns >= last->start_ns && start_ns <= last->end_ns) {
		if (start_ns + len_ns > last->end_ns)
			last->end_ns = start_ns + len_ns;
		return;
	}
	vec_push(&busy->at, ((struct stretch){ start_ns, start_ns + len_ns }));
}

static int by_start(const void *a, const void *b)
{
	const struct stretch *p = a, *q = b;

	return (p->start_ns > q->start_ns) - (p->start_ns < q->start_ns);
}

static bool is_sorted(const struct busy *busy)
{
	for (size_t i = 1; i < busy->at.len; i++)
		if (busy->at.at[i].start_ns < busy->at.at[i - 1].start_ns)
			return false;
	return true;
}

void busy_unite(struct busy *busy)
{
	struct stretch *at = busy->at.at;
	size_t n = 0;

	if (!is_sorted(busy))
		qsort(at, busy->at.len, sizeof *at, by_start);
	for (size_t i = 0; i < busy->at.len; i++) {
		if (n && at[i].start_ns <= at[n - 1].end_ns) {
			if (at[i].end_ns > at[n - 1].end_ns)
				at[n - 1].end_ns = at[i].end_ns;
		} else {
			at[n++] = at[i];
		}
	}
	busy->at.len = n;
}

int64_t busy_ns(const struct busy *united)
{
	int64_t sum = 0;

	for (size_t i = 0; i < united->at.len; i++)
		sum += united->at.at[i].end_ns - united->at.at[i].start_ns;
	return sum;
}

void busy_release(struct busy *busy)
{
	vec_release(&busy->at);
}
