#ifndef CMDS_TFPROF_TEXT_H
#define CMDS_TFPROF_TEXT_H

#include "cmds/doc/data.h"
#include "cmds/profile/tfprof/tfprof_view.h"

/*
 * Views as tfprof prints them.
 * Source: internal/tfprof_show, tfprof_show_multi, tfprof_op, print_model_analysis.
 */

/* "1.28k", "3.74sec", "2500.00MB" */
void put_tfprof_count(struct str *out, int64_t n);
void put_tfprof_time(struct str *out, int64_t us);
void put_tfprof_bytes(struct str *out, int64_t bytes);

/* The lines before the rows: warning, sentences, heading; each ends with a newline. */
void put_tfprof_head(const struct tfprof_view *view, struct str *out);
/* The i-th shown row: a line and its newline, for an op with -select input_shapes more of them. */
void put_tfprof_row(const struct tfprof_view *view, size_t i, struct str *out);

/* The rows typed: name, level, own and total of each selected item. */
void put_tfprof_data(const struct tfprof_view *view, struct data *data);

#endif
