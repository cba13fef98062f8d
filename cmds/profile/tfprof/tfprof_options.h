#ifndef CMDS_TFPROF_OPTIONS_H
#define CMDS_TFPROF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/str.h"

/*
 * The options of tfprof's commands, in tfprof's syntax: one dash, whole names, values in the next
 * word, lists with commas.
 * Source: tensorflow/core/profiler/tfprof_options.h.
 */
#define TFPROF_NUMBERS(X) \
	X(MAX_DEPTH, "max_depth") X(MIN_BYTES, "min_bytes") X(MIN_PEAK, "min_peak_bytes") \
	X(MIN_RESIDUAL, "min_residual_bytes") X(MIN_OUTPUT, "min_output_bytes") \
	X(MIN_MICROS, "min_micros") X(MIN_ACCELERATOR, "min_accelerator_micros") \
	X(MIN_CPU, "min_cpu_micros") X(MIN_PARAMS, "min_params") X(MIN_FLOAT_OPS, "min_float_ops") \
	X(MIN_OCCURRENCE, "min_occurrence") X(STEP, "step")
#define TFPROF_LISTS(X) \
	X(ACCOUNT_TYPE, "account_type_regexes") X(START_NAME, "start_name_regexes") \
	X(TRIM_NAME, "trim_name_regexes") X(SHOW_NAME, "show_name_regexes") \
	X(HIDE_NAME, "hide_name_regexes")

#define X(id, name) TFPROF_##id,
enum tfprof_number_option { TFPROF_NUMBERS(X) TFPROF_N_NUMBERS };
enum tfprof_list_option { TFPROF_LISTS(X) TFPROF_N_LISTS };
#undef X

/* What a row can show, in alphabetical order: the texts are those of the select option. */
enum tfprof_item {
	ITEM_ACCELERATOR, ITEM_BYTES, ITEM_CPU, ITEM_DEVICE, ITEM_FLOAT_OPS, ITEM_INPUT_SHAPES,
	ITEM_MICROS, ITEM_OCCURRENCE, ITEM_OP_TYPES, ITEM_OUTPUT, ITEM_PARAMS, ITEM_PEAK,
	ITEM_RESIDUAL, ITEM_TENSOR_VALUE, TFPROF_N_ITEMS,
};
extern const char *const tfprof_item_names[TFPROF_N_ITEMS];

enum tfprof_output_type {
	TFPROF_TIMELINE, TFPROF_STDOUT, TFPROF_FILE, TFPROF_PPROF, TFPROF_NOTHING
};

struct tfprof_list {
	const char **at;
	size_t n;
};

struct tfprof_options {
	int64_t number[TFPROF_N_NUMBERS];
	const char *order_by;
	struct tfprof_list list[TFPROF_N_LISTS];
	bool displayed_only;
	struct tfprof_list select;       /* sorted, each once; may hold words that are no items */
	enum tfprof_output_type output;
	const char *outfile;             /* NULL: none */
};

void tfprof_options_default(struct tfprof_options *options, struct arena *mem);
void tfprof_options_copy(struct tfprof_options *to, const struct tfprof_options *from,
                         struct arena *mem);
/*
 * Reads words into options; the others keep their values. False: *complaint is tfprof's error text.
 */
bool tfprof_options_parse(struct tfprof_options *options, char **words, size_t n, struct arena *mem,
                          struct str *complaint);
/* One line an option, as tfprof dumps them. */
void tfprof_options_text(const struct tfprof_options *options, struct str *out);
bool tfprof_selected(const struct tfprof_options *options, enum tfprof_item item);
/* ".*" alone. */
bool tfprof_list_is_all(const struct tfprof_list *list);

#endif
