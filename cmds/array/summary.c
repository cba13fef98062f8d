#include "cmds/array/summary.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/number.h"
#include "dump/base/str.h"
#include "dump/model/stats.h"

/*
 * Tables of two lines, names above values. All columns of a table have the width of its longest
 * text and a space; a total is set apart.
 */
#define MAX_COLUMNS 6
#define TOTAL_WIDTH 6

struct table {
	const char *name[MAX_COLUMNS];
	struct str value[MAX_COLUMNS];
	int n;
};

static struct str *table_add(struct table *table, const char *name)
{
	table->name[table->n] = name;
	return &table->value[table->n++];
}

static void table_count(struct table *table, const char *name, uint64_t count)
{
	if (count)
		str_fmt(table_add(table, name), "%" PRIu64, count);
}

static int table_width(const struct table *table)
{
	size_t width = 0;

	for (int i = 0; i < table->n; i++) {
		if (strlen(table->name[i]) >= width)
			width = strlen(table->name[i]) + 1;
		if (table->value[i].len >= width)
			width = table->value[i].len + 1;
	}
	return (int)width;
}

/* total NULL: none. Empties the table. */
static void table_put(struct doc *doc, struct table *table, const char *total)
{
	int width = table_width(table);
	int total_width = total && strlen(total) > TOTAL_WIDTH ? (int)strlen(total) : TOTAL_WIDTH;

	for (int row = 0; row < 2; row++) {
		doc_put(doc, ROLE_PLAIN, "|");
		for (int i = 0; i < table->n; i++)
			doc_put(doc, ROLE_PLAIN, "%*s", width,
			        row ? str_text(&table->value[i]) : table->name[i]);
		doc_put(doc, ROLE_PLAIN, " |");
		if (total)
			doc_put(doc, ROLE_PLAIN, "%*s |", total_width, row ? total : "total");
		doc_newline(doc);
	}
	for (int i = 0; i < table->n; i++)
		str_release(&table->value[i]);
}

static void put_counts(struct doc *doc, const struct stats *stats)
{
	struct table table = { .n = 0 };
	struct str total = { 0 };

	table_count(&table, "nan", stats->n_nan);
	table_count(&table, "-inf", stats->n_neg_inf);
	table_count(&table, "-", stats->n_neg);
	table_count(&table, "0", stats->n_zero);
	table_count(&table, "+", stats->n_pos);
	table_count(&table, "+inf", stats->n_pos_inf);
	table_count(&table, "False", stats->n_false);
	table_count(&table, "True", stats->n_true);
	str_fmt(&total, "%" PRIu64, stats->total);
	table_put(doc, &table, total.text);
	str_release(&total);
}

static void put_moments(struct doc *doc, const struct dtype_info *type, const struct stats *stats)
{
	struct table table = { .n = 0 };
	int bits = (int)dtype_info(stats->mean_type)->elem_bytes * 8;

	put_scalar(table_add(&table, "min"), type, stats->min.bytes);
	put_scalar(table_add(&table, "max"), type, stats->max.bytes);
	put_float(table_add(&table, "mean"), stats->mean, bits);
	put_float(table_add(&table, "std"), stats->std, bits);
	table_put(doc, &table, NULL);
}

static bool has_summary(const struct dtype_info *type, bool small_floats)
{
	switch (type->kind) {
	case KIND_FLOAT:
	case KIND_INT:
	case KIND_UINT:
	case KIND_BOOL: return true;
	case KIND_SMALL_FLOAT: return small_floats;
	default: return false;
	}
}

bool summary_put(struct doc *doc, struct view *view, bool small_floats, struct progress *progress,
                 struct err *err)
{
	const struct dtype_info *type = view->value->type;
	struct stats stats;

	if (!view->count) {
		doc_line_put(doc, ROLE_PLAIN, "No numeric summary available due to empty tensor.");
		return true;
	}
	if (!has_summary(type, small_floats)) {
		doc_line_put(doc, ROLE_PLAIN,
		             "No numeric summary available due to tensor dtype: %s.",
		             type->prints);
		return true;
	}
	if (!stats_of(view, &stats, progress, err))
		return false;
	put_counts(doc, &stats);
	if (type->kind != KIND_BOOL && stats.n_finite)
		put_moments(doc, type, &stats);
	return true;
}
