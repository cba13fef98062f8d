#include "dump/model/origin_value.h"

#include <math.h>
#include <string.h>

#include "dump/model/elem_counts.h"
#include "dump/model/reader.h"

/* Elements of a DebugNumericSummary, which are float64, and its size without any dimension. */
enum { SUMMARY_SIZE = 1, SUMMARY_NAN = 2, SUMMARY_NEG_INF = 3, SUMMARY_POS_INF = 7,
       SUMMARY_LEAST = 8 };

enum origin_debug origin_debug_of(const struct run *run, const struct tensor *tensor)
{
	const char *op = run->debug_ops.key[tensor->debug_op];

	if (!strncmp(op, "DebugIdentity", strlen("DebugIdentity")))
		return DEBUG_IDENTITY;   /* DebugIdentityV3 too */
	if (!strcmp(op, "DebugNumericSummary"))
		return DEBUG_NUMERIC_SUMMARY;
	return strcmp(op, "DebugNanCount") ? DEBUG_OTHER : DEBUG_NAN_COUNT;
}

/* Quantised numbers have no sign here: no rule asks for it. */
static bool count(struct value *value, struct origin_health *out, struct progress *progress,
                  struct err *err)
{
	struct elem_counts counts;

	if (value->type->kind == KIND_QUANT)
		return true;
	if (!elem_counts_of(value, &counts, progress, err))
		return false;
	out->counts.nan = counts.nan;
	out->counts.pos_inf = counts.pos_inf;
	out->counts.neg_inf = counts.neg_inf;
	out->has_zero = counts.zero;
	out->has_negative = value->type->kind != KIND_COMPLEX &&
	                    (counts.negative || counts.neg_inf);
	return true;
}

bool origin_health_of(struct value *value, struct origin_health *out, struct progress *progress,
                      struct err *err)
{
	*out = (struct origin_health){ .known = KNOWN_COUNTS };
	if (value->state != VALUE_ARRAY)
		return true;
	out->known = KNOWN_ELEMENTS;
	out->counts.size = (int64_t)value->count;
	if (count(value, out, progress, err))
		return true;
	*out = (struct origin_health){0};
	return false;
}

/* A number of elements, as a float64; damaged ones are 0. */
static uint64_t whole(double number)
{
	return number >= 0 && number < 9e18 ? (uint64_t)number : 0;
}

/* A file of another type or size is damaged: it says nothing. */
static void read_summary(struct value *value, struct origin_health *out, struct err *err)
{
	double numbers[SUMMARY_LEAST];

	if (value->state != VALUE_ARRAY || value->type->dtype != DTYPE_FLOAT64 ||
	    value->count < SUMMARY_LEAST || !value_read(value, 0, SUMMARY_LEAST, numbers, err))
		return;
	out->known = KNOWN_COUNTS;
	out->counts = (struct bad_counts){ whole(numbers[SUMMARY_NAN]),
	                                   whole(numbers[SUMMARY_POS_INF]),
	                                   whole(numbers[SUMMARY_NEG_INF]),
	                                   (int64_t)whole(numbers[SUMMARY_SIZE]) };
}

static void read_nan_count(struct value *value, struct origin_health *out, struct err *err)
{
	int64_t n;

	if (value->state != VALUE_ARRAY || value->type->dtype != DTYPE_INT64 || !value->count ||
	    !value_read(value, 0, 1, &n, err))
		return;
	out->known = KNOWN_NAN;
	out->counts = (struct bad_counts){ .nan = n > 0 ? (uint64_t)n : 0, .size = -1 };
}

bool origin_health_read(const struct run *run, const struct tensor *tensor,
                        struct origin_health *out, struct progress *progress, struct err *err)
{
	enum origin_debug debug = origin_debug_of(run, tensor);
	struct value *value = debug == DEBUG_OTHER ? NULL : run_value(run, tensor, err);

	*out = (struct origin_health){0};
	if (value && debug != DEBUG_IDENTITY && run->reader->told)
		run->reader->told(tensor, out);
	else if (value && debug == DEBUG_IDENTITY)
		origin_health_of(value, out, progress, err);
	else if (value && debug == DEBUG_NUMERIC_SUMMARY)
		read_summary(value, out, err);
	else if (value)
		read_nan_count(value, out, err);
	value_close(value);
	return !err->code;
}
