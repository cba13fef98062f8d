/*
 * What the record of a tensor says about it: depending on its mode it has a summary of a few
 * numbers, or the tensor itself, whose elements are then counted.
 */
#include "dump/v2/parts.h"

#include <string.h>

/* Counts and sizes are exact up to here in a double. */
#define EXACT 9007199254740992.0

static bool whole_number(double x)
{
	return x >= 0 && x <= EXACT;
}

static bool whole_numbers(const double *number, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (!whole_number(number[i]))
			return false;
	return true;
}

static void tell_id(double number, struct health *health)
{
	if (!(number >= -EXACT && number <= EXACT))
		return;
	health->known |= HEALTH_TENSOR_ID;
	health->tensor_id = (int64_t)number;
}

static void tell_bad(bool bad, struct health *health)
{
	health->known |= HEALTH_BAD;
	health->bad = bad;
}

static void tell_counts(const double *number, struct health *health)
{
	health->known |= HEALTH_COUNTS;
	health->neg_inf = (uint64_t)number[0];
	health->pos_inf = (uint64_t)number[1];
	health->nan = (uint64_t)number[2];
	tell_bad(health->neg_inf || health->pos_inf || health->nan, health);
}

static void tell_type(const double *number, struct health *health)
{
	health->known |= HEALTH_DTYPE | HEALTH_RANK | HEALTH_SIZE;
	health->dtype = number[0] <= UINT32_MAX ? (uint32_t)number[0] : 0;
	health->rank = (uint64_t)number[1];
	health->size = (uint64_t)number[2];
}

/* For rank 0 and 1 the shape follows from the size. */
static void tell_small_shape(struct health *health)
{
	if (health->rank > 1)
		return;
	health->known |= HEALTH_SHAPE;
	health->shape.rank = (uint32_t)health->rank;
	health->shape.dim[0] = (int64_t)health->size;
}

/* Summaries have the last six dimensions; those before are unknown. */
static void tell_dims(const double *dim, struct health *health)
{
	uint32_t rank = (uint32_t)health->rank, n = rank < 6 ? rank : 6;

	if (health->rank > SHAPE_MAX_RANK || !whole_numbers(dim, 0, n))
		return;
	health->known |= HEALTH_SHAPE;
	health->shape.rank = rank;
	for (uint32_t i = 0; i < rank - n; i++)
		health->shape.dim[i] = -1;
	for (uint32_t i = 0; i < n; i++)
		health->shape.dim[rank - n + i] = (int64_t)dim[i];
}

void v2_summary_health(int64_t mode, const double *number, size_t n, struct health *health)
{
	if (mode == V2_CURT && n == 2) {
		tell_id(number[0], health);
		tell_bad(number[1] != 0, health);
	} else if (mode == V2_CONCISE && n == 5 && whole_numbers(number, 1, 5)) {
		tell_id(number[0], health);
		health->known |= HEALTH_SIZE;
		health->size = (uint64_t)number[1];
		tell_counts(number + 2, health);
	} else if (mode == V2_FULL_HEALTH && n == 11 && whole_numbers(number, 2, 11)) {
		tell_id(number[0], health);
		tell_type(number + 2, health);
		tell_counts(number + 5, health);
		health->known |= HEALTH_SIGNS;
		health->negative = (uint64_t)number[8];
		health->zero = (uint64_t)number[9];
		health->positive = (uint64_t)number[10];
		tell_small_shape(health);
	} else if (mode == V2_SHAPE && n == 10 && whole_numbers(number, 1, 4)) {
		tell_id(number[0], health);
		tell_type(number + 1, health);
		tell_dims(number + 4, health);
	}
}

uint8_t v2_kinds(const struct health *health)
{
	if (!(health->known & HEALTH_COUNTS))
		return 0;
	return (uint8_t)((health->nan ? PROGRAM_WITH_NAN : 0) |
	                 (health->pos_inf ? PROGRAM_WITH_POS_INF : 0) |
	                 (health->neg_inf ? PROGRAM_WITH_NEG_INF : 0));
}

enum program_bad v2_summary_bad(int64_t mode, const double *number, size_t n, uint8_t *kinds)
{
	struct health health;

	health.known = 0;
	v2_summary_health(mode, number, n, &health);
	*kinds = v2_kinds(&health);
	if (!(health.known & HEALTH_BAD))
		return PROGRAM_CANT_TELL;
	return health.bad ? PROGRAM_BAD : PROGRAM_GOOD;
}
