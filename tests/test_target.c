/*
 * What PATH is: every kind of file and directory is opened or named in one line, and what lies
 * below is found.
 */
#include "dump/arrays/array.h"
#include "dump/target.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/files/below.h"
#include "dump/files/recognise.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

#define BYTES(text) text, sizeof text - 1

static char *root;

static void setup(void)
{
	root = scratch_new();
}

static void teardown(void)
{
	scratch_remove(root);
}

static const char *in_root(const char *name)
{
	static char path[8192];

	snprintf(path, sizeof path, "%s%s%s", root, *name ? "/" : "", name);
	return path;
}

/* "NAME" is an empty file; "NAME=TEXT" has one; "NAME/" is a directory. */
static void put(const char *what)
{
	const char *equals = strchr(what, '=');
	struct str name = {0};

	str_put(&name, what, equals ? (size_t)(equals - what) : strlen(what));
	dump_put(root, name.text, equals ? equals + 1 : "", equals ? strlen(equals + 1) : 0);
	str_release(&name);
}

/* What target_open says of something in the scratch directory; look_release when done. */
struct looked {
	struct target target;
	struct opened opened;
	struct err err;
	bool ok;
};

static void look(const char *name, struct looked *out)
{
	*out = (struct looked){ .opened.profile = profile_new() };
	out->ok = target_open(in_root(name), &out->target, &out->opened, NULL, &out->err);
}

static void look_release(struct looked *looked)
{
	programs_close(looked->opened.programs);
	runs_close(looked->opened.runs);
	profile_close(looked->opened.profile);
	target_release(&looked->target);
}

/* Files. */

/* The head of a member, "a.txt". */
static const char tar_sample[] =
	"\x61\x2e\x74\x78\x74\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x30\x30\x30\x30\x36\x34\x34\x00\x30\x30\x30\x30\x30\x30\x30\x00\x30\x30\x30\x30"
	"\x30\x30\x30\x00\x30\x30\x30\x30\x30\x30\x30\x30\x30\x30\x30\x00\x30\x30\x30\x30"
	"\x30\x30\x30\x30\x30\x30\x30\x00\x30\x30\x36\x37\x31\x34\x00\x20\x30\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x75\x73\x74"
	"\x61\x72\x00\x30\x30\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00";

/* The smallest of each kind; the name counts only where there is nothing else. */
static const struct sample {
	enum file_kind kind;
	const char *name, *bytes;
	size_t len;
} samples[] = {
	{ FILE_STEP_STATS, "step.pb", BYTES("\n\x08\n\x06/cpu:0") },
	{ FILE_GRAPH, "graph.pb", BYTES("\n\x07\n\x01n\x12\x02Op") },
	{ FILE_RUN_METADATA, "meta.pb", BYTES("\n\n\n\x08\n\x06/cpu:0") },
	{ FILE_OP_LOG, "op_log", BYTES("\n\x05\n\x01n\x10\x05") },
	{ FILE_PROFILE_PROTO, "profile.context", BYTES("\n\x07\x08\x01\x12\x03\n\x01n") },
	{ FILE_RUN_METADATA_TEXT, "meta.pbtxt", BYTES("step_stats {\n}\n") },
	{ FILE_STEP_STATS_TEXT, "step.pbtxt", BYTES("dev_stats {\n}\n") },
	{ FILE_GRAPH_TEXT, "graph.pbtxt", BYTES("# a graph\nnode {\n}\n") },
	{ FILE_DUMP_FILE, "a_0_DebugIdentity_12",
	  BYTES("\x09\x00\x00\x00\x00\x00\x00\x00\x00" "2\x03\x12\x01x") },
	{ FILE_STACKS, "stacks.json", BYTES("{\"format\": \"tensordbg-stacks\"}") },
	{ FILE_LEFT_OUT, "left_out.json", BYTES("[]") },
	{ FILE_LEFT_OUT, "left_out_rank12.json", BYTES("[{\"ph\": 1}]") },
	{ FILE_TRACE, "left_out_rank.json", BYTES("[]") },
	{ FILE_TRACE, "left_outs.json", BYTES("[]") },
	{ FILE_DEBUG_EVENTS, "events",
	  BYTES("\x1a\x00\x00\x00\x00\x00\x00\x00\x12\x9b\xd8-\x09\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x1a\x0f\x12\x0d" "debug.Event:1\x00\x00\x00\x00") },
	{ FILE_DEBUG_EVENTS, "tfdbg_events.1.host.graphs", BYTES("") },
	{ FILE_DEBUG_EVENTS, "tfdbg_events.1.host.execution",
	  BYTES("\x0c\x00\x00\x00\x00\x00\x00\x00\xf4\xc8\xfe\n\x09\x00\x00\x00\x00\x00\x00\x00"
	        "\x00J\x01x\x00\x00\x00\x00") },
	{ FILE_XSPACE, "x", BYTES("\n\x0b\x12\x09/host:CPU") },
	{ FILE_XSPACE, "host.xplane.pb", BYTES("") },
	{ FILE_XSPACE_GZIP, "host.pb.gz",
	  BYTES("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xe3\xe2\x16\xe2\xd4\xcf\xc8\x2f"
	        "\x2e\xb1\x72\x0e\x08\x05\x00\x09\xf2\x9a\xa0\x0d\x00\x00\x00") },
	{ FILE_TRACE, "t.json", BYTES("{\"schemaVersion\": 1, \"traceEvents\": []}") },
	{ FILE_TRACE, "list.json", BYTES(" [ {\"ph\": \"X\"}") },
	{ FILE_TRACE, "nothing.json", BYTES("{}") },
	{ FILE_TRACE_GZIP, "t.json.gz",
	  BYTES("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xabV*)JLNu-K\xcd+)V\xb2R\x88\x8e\xad"
	        "\x05\x00\xd7\xdeQ\xaf\x13\x00\x00\x00") },
	{ FILE_GZIP, "a.gz",
	  BYTES("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03K\x04\x00" "C\xbe\xb7\xe8\x01\x00\x00"
	        "\x00") },
	{ FILE_RIEGELI, "r", BYTES("\x83\xafp\xd1\x0d\x88J\x3f") },
	{ FILE_HLO, "m.txt", BYTES("// of XLA\nHloModule m\n") },
	{ FILE_HLO_GZIP, "m.txt.gz",
	  BYTES("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xf3\xc8\xc9\xf7\xcd\x4f\x29\xcd"
	        "\x49\x55\xc8\xe5\x02\x00\xc9\xd9\x69\x6d\x0c\x00\x00\x00") },
	{ FILE_HLO_DOT, "m.dot",
	  BYTES("digraph G {\nlabel = <<b>m<br/>Computation main<br/>ENTRY</b>>;\n}\n") },
	{ FILE_HLO_PROTO_GZIP, "m.hlo.pb.gz",
	  BYTES("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xe3\xe2\xe3\x62\xcc\x15\x62\xc9"
	        "\x4d\xcc\xcc\x93\x62\xe6\x62\x4c\x06\x00\xf6\x5f\x39\xd6\x10\x00\x00\x00") },
	{ FILE_HLO_PROTO, "m.hlo.pb", BYTES("\n\x0e\n\x01m\x12\x04main\x1a\x03\n\x01" "c") },
	{ FILE_GRAPHVIZ, "g.dot", BYTES("digraph G {\n}\n") },
	{ FILE_KERNEL_TABLE, "t.csv", BYTES("Start (ns),Duration (ns),CorrId,Name\n") },
	{ FILE_KERNEL_TABLE, "nvprof.txt", BYTES("==1== Profiling result:\n") },
	{ FILE_KERNEL_TABLE, "rocprof.csv", BYTES("\"Index\",\"KernelName\",\"gpu-id\"\n") },
	{ FILE_KERNEL_LOG, "hcc.txt", BYTES("profile:  kernel;\x09k;\x09" "1.0 us;\n") },
	{ FILE_NSYS_SQLITE, "r.sqlite", BYTES("SQLite format 3\x00" "CREATE TABLE StringIds") },
	{ FILE_NVPROF_SQLITE, "r.nvvp", BYTES("SQLite format 3\x00" "CREATE TABLE StringTable") },
	{ FILE_ROCPD, "r.db", BYTES("SQLite format 3\x00" "CREATE TABLE rocpd_string") },
	{ FILE_SQLITE, "a.db", BYTES("SQLite format 3\x00" "CREATE TABLE a") },
	{ FILE_NSYS_REP, "r.nsys-rep", BYTES("\x00") },
	{ FILE_NCU_REP, "r.ncu-rep", BYTES("\x00") },
	{ FILE_PERFETTO, "1_results.pftrace", BYTES("\x00") },
	{ FILE_OTF2, "traces.otf2", BYTES("\x00") },
	{ FILE_ROCPROF_JSON, "1_results.json", BYTES("{ \"rocprofiler-sdk-tool\": [{}] }") },
	{ FILE_CALL_TABLE, "1_hip_api_trace.csv",
	  BYTES("\"Domain\",\"Function\",\"Start_Timestamp\",\"End_Timestamp\"\n") },
	{ FILE_NCU_TABLE, "n.csv",
	  BYTES("\"ID\",\"Process Name\",\"Kernel Name\",\"Metric Name\"\n") },
	{ FILE_SAVED_MODEL, "s.pb", BYTES("\x08\x01\x12\x0b\x12\x09\n\x07\n\x01n\x12\x02Op") },
	{ FILE_SAVED_MODEL, "saved_model.pbtxt", BYTES("saved_model_schema_version: 1\n") },
	{ FILE_META_GRAPH, "m.meta", BYTES("\n\x03\"\x01x\x12\x09\n\x07\n\x01n\x12\x02Op") },
	{ FILE_META_GRAPH, "m.pbtxt", BYTES("meta_info_def {\n}\n") },
	{ FILE_CHECKPOINT, "c.index", BYTES("\x00\x00\x02\x08\x01W\xfb\x80\x8b$uG\xdb") },
	{ FILE_CHECKPOINT, "c.data-00000-of-00001", BYTES("\x00") },
	{ FILE_CHECKPOINT_V1, "c.ckpt", BYTES("\x00\x00\x02\n\x00W\xfb\x80\x8b$uG\xdb") },
	{ FILE_CHECKPOINT_LIST, "checkpoint", BYTES("model_checkpoint_path: \"c\"\n") },
	{ FILE_KERAS, "n.keras",
	  BYTES("PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x0b\x00\x00\x00" "config.jsonPK\x03\x04\x14\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x10"
	        "\x00\x00\x00model.weights.h5PK\x01\x02\x14\x00\x14\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0b\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" "config.jsonPK\x01\x02"
	        "\x14\x00\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00)"
	        "\x00\x00\x00model.weights.h5PK\x05\x06\x00\x00\x00\x00\x02\x00\x02\x00w\x00"
	        "\x00\x00W\x00\x00\x00\x00\x00") },
	{ FILE_HDF5, "n.h5", BYTES("\x89HDF\x0d\n\x1a\n") },
	{ FILE_ONNX, "n.onnx", BYTES("\x08\x08:\x02\n\x00") },
	{ FILE_ONNX_TENSOR, "i.pb", BYTES("\x08\x01\x10\x01J\x04\x00\x00\x80\x3f") },
	{ FILE_TFLITE, "n.tflite", BYTES("\x1c\x00\x00\x00TFL3") },
	{ FILE_GGUF, "n.gguf", BYTES("GGUF") },
	{ FILE_NPY, "array", BYTES("\x93NUMPY") },
	{ FILE_NPZ, "a.npz",
	  BYTES("PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x05\x00\x00\x00" "a.npyPK\x01\x02\x14\x00\x14\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" "a.npyPK"
	        "\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00" "3\x00\x00\x00#\x00\x00\x00\x00\x00") },
	{ FILE_NPZ, "none.npz",
	  BYTES("PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00") },
	{ FILE_SAFETENSORS, "w", BYTES("\x02\x00\x00\x00\x00\x00\x00\x00{}") },
	{ FILE_SAFETENSORS_INDEX, "w.json", BYTES("{\"weight_map\": {}}") },
	{ FILE_TORCH, "w.pt",
	  BYTES("PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\n\x00\x00\x00w/data.pklPK\x03\x04\x14\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08\x00\x00"
	        "\x00w/data/0PK\x01\x02\x14\x00\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00w/data.pklPK\x01\x02\x14\x00\x14\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00(\x00\x00\x00w/data/0PK"
	        "\x05\x06\x00\x00\x00\x00\x02\x00\x02\x00n\x00\x00\x00N\x00\x00\x00\x00\x00") },
	{ FILE_TORCH_OLD, "o.pt", BYTES("\x80\x02\x8a\nl\xfc\x9c" "F\xf9 j\xa8P\x19.") },
	{ FILE_TORCH_SCRIPT, "s.pt",
	  BYTES("PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\n\x00\x00\x00s/data.pklPK\x03\x04\x14\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0f\x00\x00"
	        "\x00s/constants.pklPK\x01\x02\x14\x00\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\n\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00s/data.pklPK\x01\x02\x14\x00\x14\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x0f\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00(\x00\x00\x00s/con"
	        "stants.pklPK\x05\x06\x00\x00\x00\x00\x02\x00\x02\x00u\x00\x00\x00U\x00\x00\x00"
	        "\x00\x00") },
	{ FILE_PICKLE, "p.pkl", BYTES("\x80\x04N.") },
	{ FILE_MSPROBE, "dump.json", BYTES("{\"dump_data_dir\": \"\"}") },
	{ FILE_EVENTS, "e",
	  BYTES("\x18\x00\x00\x00\x00\x00\x00\x00\xa3\x7fK\"\x09\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x1a\x0d" "brain.Event:2\x00\x00\x00\x00") },
	{ FILE_EVENTS, "events.out.tfevents.1.host", BYTES("") },
	{ FILE_RECORDS, "r.tfrecord",
	  BYTES("\x03\x00\x00\x00\x00\x00\x00\x00\xb0\x99I\x0e" "abc\x00\x00\x00\x00") },
	{ FILE_ZSTD, "a.tar.zst", BYTES("\x28\xb5\x2f\xfd\x00\x00") },
	{ FILE_TAR, "a.tar", tar_sample, sizeof tar_sample - 1 },
	{ FILE_TAR_GZIP, "a.tgz",
	  BYTES("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xcd\xbb\x09\x80\x40\x14\x04"
	        "\xc0\x57\x8a\x15\x88\x07\x7e\xea\xb9\x16\xf4\x04\xcb\xf7\x34\x12\x73\x05"
	        "\x71\x26\xd9\x65\x93\xcd\x6d\xd9\x4a\x3c\xab\xab\xc6\xbe\x3f\xb3\xba\x67"
	        "\x95\x2e\xfd\xd8\xc7\x29\x0d\xd1\x74\xf1\x82\x75\x29\x79\xae\x97\xf1\x4f"
	        "\x5b\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0\x45\x3b\x6e\x38\x07\x99\x00"
	        "\x28\x00\x00") },
	{ FILE_TAR_ZSTD, "a.tzst",
	  BYTES("\x28\xb5\x2f\xfd\x00\x68\xc5\x01\x00\x62\x02\x08\x0d\xd0\x3d\x80\xc8\xb5"
	        "\x20\x16\x2a\x33\x54\xc4\x4c\x01\xef\x8b\x3c\x71\x95\x7f\x81\xd7\x9c\x89"
	        "\x5c\x3e\x72\x22\x93\x6f\x6f\x60\x09\x20\xd0\x0f\xfb\x85\xc7\x73\xea\xfc"
	        "\x4c\x7b\x30\x80\x07\x0c\x0a\xb0\x9d\x18\x1c") },
	{ FILE_ZIP, "a.zip",
	  BYTES("PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x05\x00\x00\x00" "a.txtPK\x01\x02\x14\x00\x14\x00\x00\x00"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05"
	        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" "a.txtPK"
	        "\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00" "3\x00\x00\x00#\x00\x00\x00\x00\x00") },
	{ FILE_SUMMARY, "a.summary",
	  BYTES("TDBGSUM1"
	        "\x48\x02\x00\x00\x00\x3c\x70\x57\x3b\x08\x01\x45\x06\x00\x00\x00\x27\x00"
	        "\x3b\x97\x10\x96\x95\xf7\x8f\x06") },
	{ FILE_NONE, "notes.txt", BYTES("notes\n") },
	{ FILE_TRACE_UTF16, "utf16.json", BYTES("\xff\xfe[\0{\0\"\0p\0h\0\"\0:\0") },
	{ FILE_TRACE_COMMENT, "comment.json", BYTES("// by hand\n[{\"ph\": \"X\"}]") },
	{ FILE_TRACE_LINES, "lines.jsonl", BYTES("{\"ph\": 1}\n{\"ph\": 2}\n") },
};

/* It is opened by its name alone. */
static bool is_of_program(const struct sample *sample)
{
	return sample->kind == FILE_DEBUG_EVENTS && !strncmp(sample->name, "tfdbg_events.", 13);
}

/* It is opened alone, as a dump. */
static bool is_of_arrays(const struct sample *sample)
{
	for (size_t i = 0; array_formats[i]; i++)
		if (array_formats[i]->is_kind(sample->kind))
			return true;
	return false;
}

/* In a directory only names tell. */
static bool is_named_as_array(const struct sample *sample)
{
	for (size_t i = 0; array_formats[i]; i++)
		if (array_formats[i]->is_named(sample->name))
			return true;
	return false;
}

/* The file of a dump is a dump, without any sign. */
START_TEST(a_file_is_opened_or_named)
{
	const struct sample *sample = &samples[_i];
	const char *answer = file_kind_answer(sample->kind);
	enum file_kind kind;
	struct looked looked;
	struct str name = {0};

	/* A dump without signs reaches up through directories of its files alone: no farther. */
	dump_put(root, "notes", "", 0);
	dump_put(root, "more_notes", "", 0);
	str_fmt(&name, "in/%s", sample->name);
	dump_put(root, name.text, sample->bytes, sample->len);
	ck_assert(recognise(in_root(name.text), &kind, NULL));
	ck_assert_str_eq(file_kind_name(kind), file_kind_name(sample->kind));
	look(name.text, &looked);
	ck_assert_int_eq(looked.ok, !answer || sample->kind == FILE_DUMP_FILE ||
	                            sample->kind == FILE_SUMMARY || is_of_program(sample) ||
	                            is_of_arrays(sample));
	ck_assert_int_eq(looked.opened.has_profile, !answer);
	ck_assert_int_eq(looked.opened.programs != NULL, is_of_program(sample));
	if (sample->kind == FILE_NONE)
		ck_assert_int_eq(looked.err.code, ERR_MISSING);
	else if (!looked.ok)
		ck_assert_str_eq(looked.err.msg, answer);
	look_release(&looked);
	str_release(&name);
}
END_TEST

/*
 * Alone in a directory it is opened or named too: the file of a dump as a dump without any sign.
 */
START_TEST(a_directory_of_a_file_is_opened_or_named)
{
	const struct sample *sample = &samples[_i];
	const char *answer = file_kind_answer(sample->kind);
	struct looked looked;
	struct str name = {0};

	str_fmt(&name, "d/%s", sample->name);
	dump_put(root, name.text, sample->bytes, sample->len);
	look("d", &looked);
	ck_assert_int_eq(looked.ok, !answer || sample->kind == FILE_DUMP_FILE ||
	                            is_of_program(sample) || is_named_as_array(sample));
	if (sample->kind == FILE_NONE || sample->kind == FILE_GZIP)
		ck_assert_int_eq(looked.err.code, ERR_MISSING);
	else if (sample->kind == FILE_CHECKPOINT_LIST)
		ck_assert_str_eq(looked.err.msg, file_kind_answer(FILE_CHECKPOINT));
	else if (!looked.ok)
		ck_assert_msg(looked.err.code == ERR_UNSUPPORTED && strstr(looked.err.msg, answer),
		              "%s", looked.err.msg);
	look_release(&looked);
	str_release(&name);
}
END_TEST

/* A sentence for each, short enough for a line with a path, and a sample of each above. */
START_TEST(every_kind_is_told)
{
	for (int kind = 0; kind < N_FILE_KINDS; kind++) {
		const char *answer = file_kind_answer(kind);
		bool has_sample = false;

		for (int i = 0; i < ROWS(samples); i++)
			has_sample |= samples[i].kind == (enum file_kind)kind;
		ck_assert_msg(has_sample, "%s", file_kind_name(kind));
		ck_assert(!answer || (strlen(answer) < 140 && !strchr(answer, '\n')));
	}
}
END_TEST

START_TEST(a_prefix_is_a_checkpoint)
{
	struct looked looked;

	dump_put(root, "model-1.index", BYTES("\0\0\2\x08\1\x57\xfb\x80\x8b\x24\x75\x47\xdb"));
	look("model-1", &looked);
	ck_assert(looked.ok && looked.opened.runs);
	ck_assert_str_eq(looked.target.path, in_root("model-1.index"));
	look_release(&looked);
	look("model-2", &looked);
	ck_assert_int_eq(looked.err.code, ERR_IO);
	look_release(&looked);
}
END_TEST

static const char *const not_regular[] = { "fifo", "link" };

START_TEST(what_is_no_file_never_blocks)
{
	struct looked looked;

	ck_assert_int_eq(mkfifo(in_root("fifo"), 0600), 0);
	ck_assert_int_eq(symlink("nowhere", in_root("link")), 0);
	look(not_regular[_i], &looked);
	ck_assert_int_eq(looked.err.code, ERR_IO);
	look_release(&looked);
}
END_TEST

/* Directories. */

#define RUN(name) name "/" SMALL_DEVICE "/a_0_DebugIdentity_12"

/*
 * What lies there; what opens, below it; the note, or what is said instead; the roots where there
 * are several.
 */
static const struct {
	const char *files[6], *path, *opens, *says, *roots;
} directories[] = {
	{ { RUN("d") }, "d", "d", NULL, "" },
	{ { RUN("d/run_5_0"), RUN("d/run_6_1") }, "d", "d", NULL, "" },
	{ { RUN("d/early"), RUN("d/late") }, "d", "d", NULL, "" },
	{ { "d/s/t/a_0_DebugIdentity_15" }, "d", "d", NULL, "" },
	/* What lies below. */
	{ { RUN("d/logs/run_5_0"), RUN("d/logs/run_6_1") }, "d", "d/logs", "no dump here; ", "" },
	{ { RUN("d/a/b/c/run_5_0") }, "d", "d/a/b/c", "holds 1 run", "" },
	{ { RUN("d/a/b/dump"), "d/notes.txt" }, "d", "d/a/b/dump", "holds 1 run", "" },
	{ { "d/x/graph.pbtxt=node {\n}\n", "d/x/a.txt" }, "d", "d/x", "holds a profile", "" },
	{ { RUN("d/x/run_5_0"), RUN("d/y/run_6_0"), RUN("d/y/run_7_1") },
	  "d",
	  NULL,
	  "no dump here, but 2 below",
	  "x:1 y:2" },
	{ { RUN("d/x/run_5_0"), RUN("d/single") }, "d", NULL, "2 below", "single:1 x:1" },
	{ { RUN("d/r10/run_5_0"), RUN("d/r9/run_5_0"), "d/p/graph.pbtxt=node {\n}\n" },
	  "d",
	  NULL,
	  "3 below",
	  "p:0 r9:1 r10:1" },
	/* A flat dump has no signs below it, and no more strangers than dumps. */
	{ { "d/a_0_DebugIdentity_15", RUN("d/x/run_5_0") }, "d", "d/x", NULL, "" },
	{ { "d/a_0_DebugIdentity_15", "d/notes.txt" }, "d", "d", NULL, "" },
	{ { "d/a_0_DebugIdentity_15", "d/notes.txt", "d/s/more.txt" },
	  "d",
	  NULL,
	  "of 3 files only 1 are named as dumped tensors",
	  "" },
	/* Recorded programs. */
	{ { "d/tfdbg_events.1.host.metadata", "d/tfdbg_events.1.host.graphs" },
	  "d", "d", NULL, "" },
	{ { "d/tfdbg_events.1.a.b.graphs" }, "d", "d", NULL, "" },
	{ { "d/tfdbg_events.1.host.metadata" },
	  "d/tfdbg_events.1.host.metadata", "d", "a file of the dump in", "" },
	{ { "d/x/tfdbg_events.1.host.metadata", "d/notes.txt" },
	  "d", "d/x", "holds a tfdbg v2 dump", "" },
	{ { "d/x/tfdbg_events.1.host.metadata", RUN("d/y/run_5_0") },
	  "d", NULL, "2 below", "x:0 y:1" },
	/* Sessions of a profiler: the newest of one directory, but not of several. */
	{ { "d/plugins/profile/run1/host.xplane.pb" },
	  "d", "d/plugins/profile/run1", "holds a profile", "" },
	{ { "d/plugins/profile/run1/host.xplane.pb" },
	  "d/plugins/profile/run1", "d/plugins/profile/run1", NULL, "" },
	{ { "d/plugins/profile/9/h.xplane.pb", "d/plugins/profile/10/h.xplane.pb",
	    "d/events.out.tfevents.1.host" },
	  "d", "d/plugins/profile/10", "2 sessions of a profiler; the newest, ", "" },
	{ { "d/plugins/profile/9/h.xplane.pb", "d/plugins/profile/10/h.xplane.pb" },
	  "d/plugins/profile", "d/plugins/profile/10", "is open; others: 9", "" },
	{ { "d/a/plugins/profile/9/h.xplane.pb", "d/b/plugins/profile/10/h.xplane.pb" },
	  "d", NULL, "2 below", "a/plugins/profile/9:0 b/plugins/profile/10:0" },
	/* Checkpoints, alone or of a model. */
	{ { "d/m.data-00000-of-00001", "d/m.index" }, "d", "d", NULL, "" },
	{ { "d/saved_model.pb", "d/variables/variables.index" }, "d", "d", NULL, "" },
	{ { "d/step0/rank0/dump.json", "d/step0/rank0/construct.json" }, "d", "d", NULL, "" },
	/* Kinds that are not opened. */
	{ { "d/x/events.out.tfevents.1.host" }, "d", NULL, "in x: ", "" },
	{ { "d/saved_model.pb", "d/assets/a" }, "d", NULL, "SavedModel", "" },
	{ { "d/m.data-00000-of-00001" }, "d", NULL, "checkpoint", "" },
	{ { "d/events.out.tfevents.1.host" }, "d", NULL, "summaries for TensorBoard", "" },
	{ { "d/x/y/tfdbg_events.1.host.metadata" }, "d", "d/x/y", "holds a tfdbg v2 dump", "" },
	{ { "d/events.out.tfevents.1.host", RUN("d/dump/run_5_0") },
	  "d",
	  "d/dump",
	  "holds 1 run",
	  "" },
	{ { "d/node-io-dump/0/a:in:0_1" }, "d", NULL, "node-io-dump", "" },
	{ { "d/.git/" SMALL_DEVICE "/a_0_DebugIdentity_12", "d/notes.txt" },
	  "d",
	  NULL,
	  "no TensorFlow dump here",
	  "" },
	/* No further than this. */
	{ { RUN("d/1/2/3/4/5/6/7/8/9/dump"), "d/notes.txt" }, "d", NULL, "; only the first", "" },
	/* A file of a dump. */
	{ { "d/s/t/a_0_DebugIdentity_15", "d/b_0_DebugIdentity_16", "x.txt", "y.txt", "z.txt" },
	  "d/s/t/a_0_DebugIdentity_15",
	  "d",
	  "a file of the dump in",
	  "" },
	{ { "d/a_0_DebugIdentity_15=\x09", "d/x.txt", "d/y.txt" },
	  "d/a_0_DebugIdentity_15",
	  NULL,
	  "no TensorFlow dump here",
	  "" },
	{ { RUN("d") }, RUN("d"), "d", NULL, "" },
	{ { RUN("d"), "d/_tfdbg_core_metadata_sessionrun00000000000001_12" },
	  "d/_tfdbg_core_metadata_sessionrun00000000000001_12",
	  "d",
	  NULL,
	  "" },
	{ { RUN("d"), "d/stacks.json={\"format\": \"tensordbg-stacks\"}" },
	  "d/stacks.json",
	  "d",
	  NULL,
	  "" },
	{ { RUN("d/run_5_0"), "d/stacks.json={\"format\": \"tensordbg-stacks\"}" },
	  "d/stacks.json",
	  "d",
	  NULL,
	  "" },
};

static void check_roots(const struct target *target, const char *wanted)
{
	struct str got = {0};

	for (size_t i = 0; i < target->roots.len; i++)
		str_fmt(&got, "%s%s:%zu", i ? " " : "", target->roots.at[i].name,
		        target->roots.at[i].n_runs);
	ck_assert_str_eq(str_text(&got), wanted);
	str_release(&got);
}

START_TEST(a_directory_is_opened_or_named)
{
	struct looked looked;
	const char *said;

	for (size_t i = 0; i < 6 && directories[_i].files[i]; i++)
		put(directories[_i].files[i]);
	look(directories[_i].path, &looked);
	said = looked.ok ? looked.target.note : looked.err.msg;
	ck_assert_int_eq(looked.ok, directories[_i].opens || *directories[_i].roots);
	ck_assert_int_eq(looked.opened.runs || looked.opened.has_profile || looked.opened.programs,
	                 directories[_i].opens != NULL);
	if (directories[_i].opens)
		ck_assert_str_eq(looked.target.path, in_root(directories[_i].opens));
	if (directories[_i].says)
		ck_assert_msg(said && strstr(said, directories[_i].says), "%s", said);
	check_roots(&looked.target, directories[_i].roots);
	look_release(&looked);
}
END_TEST

/* No more names than a bound are looked at, and it is said. */
START_TEST(the_work_is_bounded)
{
	struct looked looked;
	size_t seen;

	for (int i = 0; i < BELOW_DIRS + 100; i++) {
		char name[32];

		snprintf(name, sizeof name, "d%d", i);
		mkdir(in_root(name), 0700);
	}
	look("", &looked);
	ck_assert(!looked.ok);
	ck_assert_msg(strstr(looked.err.msg, "no TensorFlow dump here; only the first "), "%s",
	              looked.err.msg);
	ck_assert_msg(strstr(looked.err.msg, " names below were looked at; looked for "), "%s",
	              looked.err.msg);
	ck_assert(sscanf(strstr(looked.err.msg, "the first ") + 10, "%zu", &seen) == 1
	          && seen <= BELOW_NAMES + 1000);
	look_release(&looked);
}
END_TEST

/* The session. */

static bool asked(struct shell *shell, const char *line, struct str *out)
{
	str_reset(out);
	return session_ask(shell, line, out);
}

START_TEST(one_of_several_roots_is_open_at_a_time)
{
	struct shell *shell;
	struct str out = {0};

	put(RUN("x/run_5_0"));
	put(RUN("y/run_6_0"));
	put("y/run_7_1/" SMALL_DEVICE "/b_0_DebugIdentity_13");
	put("p/graph.pbtxt=node {\n name: \"n\" op: \"Op\"\n}\n");
	shell = session_of(root);
	ck_assert_str_eq(shell_first_command(shell), "runs");
	ck_assert(!asked(shell, "lt", &out));
	ck_assert_msg(strstr(out.text, "No run is open: 3 places"), "%s", out.text);
	ck_assert(asked(shell, "runs", &out));
	ck_assert(strstr(out.text, " 1 profile") && strstr(out.text, " x\n")
	          && strstr(out.text, " y\n"));
	ck_assert(asked(shell, "runs y", &out));
	ck_assert(asked(shell, "run --last", &out));
	ck_assert(strstr(out.text, "b:0"));
	ck_assert(asked(shell, "runs --roots", &out));
	ck_assert_msg(strstr(out.text, "> 3 "), "%s", out.text);
	/* Another one, of another kind, and back. */
	ck_assert(asked(shell, "runs 1", &out));
	ck_assert(asked(shell, "ni n", &out));
	ck_assert(asked(shell, "runs x", &out));
	ck_assert(asked(shell, "lt", &out));
	ck_assert_msg(strstr(out.text, "a:0"), "%s", out.text);
	ck_assert(!asked(shell, "runs 4", &out));
	ck_assert_str_eq(out.text, "ERROR: There is no root #4: they go from 1 to 3.\n");
	ck_assert(!asked(shell, "runs z", &out));
	/* One that is gone: all is as it was. */
	str_reset(&out);
	str_puts(&out, in_root("y"));
	ck_assert_int_eq(rename(out.text, in_root("gone")), 0);
	ck_assert(!asked(shell, "runs y", &out));
	ck_assert(asked(shell, "lt", &out));
	ck_assert(strstr(out.text, "a:0"));
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* Until one is open, every command about what is open says so. */
static const char *const closed[] = { "lt", "run", "run -t 2", "back", "ri", "lp", "kernels",
                                      "memory", "step", "timeline", "tfprof", "pprof -o f", "diff",
                                      "graph" };

START_TEST(before_a_root_is_open_commands_say_so)
{
	struct shell *shell;
	struct str out = {0};

	put(RUN("x/run_5_0"));
	put(RUN("y/run_6_0"));
	shell = session_of(root);
	ck_assert(!asked(shell, closed[_i], &out));
	ck_assert_str_eq(out.text,
	                 "ERROR: No run is open: 2 places lie below. \"runs\" lists them, "
	                           "\"runs 1\" opens the first.\n");
	ck_assert(asked(shell, "config show", &out));
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* PATH is the file of a tensor: it shows first. */
START_TEST(the_file_of_a_tensor_shows_it)
{
	struct small_dump dump;
	struct str path = {0}, out = {0};
	struct shell *shell;

	small_dump_make(&dump);
	for (int i = 0; i < SMALL_PARTS; i++) {
		if (dump.part[i].kind != PART_TENSOR)
			continue;
		str_reset(&path);
		str_fmt(&path, "%s/%s", dump.dir, dump.part[i].name);
		shell = session_of(path.text);
		str_reset(&out);
		str_fmt(&out, "pt %s", dump.part[i].tensor);
		ck_assert_str_eq(shell_first_command(shell), out.text);
		ck_assert(asked(shell, shell_first_command(shell), &out));
		shell_free(shell);
	}
	str_release(&path);
	str_release(&out);
	small_dump_remove(&dump);
}
END_TEST

SUITE_MAIN("target",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_file_is_opened_or_named, 0, ROWS(samples));
	tcase_add_loop_test(t, a_directory_of_a_file_is_opened_or_named, 0, ROWS(samples));
	tcase_add_test(t, every_kind_is_told);
	tcase_add_test(t, a_prefix_is_a_checkpoint);
	tcase_add_loop_test(t, what_is_no_file_never_blocks, 0, ROWS(not_regular));
	tcase_add_loop_test(t, a_directory_is_opened_or_named, 0, ROWS(directories));
	tcase_add_test(t, the_work_is_bounded);
	tcase_add_test(t, one_of_several_roots_is_open_at_a_time);
	tcase_add_loop_test(t, before_a_root_is_open_commands_say_so, 0, ROWS(closed));
	tcase_add_test(t, the_file_of_a_tensor_shows_it);)
