/* Two passes over the runs: the first finds the most hits, the second draws. */
#include "cmds/runs/hits_line.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/doc/spark.h"
#include "dump/base/utf8.h"

enum { LEAST_SIGNS = 4 };

/* The most hits in one of the runs. False: none was tested. */
static bool most_of(struct hits *hits, uint64_t filter, struct run_entry *const *runs, size_t n,
                    uint64_t *most)
{
	bool tested = false;
	struct hit hit;

	*most = 0;
	for (size_t i = 0; i < n; i++)
		if (hits_get(hits, runs[i], filter, &hit)) {
			tested = true;
			*most = hit.tensors > *most ? hit.tensors : *most;
		}
	return tested;
}

/* From 1 to SPARK_SIGNS - 1 if there are hits; the most have the last sign. */
static size_t sign_of(uint64_t tensors, uint64_t most)
{
	double part = tensors ? (double)tensors / (double)most : 0;
	size_t sign = (size_t)(part * (SPARK_SIGNS - 1) + 0.5);

	return tensors && !sign ? 1 : sign;
}

void hits_put_line(struct hits *hits, struct run_entry *const *runs, size_t n, int cols, bool fine,
                   struct str *out)
{
	char name[FILTER_NAME_MAX];
	uint64_t filter = hits_last_filter(hits, name), most, here;
	struct str line = {0};
	size_t signs;

	if (!filter || !n || !most_of(hits, filter, runs, n, &most))
		return;
	str_fmt(&line, "%s in runs %zu-%zu ", strcmp(name, FILTER_BUILT_IN) ? name : "nan/inf",
	        runs[0]->position, runs[n - 1]->position);
	signs = utf8_columns(str_text(&line), line.len);
	signs = cols > 0 && signs < (size_t)cols ? (size_t)cols - signs : 0;
	signs = signs < n ? signs : n;
	if (signs >= (n < LEAST_SIGNS ? n : LEAST_SIGNS)) {
		str_put(out, line.text, line.len);
		for (size_t k = 0; k < signs; k++) {
			size_t begin = n * k / signs, end = n * (k + 1) / signs;
			bool tested = most_of(hits, filter, runs + begin, end - begin, &here);

			str_puts(out, tested ? spark_sign(sign_of(here, most), fine) : " ");
		}
	}
	str_release(&line);
}
