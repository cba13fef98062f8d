#include "dump/summary/known_value.h"

#include <math.h>
#include <string.h>

#include "dump/model/known.h"

/* ---- numbers */

/* As dump/model/stats.h counts them. */
static struct stats stats_of_row(const struct summary_value *row, uint64_t total)
{
	bool is_bool = row->type->kind == KIND_BOOL;
	struct stats stats = {
		.total = total, .n_nan = row->nan, .n_neg_inf = row->neg_inf,
		.n_pos_inf = row->pos_inf, .n_finite = row->negative + row->zero + row->positive,
		.mean_type = row->type->kind == KIND_FLOAT ? row->type->dtype : DTYPE_FLOAT64,
		.mean = row->has_moments ? row->mean : NAN,
		.std = row->has_moments ? row->std : NAN,
	};

	if (is_bool) {
		stats.n_false = row->zero;
		stats.n_true = row->positive;
	} else {
		stats.n_neg = row->negative;
		stats.n_zero = row->zero;
		stats.n_pos = row->positive;
	}
	memcpy(stats.min.bytes, row->min, sizeof row->min);
	memcpy(stats.max.bytes, row->max, sizeof row->max);
	return stats;
}

static void put_bins(struct value_known *known, size_t *at, const struct summary_bin *bins,
                     size_t n, bool negative)
{
	for (size_t i = 0; i < n; i++)
		known->bins[(*at)++] = (struct known_bin){ bins[i].exponent, negative, bins[i].n };
}

static struct value *value_of_row(const char *path, const struct summary_value *row,
                                  struct err *err)
{
	static const enum value_state states[] = {
		[SUMMARY_ARRAY] = VALUE_ARRAY, [SUMMARY_UNINITIALISED] = VALUE_UNINITIALISED,
		[SUMMARY_OPAQUE] = VALUE_OPAQUE,
	};
	struct value_known *known = value_known_new(row->below.len + row->above.len);
	uint64_t total = 0;
	size_t at = 0;

	shape_count(&row->shape, &total);
	known->stats = stats_of_row(row, total);
	known->modulus = row->modulus;
	put_bins(known, &at, row->below.at, row->below.len, true);
	put_bins(known, &at, row->above.at, row->above.len, false);
	return value_open_known(path, row->type->dtype, &row->shape, states[row->state], known,
	                        err);
}

/* ---- what a reader tells */

static const struct whole_value *value_of(const struct tensor *tensor)
{
	return (const void *)tensor->where;
}

/* The error that reading the tensor gave, where its dump was. */
static void fill_problem(const struct summary_value *row, struct err *err)
{
	static const enum err_code codes[] = {
		[PROBLEM_UNREADABLE] = ERR_IO, [PROBLEM_UNSUPPORTED] = ERR_UNSUPPORTED,
	};
	enum problem_kind kind = row->problem_kind;

	err_fill(err, kind <= PROBLEM_UNSUPPORTED ? codes[kind] : ERR_FORMAT,
	         row->file ? row->file : "", row->problem_off, "%s",
	         row->problem ? row->problem : "it could not be read");
	if (err && kind == PROBLEM_CUT)
		err_set_damage(err, DAMAGE_CUT);
	if (err && kind == PROBLEM_EMPTY)
		err_set_damage(err, DAMAGE_EMPTY);
}

struct value *known_value(const struct run *run, const struct tensor *tensor, struct err *err)
{
	const char *path = ((const struct whole *)run->kept)->path;
	struct summary_value row;
	struct arena mem = {0};
	struct value *value = NULL;

	whole_value_read(value_of(tensor), &mem, &row);
	if (row.state == SUMMARY_UNREADABLE)
		fill_problem(&row, err);
	else if (row.state == SUMMARY_MISSING || !row.type)
		err_fill(err, ERR_MISSING, path, 0, "%s",
		         row.problem ? row.problem : "No value was recorded.");
	else
		value = value_of_row(path, &row, err);
	summary_value_release(&row);
	arena_release(&mem);
	return value;
}

void known_told(const struct tensor *tensor, struct origin_health *out)
{
	struct summary_value row;
	struct arena mem = {0};

	whole_value_read(value_of(tensor), &mem, &row);
	*out = row.told;
	summary_value_release(&row);
	arena_release(&mem);
}

void known_facts(const struct tensor *tensor, struct array_facts *out)
{
	*out = *value_of(tensor)->facts;
}

void known_file(const struct run *run, const struct tensor *tensor, struct str *out)
{
	struct summary_value row;
	struct arena mem = {0};

	(void)run;
	whole_value_read(value_of(tensor), &mem, &row);
	str_puts(out, row.file ? row.file : "");
	summary_value_release(&row);
	arena_release(&mem);
}
