#include "tests/made_summary.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/summary/writer.h"

static void add(struct made_summary *made, const struct summary_key *key, struct str value)
{
	struct made_row *row = vec_add(&made->rows);

	summary_put_key(&row->key, key);
	row->value = value;
}

void made_row_source(struct made_summary *made, const char *worker, uint32_t k, uint32_t n)
{
	struct str value = {0};

	summary_put_source(&value, &(struct summary_source){ .reader = "tfdbg v1 dump" });
	add(made, &(struct summary_key){ SUMMARY_SOURCE, n, k, worker, "", "", "dump", "" }, value);
}

void made_row_run(struct made_summary *made, const char *worker, const char *run)
{
	struct str value = {0};

	summary_put_run(&value, &(struct summary_run){ .position = 1, .time_us = -1, .counter = -1,
	                                               .step = -1 });
	add(made, &(struct summary_key){ SUMMARY_RUN, 0, 0, worker, run, "", "", "" }, value);
}

void made_row_device(struct made_summary *made, const char *worker, const char *run,
                 const char *device, const char *graph)
{
	struct str value = {0};

	summary_put_device(&value, &(struct summary_device){ .graph = graph });
	add(made, &(struct summary_key){ SUMMARY_DEVICE, 0, 0, worker, run, device, "", "" },
	    value);
}

void made_row_graph(struct made_summary *made, const char *hash, const struct str *graph_def)
{
	struct str value = {0};

	str_put(&value, graph_def->text, graph_def->len);
	add(made, &(struct summary_key){ SUMMARY_GRAPH, 0, 0, "", "", "", hash, "" }, value);
}

void made_row_value(struct made_summary *made, const struct summary_key *key,
                const struct summary_value *value)
{
	struct str bytes = {0};

	summary_put_value(&bytes, value);
	add(made, key, bytes);
}

/* Elements of tests come with growing exponents. */
static void count_bin(struct summary_value *v, float x)
{
	int32_t exponent = ilogbf(x);

	if (x < 0)
		vec_push(&v->below, ((struct summary_bin){ exponent, 1 }));
	else
		vec_push(&v->above, ((struct summary_bin){ exponent, 1 }));
}

static void count(struct summary_value *v, float x)
{
	float least, most;

	v->nan += isnan(x);
	v->neg_inf += x == -INFINITY;
	v->pos_inf += x == INFINITY;
	if (!isfinite(x))
		return;
	v->negative += x < 0;
	v->zero += x == 0;
	v->positive += x > 0;
	memcpy(&least, v->min, sizeof least);
	memcpy(&most, v->max, sizeof most);
	if (!v->has_ends || x < least)
		memcpy(v->min, &x, sizeof x);
	if (!v->has_ends || x > most)
		memcpy(v->max, &x, sizeof x);
	v->has_ends = true;
	if (x != 0)
		count_bin(v, x);
}

void made_row_tensor(struct made_summary *made, const struct summary_key *key, int64_t time_us,
                 const float *elems, size_t n)
{
	struct summary_value v = { .position = made->position++, .time_us = time_us,
	                           .size_bytes = (int64_t)(4 * n), .modulus = -1,
	                           .type = dtype_info(DTYPE_FLOAT32),
	                           .shape = { 1, { (int64_t)n } } };

	for (size_t i = 0; i < n; i++)
		count(&v, elems[i]);
	made_row_value(made, key, &v);
	summary_value_release(&v);
}

static int by_key(const void *a, const void *b)
{
	const struct made_row *x = a, *y = b;
	size_t both = x->key.len < y->key.len ? x->key.len : y->key.len;
	int order = memcmp(x->key.text, y->key.text, both);

	return order ? order : (x->key.len > y->key.len) - (x->key.len < y->key.len);
}

void made_summary_write(struct made_summary *made, const char *path)
{
	struct summary_writer writer;
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	qsort(made->rows.at, made->rows.len, sizeof *made->rows.at, by_key);
	summary_begin(&writer, out);
	for (size_t i = 0; i < made->rows.len; i++) {
		struct made_row *row = &made->rows.at[i];

		summary_add(&writer, (struct text){ row->key.text, row->key.len },
		            (struct text){ row->value.text, row->value.len });
		str_release(&row->key);
		str_release(&row->value);
	}
	summary_finish(&writer);
	summary_writer_release(&writer);
	ck_assert_int_eq(fclose(out), 0);
	vec_release(&made->rows);
	made->position = 0;
}
