#include "cmds/program/tensor_filter.h"

#include <string.h>

#include "cmds/lang/python.h"

static bool read_number(const char *text, uint64_t *number)
{
	int64_t value;

	if (!*text || strspn(text, "0123456789") != strlen(text) ||
	    !python_int(text, strlen(text), &value))
		return false;
	*number = (uint64_t)value;
	return true;
}

static bool read_dtype(const char *text, uint32_t *dtype)
{
	for (uint32_t wire = 1; wire < 64; wire++) {
		const struct dtype_info *info = dtype_info(wire);

		if (info && !strcmp(info->name, text)) {
			*dtype = wire;
			return true;
		}
	}
	return false;
}

static const char *behind(const char *text, const char *begin)
{
	size_t len = strlen(begin);

	return strncmp(text, begin, len) ? NULL : text + len;
}

bool tensor_filter_read(const char *text, struct tensor_filter *out, struct err *err)
{
	static const struct { const char *name; int ask; } plain[] = {
		{ "has_inf_or_nan", ASK_INF_OR_NAN }, { "has_nan", ASK_NAN },
		{ "has_inf", ASK_INF }, { "has_zero", ASK_ZERO },
		{ "has_negative", ASK_NEGATIVE },
	};
	const char *rest;

	*out = (struct tensor_filter){0};
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (!strcmp(text, plain[i].name)) {
			out->ask = plain[i].ask;
			return true;
		}
	if ((rest = behind(text, "dtype:"))) {
		out->ask = ASK_DTYPE;
		return read_dtype(rest, &out->dtype) ||
		       err_at(err, ERR_VALUE, "command", 0,
		              "There is no element type named \"%.40s\".", rest);
	}
	out->ask = behind(text, "rank:") ? ASK_RANK : ASK_SIZE;
	rest = behind(text, out->ask == ASK_RANK ? "rank:" : "size>");
	return (rest && read_number(rest, &out->number)) ||
	       err_at(err, ERR_VALUE, "command", 0,
	              "There is no tensor filter named \"%.100s\".", text);
}

static enum answer3 known(const struct health *health, unsigned bit, bool passes)
{
	return !(health->known & bit) ? ANSWER_OPEN : passes ? ANSWER_YES : ANSWER_NO;
}

static enum answer3 ask_health(const struct tensor_filter *filter, const struct health *h)
{
	switch (filter->ask) {
	case ASK_INF_OR_NAN: return known(h, HEALTH_BAD, h->bad);
	case ASK_NAN: return known(h, HEALTH_COUNTS, h->nan);
	case ASK_INF: return known(h, HEALTH_COUNTS, h->neg_inf || h->pos_inf);
	case ASK_ZERO: return known(h, HEALTH_SIGNS, h->zero);
	case ASK_NEGATIVE: return known(h, HEALTH_SIGNS, h->negative);
	case ASK_DTYPE: return known(h, HEALTH_DTYPE, h->dtype == filter->dtype);
	case ASK_RANK: return known(h, HEALTH_RANK, h->rank == filter->number);
	case ASK_SIZE: return known(h, HEALTH_SIZE, h->size > filter->number);
	}
	return ANSWER_OPEN;
}

enum answer3 tensor_filter_ask(const struct tensor_filter *filter, struct program_reads *reads,
                               const struct program_tensor *tensor, struct err *err)
{
	struct health health = {0};
	enum program_bad bad = program_bad(reads->program, tensor);

	if (filter->ask == ASK_INF_OR_NAN && bad != PROGRAM_UNSCANNED)
		return bad == PROGRAM_CANT_TELL ? ANSWER_OPEN :
		       bad == PROGRAM_BAD       ? ANSWER_YES :
		                                  ANSWER_NO;
	if (!program_health(reads, tensor, &health, NULL, err))
		return ANSWER_OPEN;
	return ask_health(filter, &health);
}
