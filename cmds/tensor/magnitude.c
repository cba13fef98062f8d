#include "cmds/tensor/magnitude.h"

#include <math.h>
#include <stdlib.h>

#include "cmds/array/survey.h"
#include "dump/base/mem.h"

enum { MOST_READ = 512, MOST_ELEMENTS = 1 << 20, N_SIGNS = 8 };

static const char *const ascii[N_SIGNS] = { ".", ":", "-", "=", "+", "*", "%", "#" };
static const char *const fine[N_SIGNS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };

static void take_numbers(void *context, uint64_t first, const double *numbers, size_t n)
{
	struct magnitude *m = context;

	(void)first;
	for (size_t i = 0; i < n; i++) {
		double size = fabs(numbers[i]);

		if (!isfinite(size))
			m->bad = true;
		else if (size > m->max)
			m->max = size;
	}
}

/* False: there is no value, it is too large, or it has no numbers. A damaged one is not known. */
static bool read_one(struct program_reads *reads, uint32_t trace, uint64_t most_elements,
                     struct magnitude *m, struct progress *progress)
{
	struct program_tensor tensor = { .trace = trace };
	struct err err = {0};
	struct value *value = program_value(reads, &tensor, &err);
	struct view view;
	bool ok = value && value->state == VALUE_ARRAY && number_has(value->type) &&
	          value->count <= most_elements;

	*m = (struct magnitude){ .max = -1 };
	if (ok) {
		view_all(&view, value);
		ok = numbers_each(&view, take_numbers, m, progress, &err) ||
		     err.code != ERR_CANCELLED;
	}
	value_close(value);
	return ok;
}

bool magnitudes_read(struct magnitudes *magnitudes, const struct program *program,
                     const uint32_t *traces, size_t n, struct progress *progress)
{
	struct program_reads reads = { .program = program };
	bool ok = n <= MOST_READ;

	*magnitudes = (struct magnitudes){ .n = n };
	if (!ok)
		return false;
	magnitudes->each = mem_alloc((n + 1) * sizeof *magnitudes->each);
	for (size_t i = 0; i < n && ok; i++) {
		struct magnitude *m = &magnitudes->each[i];

		ok = read_one(&reads, traces[i], MOST_ELEMENTS / n, m, progress);
		if (!(m->max > 0))
			continue;
		if (magnitudes->most == 0 || m->max < magnitudes->least)
			magnitudes->least = m->max;
		if (m->max > magnitudes->most)
			magnitudes->most = m->max;
	}
	program_reads_release(&reads);
	ok = ok && magnitudes->most > 0;
	if (!ok)
		magnitudes_release(magnitudes);
	return ok;
}

void magnitudes_release(struct magnitudes *magnitudes)
{
	free(magnitudes->each);
	*magnitudes = (struct magnitudes){0};
}

/* The largest of some. */
static const char *sign_of(const struct magnitudes *m, size_t begin, size_t end, bool blocks)
{
	double max = -1, span = log(m->most) - log(m->least);
	int sign = 0;

	for (size_t i = begin; i < end; i++) {
		if (m->each[i].bad)
			return "!";
		max = fmax(max, m->each[i].max);
	}
	if (max < 0)
		return "?";
	if (max > 0 && span > 0)
		sign = (int)((log(max) - log(m->least)) / span * (N_SIGNS - 1) + 0.5);
	return blocks ? fine[sign] : ascii[sign];
}

void magnitudes_put(const struct magnitudes *m, size_t at, size_t cols, bool blocks,
                    struct str *out)
{
	size_t cells = m->n < cols ? m->n : cols;

	for (size_t cell = 0; cell < cells; cell++) {
		size_t begin = cell * m->n / cells, end = (cell + 1) * m->n / cells;
		bool here = begin <= at && at < end;

		str_fmt(out, here ? "[%s]" : "%s", sign_of(m, begin, end, blocks));
	}
}
