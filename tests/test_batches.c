/*
 * What the recorder for Keras says of its steps, steps.json: which batch each one is, and whether
 * the recording ended in order. Without its last execution the dump has a call behind the last
 * step: that is a loss unless the recording ended, which another run's file doesn't say. And
 * nothing was dropped where it kept all.
 */
#include <string.h>

#include "tests/program.h"
#include "tests/suite.h"

#define FORMAT "{\"format\": \"tensordbg-steps\", \"version\": 1, "
#define STEP(fit, epoch, batch, steps) \
	"{\"model\": \"net\", \"fit\": " fit ", \"epoch\": " epoch ", \"batch\": " batch ", " \
	steps "}"
#define OF_LAST "\"first\": 1, \"last\": 2"
#define OF_FIRST "\"first\": 0, \"last\": 0"
#define OF_RUN FORMAT "\"run_id\": \"f1005127\""
#define STEPS(list) OF_RUN ", \"steps\": [" list "]}"
#define CUT_SHORT "1 call of functions came after the last step"

/* What a command says of a recording with this steps.json, whole or cut. */
static void ask(const char *from, const char *json, bool cut, const char *command, struct str *out)
{
	static const char line[] =
		"cp -r testdata/v2/\"$5\" \"$0/d\"; printf %s \"$1\" >\"$0/d/steps.json\"; "
		"if [ \"$2\" ]; then f=$(ls \"$0\"/d/*.execution); head -c 1423 \"$f\" >\"$0/e\"; "
		"mv \"$0/e\" \"$f\"; fi; \"$4\" \"$0/d\" -c 'run --last' -c \"$3\" 2>&1";
	char *dir = scratch_new();
	struct program_run ran;

	program_run((const char *[]){ "sh", "-c", line, dir, json, cut ? "cut" : "", command,
	                              program_path(), from, NULL }, NULL, NULL, &ran);
	str_reset(out);
	str_fmt(out, "%s%s", str_text(&ran.out), str_text(&ran.err));
	program_release(&ran);
	scratch_remove(dir);
}

static const struct {
	const char *json, *command, *says, *not;
	bool cut;
	const char *from;        /* NULL: where_gradient */
} cases[] = {
	{ OF_RUN ", \"ended\": true}", "doctor", "0 lost", CUT_SHORT, true, NULL },
	{ OF_RUN ", \"ended\": true}", "overview", "0 runs cut short",
	  CUT_SHORT, true, NULL },
	{ OF_RUN ", \"ended\": false}", "doctor", CUT_SHORT, NULL, true, NULL },
	{ OF_RUN "}", "doctor", CUT_SHORT, NULL, true, NULL },
	{ OF_RUN ", \"ended\": null}", "doctor", CUT_SHORT, NULL, true, NULL },
	{ OF_RUN ", \"ended\": \"no\"}", "doctor", CUT_SHORT, NULL, true, NULL },
	{ OF_RUN ", \"ended\": true, \"most\": null}", "doctor", "0 lost", CUT_SHORT, true, NULL },
	{ FORMAT "\"run_id\": \"f1005128\", \"ended\": true}", "doctor", CUT_SHORT, NULL, true,
	  NULL },
	{ FORMAT "\"ended\": true}", "doctor", CUT_SHORT, NULL, true, NULL },
	{ "{\"format\": \"other\", \"run_id\": \"f1005127\", \"ended\": true}", "doctor", CUT_SHORT,
	  NULL, true, NULL },
	{ OF_RUN ", \"ended\": true, ", "doctor", "steps.json", NULL, true, NULL },
	{ OF_RUN ", \"ended\": true, ", "doctor", CUT_SHORT, NULL, true, NULL },
	{ STEPS(STEP("1", "0", "7", OF_LAST)), "origins",
	  "first in step #2 (batch 7)", NULL, false, NULL },
	{ STEPS(STEP("1", "0", "7", OF_LAST)), "origins -o json",
	  "\"execution\":2,\"model\":\"net\",\"fit\":1,\"epoch\":0,\"batch\":7,", NULL, false,
	  NULL },
	{ STEPS(STEP("1", "0", "7", OF_LAST)), "origins -o json",
	  "\"first_bad_execution\":2,\"first_bad_batch\":7,", NULL, false, NULL },
	{ STEPS(STEP("1", "0", "7", OF_FIRST)), "origins -o json",
	  "\"execution\":2,\"model\":null,\"fit\":null,\"epoch\":null,\"batch\":null,", NULL,
	  false, NULL },
	{ OF_RUN "}", "origins -o json", "\"execution\":2,\"call\"", "batch", false, NULL },
	{ STEPS(STEP("1", "0", "7", OF_LAST)), "lt",
	  "of step #2 (batch 7) __inference_step_66", NULL, false, NULL },
	{ STEPS(STEP("1", "0", "7", OF_FIRST)), "origins", "first in step #2\n", NULL, false,
	  NULL },
	{ STEPS(STEP("1", "0", "3", OF_FIRST) ", " STEP("1", "1", "0", OF_LAST)), "origins",
	  "first in step #2 (epoch 1, batch 0)", NULL, false, NULL },
	{ STEPS(STEP("1", "0", "3", OF_FIRST) ", " STEP("2", "0", "3", OF_LAST)), "origins",
	  "first in step #2 (net, fit 2, batch 3)", NULL, false, NULL },
	{ STEPS(STEP("1", "0", "7", "\"first\": 3, \"last\": 2")), "doctor",
	  "steps or without a batch", NULL, false, NULL },
	{ STEPS(STEP("1", "0", "7", "\"first\": 1")), "doctor", "steps or without a batch", NULL,
	  false, NULL },
	{ STEPS("{\"batch\": 7, \"run\": \"run_1_2\"}"), "origins",
	  "first in step #2\n", NULL, false, NULL },
	{ FORMAT "\"run_id\": \"fac8cbda\", \"most\": 0}", "doctor", "0 lost", "was dropped", false,
	  "threads" },
	{ FORMAT "\"run_id\": \"fac8cbda\", \"most\": 10}", "doctor", "was dropped", NULL, false,
	  "threads" },
};

START_TEST(it_says)
{
	struct str said = {0};

	ask(cases[_i].from ? cases[_i].from : "where_gradient", cases[_i].json,
	    cases[_i].cut, cases[_i].command, &said);
	ck_assert_msg(strstr(said.text, cases[_i].says) != NULL, "no \"%s\": %s", cases[_i].says,
	              said.text);
	ck_assert_msg(!cases[_i].not || !strstr(said.text, cases[_i].not), "%s", said.text);
	str_release(&said);
}
END_TEST

START_TEST(it_says_so_in_an_archive)
{
	static const char line[] =
		"cp -r testdata/v2/where_gradient \"$0/d\"; printf %s \"$1\" >\"$0/d/steps.json\"; "
		"tar -C \"$0\" -cf \"$0/d.tar\" d; \"$2\" \"$0/d.tar\" -c 'run --last' -c origins";
	char *dir = scratch_new();
	struct program_run ran;

	program_run((const char *[]){ "sh", "-c", line, dir,
	                              STEPS(STEP("1", "0", "7", OF_LAST)), program_path(), NULL },
	            NULL, NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "first in step #2 (batch 7)") != NULL, "%s%s",
	              str_text(&ran.out), str_text(&ran.err));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("batches",
	tcase_add_loop_test(t, it_says, 0, ROWS(cases));
	tcase_add_test(t, it_says_so_in_an_archive);
)
