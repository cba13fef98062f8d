#ifndef DUMP_V1_NAME_H
#define DUMP_V1_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/str.h"
#include "dump/model/reader.h"

/*
 * The meaning of names in a tfdbg v1 dump. No file is read.
 * Source: debug_io_utils.cc (DumpTensorToDir, AppendTimestampToFilePath), debug_data.py.
 */
#define V1_META "_tfdbg_"
#define V1_DEVICE "_tfdbg_device_"
#define V1_GRAPH "_tfdbg_graph_"
#define V1_METADATA "_tfdbg_core_metadata_"
#define V1_FETCHES "_tfdbg_fetches_info_"
#define V1_FEEDS "_tfdbg_feed_keys_info_"

/* LEAF_SLOT_DEBUGOP_TIME or LEAF_SLOT_DEBUGOP_TIME-N */
struct v1_name {
	size_t leaf_len;
	uint32_t slot;
	const char *debug_op;    /* in the name */
	size_t debug_op_len;
	int64_t time_us;
};
bool v1_tensor_name(const char *name, struct v1_name *out);

bool v1_begins(const char *name, const char *with);

/* The time at the end of the name of a graph or a core metadata file; 0 if there is none. */
int64_t v1_stamp(const char *name);

/*
 * "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0" is
 * "/job:localhost/replica:0/task:0/device:CPU:0". The first direction guesses, as ':' and '_' look
 * the same.
 */
void v1_device_of_dir(const char *dir, struct str *out);
void v1_dir_of_device(const char *device, struct str *out);

/*
 * Directories of runs: run_TIME_COUNTER. Ordered by time, then counter, then bytes; other names
 * come first. More than 18 digits are no number. False: another name; *out is unchanged.
 */
bool v1_run_name(const char *name, struct run_name *out);
bool v1_is_run_dir(const char *name);
int v1_run_order(const char *a, const char *b);

#endif
