#include "cmds/program/occurrences.h"

#include <stdlib.h>

#include "dump/base/mem.h"

struct occurrences {
	const struct program *program;
	uint32_t *traces;        /* by key, then by occurrence */
	size_t n;
};

static int by_key(const void *a, const void *b, void *program)
{
	const struct program_trace *traces = ((const struct program *)program)->traces.at;
	const struct program_trace *x = &traces[*(const uint32_t *)a],
				   *y = &traces[*(const uint32_t *)b];

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->dump != y->dump)
		return x->dump < y->dump ? -1 : 1;
	return 0;
}

struct occurrences *occurrences_new(const struct program *program, uint32_t step)
{
	size_t n;
	const uint32_t *traces = program_step_traces(program, step, &n);
	struct occurrences *o;
	bool again = false;

	for (size_t i = 0; i < n && !again; i++)
		again = program->traces.at[traces[i]].dump > 0;
	if (!again)
		return NULL;
	o = mem_alloc(sizeof *o);
	*o = (struct occurrences){ program, mem_alloc(n * sizeof *o->traces), n };
	for (size_t i = 0; i < n; i++)
		o->traces[i] = traces[i];
	qsort_r(o->traces, n, sizeof *o->traces, by_key, (void *)program);
	return o;
}

void occurrences_free(struct occurrences *o)
{
	if (!o)
		return;
	free(o->traces);
	free(o);
}

/* How many traces have a lower key or, if and_it, this key. */
static size_t bound(const struct occurrences *o, uint32_t key, bool and_it)
{
	size_t low = 0, high = o->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		uint32_t own = o->program->traces.at[o->traces[mid]].key;

		if (own < key || (and_it && own == key))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const uint32_t *occurrences_of(const struct occurrences *o, uint32_t trace, size_t *n)
{
	uint32_t key = o->program->traces.at[trace].key;
	size_t begin = bound(o, key, false);

	*n = bound(o, key, true) - begin;
	return o->traces + begin;
}

/* The sign of the worst of some traces. */
static char sign_of(const struct program *program, const uint32_t *traces, size_t n)
{
	static const struct { char sign; int rank; } signs[] = {
		[PROGRAM_GOOD] = { '.', 0 }, [PROGRAM_UNSCANNED] = { '~', 1 },
		[PROGRAM_CANT_TELL] = { '?', 2 }, [PROGRAM_BAD] = { '!', 3 },
	};
	int worst = PROGRAM_GOOD;

	for (size_t i = 0; i < n; i++)
		if (signs[program->traces.at[traces[i]].bad].rank > signs[worst].rank)
			worst = program->traces.at[traces[i]].bad;
	return signs[worst].sign;
}

void put_strip(struct str *out, const struct program *program, const uint32_t *traces, size_t n,
               size_t at, size_t cols)
{
	size_t cells = n < cols ? n : cols;

	for (size_t cell = 0; cell < cells; cell++) {
		size_t begin = cell * n / cells, end = (cell + 1) * n / cells;
		bool here = begin <= at && at < end;

		str_fmt(out, here ? "[%c]" : "%c", sign_of(program, traces + begin, end - begin));
	}
}
