#ifndef DUMP_RECOGNISE_H
#define DUMP_RECOGNISE_H

#include <stdbool.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"

/*
 * What a file is: by its first (of some kinds its last) bytes, and by its name where these tell
 * nothing. Text kinds are protobuf text format. The second column is what a person calls it; the
 * third, for a kind that is not opened, is the whole answer in one line: what it is, what to do.
 * A new kind is a row here and a line of the probe that fits (dump/files/recognise_parts.h). A kind
 * without an answer is a part of a profile; one that a reader of dumps takes (dump/readers.h) has
 * the answer for where there is no dump around it.
 */
#define FILE_KINDS(X) \
	X(NONE, "nothing known", "no TensorFlow dump, profile or graph") \
	/* What this program opens. */ \
	X(RUN_METADATA, "RunMetadata", NULL) \
	X(STEP_STATS, "StepStats", NULL) \
	X(GRAPH, "GraphDef", NULL) \
	X(OP_LOG, "op log", NULL) \
	X(PROFILE_PROTO, "tfprof profile", NULL) \
	X(RUN_METADATA_TEXT, "RunMetadata as text", NULL) \
	X(STEP_STATS_TEXT, "StepStats as text", NULL) \
	X(GRAPH_TEXT, "GraphDef as text", NULL) \
	X(XSPACE, "XSpace", NULL) \
	X(XSPACE_GZIP, "compressed XSpace", NULL) \
	X(TRACE, "Chrome trace", NULL) \
	X(TRACE_GZIP, "compressed Chrome trace", NULL) \
	X(HLO, "XLA HLO text", NULL) \
	X(HLO_GZIP, "compressed XLA HLO text", NULL) \
	X(KERNEL_TABLE, "table of GPU kernels", NULL) \
	X(HLO_PROTO, "XLA HLO module", NULL) \
	X(HLO_PROTO_GZIP, "compressed XLA HLO module", NULL) \
	X(KERNEL_LOG, "HCC_PROFILE log", NULL) \
	X(NSYS_SQLITE, "database of nsys", NULL) \
	X(NVPROF_SQLITE, "database of nvprof", NULL) \
	X(ROCPD, "rocpd database", NULL) \
	/* Parts of dumps. */ \
	X(DUMP_FILE, "file of a tfdbg dump", \
	  "one file of a tfdbg dump without the dump around it: open the directory that was " \
	  "dumped to") \
	X(STACKS, "stacks.json", \
	  "says where a program made its nodes, and is no dump: open the dump, and name this " \
	  "with --stacks") \
	X(LEFT_OUT, "left_out.json", \
	  "says what a recorder left out of its recording, and is no dump") \
	X(DEBUG_EVENTS, "tfdbg v2 dump", \
	  "a file of a tfdbg v2 dump under another name: it is opened by the name it had, " \
	  "tfdbg_events.SECONDS.HOST.KIND") \
	X(SUMMARY, "summary", \
	  "a summary of dumps, which is opened by its own path, not by that of its directory") \
	/* Profiles and traces of other programs. */ \
	X(TRACE_UTF16, "Chrome trace in UTF-16", \
	  "not a trace (UTF-16: iconv -f UTF-16 -t UTF-8 makes one of it)") \
	X(TRACE_LINES, "events of a trace, one a line", \
	  "not a trace (JSON lines: jq -s . makes a list of them)") \
	X(TRACE_COMMENT, "Chrome trace behind a comment", \
	  "not a trace (a comment stands before the JSON)") \
	X(GZIP, "gzip", "a compressed file: gunzip it and open what comes out") \
	X(RIEGELI, "Riegeli records", \
	  "Riegeli records are not read: write the XSpace as plain protobuf") \
	X(HLO_DOT, "XLA dot file", \
	  "an XLA dot file; open the .txt or .hlo.pb of the same name.") \
	X(GRAPHVIZ, "Graphviz graph", \
	  "a drawing for Graphviz, nothing to debug: dot -Tsvg draws it") \
	X(SQLITE, "SQLite database", \
	  "a SQLite database that no known profiler wrote: sqlite3 shows what is in it") \
	X(NSYS_REP, "Nsight Systems report", \
	  "a report of Nsight Systems. Export it with nsys export --type sqlite, or nsys stats " \
	  "-r cuda_gpu_trace -f csv") \
	X(NCU_REP, "Nsight Compute report", \
	  "a report of Nsight Compute, which has no times of its own. Record nsys profile, and " \
	  "export it with nsys export --type sqlite") \
	X(NCU_TABLE, "table of Nsight Compute", \
	  "metrics of Nsight Compute have no times. Record nsys profile, and export it with " \
	  "nsys export --type sqlite") \
	X(PERFETTO, "Perfetto trace", \
	  "a Perfetto trace. Export it with traceconv json, or record with rocprofv3 " \
	  "--output-format csv") \
	X(OTF2, "OTF2 trace", \
	  "an OTF2 trace. Record with rocprofv3 --output-format csv") \
	X(ROCPROF_JSON, "JSON of rocprofv3", \
	  "JSON of rocprofv3 is no Chrome trace. Record with rocprofv3 --output-format csv") \
	X(CALL_TABLE, "table of API calls", "only API calls are recorded, no kernels.") \
	/* Graphs and weights. */ \
	X(SAVED_MODEL, "SavedModel", \
	  "a SavedModel holds a program, not what it computed: write its graph with " \
	  "tf.io.write_graph and open that") \
	X(META_GRAPH, "MetaGraphDef", \
	  "a MetaGraphDef is not read: write the graph_def in it with tf.io.write_graph and " \
	  "open that") \
	X(CHECKPOINT, "checkpoint", \
	  "a checkpoint without its list of tensors (PREFIX.index): of version 1, or not whole") \
	X(CHECKPOINT_V1, "V1 checkpoint", \
	  "a V1 checkpoint is not supported: tf.train.load_checkpoint reads it") \
	X(CHECKPOINT_LIST, "list of checkpoints", \
	  "says which checkpoint is the latest: open the directory with them, or one") \
	X(KERAS, "Keras model", \
	  "a Keras model is not read: tf.keras.models.load_model loads it") \
	X(HDF5, "HDF5 file", \
	  "an HDF5 file (.h5) is not read: h5dump shows it, numpy.save of its arrays keeps them") \
	X(ONNX, "ONNX model", "an ONNX model is not read: netron draws it") \
	X(ONNX_TENSOR, "ONNX tensor", \
	  "an ONNX tensor: open it by itself, or call it *.tensorproto") \
	X(TFLITE, "TensorFlow Lite model", \
	  "a TensorFlow Lite model is not read: netron draws it") \
	X(GGUF, "GGUF model", "a GGUF model is not read: gguf-dump lists its tensors") \
	/* Arrays. */ \
	X(NPY, "numpy array", \
	  "a numpy array: open it by itself, or call it *.npy") \
	X(NPZ, "numpy archive", "a numpy archive: open it by itself, or call it *.npz") \
	X(SAFETENSORS, "safetensors", \
	  "safetensors: open the file by itself, or call it *.safetensors") \
	X(SAFETENSORS_INDEX, "index of safetensors", \
	  "says which safetensors file has which tensor: open it by itself") \
	X(TORCH, "PyTorch file", \
	  "a PyTorch file: open it by itself, or call it *.pt") \
	X(TORCH_OLD, "old PyTorch file", \
	  "a PyTorch file from before 1.6 is not read: save it again with torch.save") \
	X(TORCH_SCRIPT, "TorchScript model", \
	  "a TorchScript model is not read: torch.jit.load loads it") \
	X(PICKLE, "Python pickle", \
	  "a Python pickle can only be read by running it, which is not done here") \
	X(MSPROBE, "msprobe dump", \
	  "a list of msprobe: open it by itself, or call it dump.json") \
	/* The rest. */ \
	X(EVENTS, "TensorBoard events", \
	  "summaries for TensorBoard, no dump of a debugger: TensorBoard shows them") \
	X(RECORDS, "TFRecord file", \
	  "records of another program (TFRecord), no dump: tf.data.TFRecordDataset reads them") \
	X(TAR, "tar archive", "an archive (tar) without a dump, profile or arrays in it") \
	X(TAR_GZIP, "compressed tar archive", \
	  "an archive (tar, gzip) without a dump, profile or arrays in it") \
	X(TAR_ZSTD, "compressed tar archive", \
	  "an archive (tar, zstd) without a dump, profile or arrays in it") \
	X(ZSTD, "zstd", "a file packed with zstd: unzstd it and open what comes out") \
	X(ZIP, "zip archive", "an archive (zip) without a dump, profile or arrays in it")

enum file_kind {
#define X(id, name, answer) FILE_##id,
	FILE_KINDS(X)
#undef X
	N_FILE_KINDS
};

const char *file_kind_name(enum file_kind kind);
const char *file_kind_answer(enum file_kind kind);       /* NULL: it is opened */

/* By the name alone, of kinds that have names of their own. */
enum file_kind kind_of_name(const char *name);

/* Does the file begin as JSON does? For what recognise knows nothing of. */
bool recognise_json(const char *path);

/*
 * False with ERR_IO if it can't be read; what is no regular file is not opened at all. Reads at
 * most about 1 MiB.
 */
bool recognise(const char *path, enum file_kind *kind, struct err *err);

/*
 * A checkpoint is called by what the names of its files begin with, which is no file: PREFIX.index
 * for PREFIX, in mem. NULL: there is a file of this name, or no checkpoint.
 */
const char *checkpoint_of_prefix(const char *prefix, struct arena *mem);

#endif
