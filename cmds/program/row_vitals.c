#include "cmds/program/row_vitals.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/survey.h"
#include "dump/base/arena.h"
#include "dump/base/mem.h"

struct row_vitals {
	struct vitals **of;      /* by place; NULL: not stored, or it can't be read */
	struct arena mem;
};

static bool read_one(struct row_vitals *rv, struct program_reads *reads,
                     const struct program_tensor *tensor, uint32_t at, struct progress *progress,
                     struct err *err)
{
	struct value *value = program_value(reads, tensor, err);
	struct vitals vitals;
	int64_t *dim;

	if (!value)
		return false;
	if (vitals_of(value, &vitals, progress, err)) {
		rv->of[at] = arena_alloc(&rv->mem, sizeof vitals);
		dim = arena_alloc(&rv->mem, vitals.rank * sizeof *dim);
		for (uint32_t i = 0; i < vitals.rank; i++)
			dim[i] = vitals.dim[i];
		vitals.dim = dim;
		*rv->of[at] = vitals;
	}
	value_close(value);
	return rv->of[at];
}

struct row_vitals *row_vitals_read(const struct program *program, uint32_t of, const uint32_t *at,
                                   size_t n, struct progress *progress, struct err *first,
                                   struct err *err)
{
	struct row_vitals *rv = mem_alloc(sizeof *rv);
	struct program_reads reads = { .program = program };
	size_t i;

	rv->of = mem_alloc((program_n_tensors(program, of) + 1) * sizeof *rv->of);
	for (i = 0; i < n && progress_step(progress, i, n); i++) {
		struct program_tensor tensor = program_tensor(program, of, at[i]);
		struct err own = {0};

		if (read_one(rv, &reads, &tensor, at[i], progress, &own) ||
		    own.code == ERR_MISSING)
			continue;
		if (own.code == ERR_CANCELLED)
			break;
		if (!first->code)
			*first = own;
	}
	program_reads_release(&reads);
	if (i == n)
		return rv;
	err_fill(err, ERR_CANCELLED, "command", 0, "stopped after %zu of %zu tensors", i, n);
	row_vitals_free(rv);
	return NULL;
}

void row_vitals_free(struct row_vitals *rv)
{
	if (!rv)
		return;
	arena_release(&rv->mem);
	free(rv->of);
	free(rv);
}

const struct vitals *row_vitals_of(const struct row_vitals *rv, uint32_t at)
{
	return rv ? rv->of[at] : NULL;
}

/* Cells. */

void cell_bad(struct cell *cell, const struct health *health, bool is_unreadable)
{
	struct vitals v = { .state = health->bad ? VITALS_BAD : VITALS_CLEAN,
	                    .nan = health->nan, .neg_inf = health->neg_inf,
	                    .pos_inf = health->pos_inf };

	if (is_unreadable)
		v.state = VITALS_UNREADABLE;
	else if (!(health->known & HEALTH_BAD))
		v.state = VITALS_CANT_TELL;
	cell_known(cell, vitals_is_told(&v), health->bad);
	if (cell->look && v.state == VITALS_BAD && !(health->known & HEALTH_COUNTS))
		cell_str(cell, "inf/nan");
	else if (cell->look)
		vitals_put_bad(&cell->text, &v);
}

void cell_shape(struct cell *cell, const struct health *health)
{
	static const struct dtype_info any = { .name = "" };
	struct vitals v = { .type = health->known & HEALTH_SHAPE ? &any : NULL,
	                    .rank = health->shape.rank, .dim = health->shape.dim };

	cell->missing = !v.type;
	if (cell->look)
		vitals_put_shape(&cell->text, &v);
}

void cell_end(struct cell *cell, const struct vitals *v, bool max)
{
	const unsigned char *end = v && v->has_ends ? max ? v->max : v->min : NULL;

	cell->missing = !end;
	cell->number = end ? number_of(v->type, end) : 0;
	if (end && cell->data)
		data_elem(cell->data, v->type, end);
	if (!v)
		cell_str(cell, "?");
	else
		vitals_put_end(&cell->text, v, max);
}

void cell_bins(struct cell *cell, const struct vitals *v, bool fine)
{
	if (!v)
		cell_str(cell, "?");
	else
		vitals_put_bins(&cell->text, v, fine);
}
