/*
 * What the kernel may do to a read: stop short, be interrupted, fail. This program's pread stands
 * in for libc's.
 */
#include "cmds/session/shell.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmds/doc/call.h"
#include "cmds/session/envelope.h"
#include "dump/base/str.h"
#include "tests/suite.h"
#include "tui/pane.h"

enum fault { FAULT_NONE, FAULT_SHORT, FAULT_INTERRUPTED, FAULT_EIO, FAULT_SHRUNK };

static enum fault fault;
static atomic_long reads;
static long fails_at;
static pthread_t key_thread;
static bool keys_come;
static long reads_of_keys;

ssize_t pread(int fd, void *out, size_t len, off_t off)
{
	long now = reads++;

	if (keys_come && pthread_equal(pthread_self(), key_thread))
		reads_of_keys++;

	if (fault == FAULT_SHORT && len > 3)
		len = 3;
	if ((fault == FAULT_INTERRUPTED && now % 2 == 0) ||
	    (fault == FAULT_EIO && now == fails_at)) {
		errno = fault == FAULT_EIO ? EIO : EINTR;
		return -1;
	}
	if (fault == FAULT_SHRUNK && now >= fails_at)
		return 0;
	return syscall(SYS_pread64, fd, out, len, off);
}

static const char *const commands[] = {
	"lt", "lt -f has_inf_or_nan", "ni -a -d linear/pred", "li -r -c loss/mse", "lo -r linear/w",
	"pt linear/w:0 -s", "pt _arg_x_0_0:0 -a", "ev np.sum(`linear/w:0`)", "pf x:0", "ri",
};
enum { N_COMMANDS = ROWS(commands) };

static void put_answer(struct shell *shell, const char *command, enum doc_format format,
                       struct str *out)
{
	struct answer answer;
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	shell_run(shell, command, 0, NULL, &answer);
	answer_write(&answer, command, format, false, NULL, file);
	fclose(file);
	str_put(out, text, len);
	free(text);
	answer_release(&answer);
}

/* All commands on a fresh session. False if it does not open. */
static bool session(enum doc_format format, struct str *out)
{
	struct shell *shell = shell_new();
	struct err err = {0};
	bool ok = shell_open(shell, "testdata/linear", &err) && shell_load(shell, NULL, &err);

	for (size_t i = 0; ok && i < N_COMMANDS; i++)
		put_answer(shell, commands[i], format, out);
	ck_assert(ok || err.code);
	shell_free(shell);
	return ok;
}

static void set_fault(enum fault kind, long nth)
{
	fault = kind;
	fails_at = nth;
	reads = 0;
}

static const enum fault harmless[] = { FAULT_SHORT, FAULT_INTERRUPTED };

START_TEST(answers_stay_the_same)
{
	struct str wanted = {0}, got = {0};

	ck_assert(session(DOC_TEXT, &wanted));
	set_fault(harmless[_i], 0);
	ck_assert(session(DOC_TEXT, &got));
	ck_assert_int_gt(reads, 0);
	ck_assert_str_eq(got.text, wanted.text);
	str_release(&wanted);
	str_release(&got);
}
END_TEST

static const enum fault harmful[] = { FAULT_EIO, FAULT_SHRUNK };

/*
 * The nth read fails, for every n. Whatever is lost is named; the list of tensors comes from names
 * alone and stays.
 */
START_TEST(the_rest_stays)
{
	struct str got = {0};
	long total;

	set_fault(FAULT_NONE, 0);
	ck_assert(session(DOC_TEXT, &got));
	total = reads;
	for (long n = 0; n < total; n += 1 + total / 200) {
		str_reset(&got);
		set_fault(harmful[_i], n);
		ck_assert(session(n % 2 ? DOC_TEXT : DOC_JSON, &got));
		ck_assert_ptr_nonnull(strstr(got.text,
		                             n % 2 ? "41 dumped tensor(s):"
		                             : "\"tensor\":\"loss/mse:0\""));
	}
	str_release(&got);
}
END_TEST

/* Keys. */

static const struct { const char *path, *line; } lists[] = {
	{ "testdata/mnist_nan", "lt" },
	{ "testdata/mnist_nan", "lt -s tensor_name" },
	{ "testdata/mnist_nan", "li -r -d 9 cross_entropy/total/Mean" },
	{ "testdata/train20", "runs" },
	{ "testdata/train20/run_1795218502329437_12", "lt -t .*" },
};

/* Of what shows, the lines, the signs and what is said of rows, as a frame asks for them. */
static void look_at_page(struct pane *pane)
{
	struct doc *doc = pane_doc(pane);
	struct str said = {0};
	size_t n;
	const struct piece *pieces;

	pane_begin_frame(pane);
	pieces = pane_pieces(pane, &n);
	for (size_t i = 0; i < n; i++) {
		doc_sign(doc, pieces[i].at.row, true);
		str_reset(&said);
		doc_say_row(doc, pieces[i].at.row, true, &said);
	}
	str_release(&said);
}

/* What a page shows of tensors is read beside the keys. */
START_TEST(no_key_of_a_list_reads)
{
	struct shell *shell = shell_new();
	struct canvas canvas = { .blocks = true, .modern = true, .health_cols = 110 };
	struct answer answer;
	struct pane pane = { .modern = true };
	struct err err = {0};
	uint64_t told = 0;

	shell_on_screen(shell);
	ck_assert(shell_open(shell, lists[_i].path, &err) && shell_load(shell, NULL, &err));
	shell_set_canvas(shell, &canvas);
	shell_run(shell, lists[_i].line, 120, NULL, &answer);
	ck_assert(!answer.failed && answer.doc);
	key_thread = pthread_self();
	keys_come = true;
	pane_resize(&pane, 12, 120);
	pane_show(&pane, answer.doc, NULL);
	pane_focus(&pane, true);
	for (int page = 0; page < 40; page++) {
		look_at_page(&pane);
		pane_cursor_page(&pane, page < 20 ? 1 : -1, 12);
	}
	while (doc_signs_go_on(answer.doc, &told) || doc_work(answer.doc, NULL) == BODY_WORKING)
		sched_yield();
	look_at_page(&pane);
	keys_come = false;
	ck_assert_int_eq(reads_of_keys, 0);
	pane_release(&pane);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("reads",
	tcase_add_loop_test(t, no_key_of_a_list_reads, 0, ROWS(lists));
	tcase_add_loop_test(t, answers_stay_the_same, 0, ROWS(harmless));
	tcase_add_loop_test(t, the_rest_stays, 0, ROWS(harmful));
)
