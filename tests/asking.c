#include "tests/asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/session/envelope.h"
#include "dump/files/walk.h"
#include "tests/program.h"

const struct question questions[] = {
#define DUMP(line) { "testdata/linear", NULL, line },
	DUMP("lt") DUMP("lt -f has_inf_or_nan") DUMP("lt -f has_inf_or_nan --format json")
	DUMP("lt -s op_type")
	DUMP("lt -t Mat.*") DUMP("lt -f 'max > 1'") DUMP("lt > out")
	DUMP("ni -a -d -t linear/pred") DUMP("li -r -c -t loss/mse") DUMP("lo -r linear/w")
	DUMP("pt linear/w:0 -s") DUMP("pt _arg_x_0_0:0 -a") DUMP("pt linear/w:0 -w out")
	DUMP("pt loss/mse:0 --format json")
	DUMP("grid linear/w:0") DUMP("picture linear/w:0") DUMP("ev np.sum(`linear/w:0`)")
	DUMP("ev `linear/w:0`*2 -w out") DUMP("pf x:0") DUMP("ri") DUMP("ls")
	DUMP("ps linear.py")
	DUMP("graph linear/pred") DUMP("dot linear/pred -o out") DUMP("dot -o out")
	DUMP("explain linear/w:0") DUMP("explain linear/w:0 -e [0,0]") DUMP("filter 'max > 0'")
	DUMP("messages")
	DUMP("diff linear/w:0 linear/w/read:0") DUMP("li -r loss/mse --format json")
	DUMP("lt --format json") DUMP("ver") DUMP("cfg") DUMP("help")
	DUMP("overview") DUMP("origins 1")
	DUMP("doctor") DUMP("du -g dtype") DUMP("du --depth 9 -s count")
#define DEVICES(line) { "testdata/two_devices", NULL, line },
	DEVICES("lt -f has_inf_or_nan") DEVICES("lt -s dump_size") DEVICES("ri")
	DEVICES("dot -o out") DEVICES("ls")
#define ROOT(line) { "testdata/train20", NULL, line },
#define AT_RUN(line) { "testdata/train20", "run -t 2", line },
	ROOT("runs") ROOT("runs -f has_inf_or_nan") ROOT("run") ROOT("run -f has_inf_or_nan")
	ROOT("run --last")
	ROOT("ri --all") ROOT("run --till-partial") AT_RUN("lt") AT_RUN("diff") AT_RUN("diff 1")
	AT_RUN("diff hidden/weights:0") AT_RUN("ri") AT_RUN("run -b") AT_RUN("diff --all")
	AT_RUN("back") ROOT("doctor")
	ROOT("drift --all --threshold 0") ROOT("du -g op") ROOT("du -g run hidden")
#define MIXED(line) { "testdata/runs/mixed", NULL, line },
	MIXED("doctor")
	MIXED("runs") MIXED("ri --all") MIXED("run -f has_inf_or_nan") MIXED("run --last")
#define STORED(line) { "testdata/v2/tf2.1.3_FULL_TENSOR", "run --to 24", line },
	STORED("pt Log:0 -s") STORED("pt Log:0 -w out") STORED("pt --trace 60 --format json")
	STORED("grid Log:0") STORED("picture Log:0") STORED("ev np.sum(`Log:0`)")
	STORED("du -g dtype") STORED("doctor")
	STORED("drift --all")
	STORED("explain Log:0 -e 1,0") STORED("diff") STORED("diff Log:0") STORED("diff --all")
#define PROFILE(line) { "testdata/profile/linear", NULL, line },
	PROFILE("lp") PROFILE("lp -s exec_time -r") PROFILE("kernels")
	PROFILE("kernels -g op --step all")
	PROFILE("kernels --diff step:0") PROFILE("kernels -g source")
	PROFILE("kernels --format json")
	PROFILE("scopes") PROFILE("memory") PROFILE("memory cpu") PROFILE("timeline")
	PROFILE("timeline -o out")
	PROFILE("timeline -o out --style modern") PROFILE("timeline -o out --memory")
	PROFILE("step")
	PROFILE("step 0") PROFILE("tfprof scope") PROFILE("tfprof op") PROFILE("tfprof graph")
	PROFILE("tfprof code") PROFILE("tfprof advise")
	PROFILE("tfprof op -output file:outfile=out")
	PROFILE("tfprof scope -output timeline:outfile=out") PROFILE("pprof -o out")
	PROFILE("ni -a linear/pred")
	PROFILE("tfprof code -output pprof:outfile=out")
	PROFILE("li -r loss/mse") PROFILE("lo loss/mse") PROFILE("dot -o out")
	PROFILE("ps linear.py") PROFILE("graph loss/mse")
#define GPU(line) { "testdata/profile/gpu_like", NULL, line },
	GPU("kernels -g op") GPU("memory") GPU("timeline -o out --style modern") GPU("timeline")
	GPU("kernels -g type --columns gflop") GPU("lp") GPU("dot -o out") GPU("ls")
	GPU("kernels -g scope --sort nan") GPU("tfprof op") GPU("pprof -o out") GPU("scopes")
	GPU("explain dense/MatMul")
	GPU("steps") GPU("gaps --step 0") GPU("overlap") GPU("pipeline")
#define TRACE(line) { "testdata/traces/gpu.json.gz", NULL, line },
	TRACE("kernels --records") TRACE("kernels --idle --columns queue,occupancy")
	TRACE("steps") TRACE("gaps") TRACE("overlap") TRACE("pipeline")
	TRACE("scopes") TRACE("timeline") TRACE("pprof -o out")
#define XSPACE(line) { "testdata/xspace/tf2_train", NULL, line },
	XSPACE("kernels -g source") XSPACE("kernels --format json") XSPACE("ls")
#define TWO(line) { "testdata/profile/two_devices", NULL, line },
	TWO("kernels -g op --step all") TWO("kernels --diff step:0") TWO("timeline")
	TWO("timeline -o out") TWO("memory")
	TWO("tfprof scope") TWO("lp")
/* A step without a graph beside it: partition graphs, labels. */
#define ALONE(line) { "testdata/profile/linear_tf2", NULL, line },
	ALONE("lp") ALONE("kernels -g op") ALONE("ni -a x") ALONE("li -r Identity")
	ALONE("dot -o out") ALONE("tfprof graph")
	ALONE("scopes") ALONE("memory") ALONE("timeline -o out --style modern")
	ALONE("pprof -o out") ALONE("ls")
/* tfprof's own file; loops; a script of a relative name. */
#define PROTO(line) { "testdata/profile/accumulate", NULL, line },
	PROTO("tfprof scope") PROTO("tfprof op") PROTO("tfprof code") PROTO("tfprof advise")
	PROTO("tfprof scope -output timeline:outfile=out") PROTO("pprof -o out")
#define LOOP(line) { "testdata/profile/while_loop", NULL, line },
	LOOP("tfprof graph") LOOP("tfprof code") LOOP("kernels") LOOP("ps while_loop.py")
	LOOP("lp -f while.*")
#define ODD(line) { "testdata/profile_odd/relative_script", NULL, line },
	ODD("ps train.py") ODD("lp") ODD("tfprof code") ODD("kernels -g source")
#define TEXT(line) { "testdata/profile/linear/graph.pbtxt", NULL, line },
	TEXT("ni -a loss/mse") TEXT("li -r loss/mse") TEXT("dot -o out") TEXT("graph loss/mse")
/* Dumps of old, and of several processes. */
#define OLD(line) { "testdata/tf1.0.0_loop", NULL, line },
	OLD("lt") OLD("ri") OLD("lt -f has_inf_or_nan") OLD("ni -a -d start")
#define WORKERS(line) { "testdata/workers", NULL, line },
	WORKERS("lt") WORKERS("runs --split") WORKERS("ri") WORKERS("lt -f has_inf_or_nan")
/* Recorded programs: what is told by the index, by records. */
#define PROGRAM(line) { "testdata/v2/mode_CONCISE_HEALTH", NULL, line },
#define AT_STEP(line) { "testdata/v2/mode_CONCISE_HEALTH", "run --to 31", line },
	PROGRAM("run") PROGRAM("ri") PROGRAM("la") PROGRAM("lg") AT_STEP("lt")
	AT_STEP("ni -a -d -t Log") PROGRAM("ni -d -t '#31' --format json")
	AT_STEP("li -r -c -t gradient_tape/MatMul/MatMul") AT_STEP("lo -r '#30'")
	AT_STEP("pf") AT_STEP("run -n") AT_STEP("back")
	PROGRAM("lt --all-steps -f has_inf_or_nan") PROGRAM("run -f has_inf_or_nan")
	PROGRAM("lx") PROGRAM("lx -f has_nan") PROGRAM("lx --format json")
#define FULL(line) { "testdata/v2/tf2.1.3_FULL_TENSOR", NULL, line },
	FULL("lt --all-steps -f 'max > 1'") FULL("run -f 'max > 1'") FULL("lx -f 'max > 1'")
	FULL("lx -f has_inf_or_nan") FULL("la") FULL("ri")
	{ "testdata/v2/tf2.1.3_FULL_TENSOR", "la", "lt --all-steps -f has_inf_or_nan" },
#define PROGRAMS(line) { "testdata/v2/workers", NULL, line },
	PROGRAMS("runs") PROGRAMS("lx")
};
const size_t n_questions = sizeof questions / sizeof *questions;

/* What was written here, in order of the names; other files than "out..." are left alone. */
static void take_files(struct str *out)
{
	struct listing list = {0};

	listing_of(&list, ".", NULL);
	for (size_t i = 0; i < list.entries.len; i++) {
		const char *name = list.entries.at[i].name;
		struct str bytes = {0};

		if (strncmp(name, "out", 3) != 0)
			continue;
		str_fmt(out, "%s:\n", name);
		if (read_whole(name, &bytes))
			str_put(out, str_text(&bytes), bytes.len);
		str_release(&bytes);
		unlink(name);
	}
	listing_release(&list);
}

bool ask(struct shell *shell, const char *line, struct progress *progress, struct said *said)
{
	struct answer answer;
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);
	bool ok;

	shell_run(shell, line, 0, progress, &answer);
	if (progress)            /* it has stopped the command; what that has done is shown */
		progress->cancel = false;
	answer_send(&answer, line, DOC_TEXT, PIPE_PRINTS, progress);
	ok = answer_write(&answer, line, DOC_TEXT, false, progress, file) && !answer.failed;
	fclose(file);
	str_put(&said->text, text, len);
	free(text);
	str_put(&said->told, str_text(&answer.complaint), answer.complaint.len);
	str_put(&said->told, str_text(&answer.error), answer.error.len);
	if (answer.toast_is_error)
		str_put(&said->told, str_text(&answer.toast), answer.toast.len);
	for (size_t i = 0; answer.doc && i < doc_warnings(answer.doc); i++)
		str_fmt(&said->told, "%s\n", doc_warning(answer.doc, i));
	answer_release(&answer);
	take_files(&said->text);
	said->failed = !ok || progress_cancelled(progress);
	return !said->failed;
}

void said_reset(struct said *said)
{
	str_reset(&said->text);
	str_reset(&said->told);
	said->failed = false;
}

void said_release(struct said *said)
{
	str_release(&said->text);
	str_release(&said->told);
}

bool str_same(const struct str *a, const struct str *b)
{
	return a->len == b->len && !memcmp(str_text(a), str_text(b), a->len);
}
