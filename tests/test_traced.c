/*
 * One tensor of a recorded program: which one a line means, and its value. Numbers are those that
 * TensorFlow's own reader and numpy find in the same files.
 */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "tests/asking.h"

#define TYPES "testdata/v2/dtypes_full"
#define HEALTH "testdata/v2/mode_CONCISE_HEALTH"
#define NESTED "testdata/v2/nested"
#define FILTERED "testdata/v2/filtered"
#define TRAIN "testdata/v2/tf2.1.3_FULL_TENSOR"

/* ' for ", so that the tables below can be read. */
static const char *quoted(const char *text)
{
	static char out[1024];

	snprintf(out, sizeof out, "%s", text);
	for (char *c = out; (c = strchr(c, '\'')); c++)
		*c = '"';
	return out;
}

static void ask_once(const char *root, const char *line, struct said *said)
{
	struct shell *shell = shell_new();
	struct err err = {0};

	ck_assert_msg(shell_open(shell, root, &err) && shell_load(shell, NULL, &err), "%s",
	              err.msg);
	ask(shell, line, NULL, said);
	shell_free(shell);
}

#define HUNDRED "'data':[[0.0,1.0,2.0],[3.0,100.0,5.0]]"
#define WHOLE_HUNDRED "'data':[[0,1,2],[3,100,5]]"
#define COUNTS \
	"'summary':{'total':6,'nan':0,'neg_inf':0,'negative':0,'zero':1,'positive':5,'pos_inf':0"

/* What the typed answer has. */
static const struct { const char *root, *line, *has; } found[] = {
	/* each type */
	{ TYPES, "pt -s --trace 0", "'dtype':'float32','rank':2,'shape':[2,3]" },
	{ TYPES, "pt -s --trace 0", COUNTS ",'min':0.0,'max':100.0,'mean':18.5,'std':36.48173}" },
	{ TYPES, "pt --trace 0", HUNDRED },
	{ TYPES, "pt --trace 1", HUNDRED },
	{ TYPES, "pt --trace 2", HUNDRED },
	{ TYPES, "pt --trace 3", HUNDRED },
	{ TYPES, "pt -s --trace 3", "'mean':18.5,'std':36.481730587605995}" },
	{ TYPES, "pt --trace 7", WHOLE_HUNDRED },
	{ TYPES, "pt --trace 11", WHOLE_HUNDRED },
	{ TYPES, "pt --trace 12", "'data':[[[0.0,0.0],[1.0,0.0],[2.0,0.0]]" },
	{ TYPES, "pt -s --trace 15", COUNTS ",'min':0.0,'max':96.0" },
	{ TYPES, "pt --trace 17", "'data':[[0.0,1.0,2.0],[3.0,96.0,5.0]]" },
	{ TYPES, "pt --trace 19", "'data':[[0,1,2],[3,4,5]]" },
	{ TYPES, "pt -s --trace 23", "'summary':{'total':6,'false':2,'true':4}" },
	{ TYPES, "pt --trace 40", "'data':[['plain','','tab\\there'],['caf\xc3\xa9 " },
	{ TYPES, "pt \"[1,2]\" --trace 40", "'data':'nul\\u0000end'" },
	{ TYPES, "pt #0:1", "'shape':[0,3]" },
	{ TYPES, "pt #0:2", "'data':111.5" },
	{ TYPES, "pt #0:8[0,1,0,:,0,0,0]",
	  "'slice':'[0,1,0,:,0,0,0]','state':'array','data':[4,101,6]" },
	{ TYPES, "pt Cast#16:0", HUNDRED },
	/* the same by name */
	{ TYPES, "pt --step 0 Cast:0", "'trace':0," },
	{ TYPES, "pt --step 0 Cast", "'trace':0," },
	{ TYPES, "pt --step 0 -g in_graph -n 0 Cast_3:0", "'trace':3," },
	{ TYPES, "pt --step 0 Cast:0 -D CPU:0", "'trace':0," },
	{ TYPES, "grid --at-step 0 Cast:0", HUNDRED },
	{ TYPES, "picture --at-step 0 Cast:0 -k hist", "'trace':0," },
	{ TYPES, "ev \"`Cast:0`[1] * 2\" --step 0", "'data':[6.0,200.0,10.0]" },
	{ TYPES, "ev \"np.max(`#16:0`)\"", "'data':100.0" },
	{ TYPES, "explain --at-step 0 Cast:0 -e 1,1", "'what':'element','name':'Cast:0'" },
	/* dumped several times */
	{ NESTED, "pt --step 7 while/add:0 -n 1", "'dump':1," },
	{ NESTED, "pt --step 7 while/add:0", "'rows':[{'tensor':'while/add:0'" },
	{ NESTED, "pt --step 7 while/add:0 -n 2",
	  "'state':'not_stored','data':null,'reason':'Values "
	  "were not stored (tensor_debug_mode=FULL_HEALTH). Re-run with FULL_TENSOR to "
	  "see them.'" },
	/* which output it is, is not known */
	{ FILTERED, "pt #5:?0", "'tensor':'Unique#5:?0','op':'Unique','slot':null" },
	{ FILTERED, "pt #5", "'ok':false" },
	{ HEALTH, "pt #31:1", "'entry':1,'tensor_id':null" },
	{ HEALTH, "pt #31", "'ok':false" },
	/* held against another step */
	{ HEALTH, "diff Log:0 15 --step 31",
	  "'status':'changed','new':'step #31','old':'step #15'" },
	{ HEALTH, "diff 7 --step 15", "'unknown':2," },
	{ HEALTH, "diff 7 --step 15", "'by_health':57" },
	{ TRAIN, "diff --step 24 16", "'tensors':49,'same':13,'changed':36," },
	{ TRAIN, "diff --step 24 16", "'by_health':0" },
	{ TRAIN, "diff Mean:0 --step 24", "'old':'step #16','n_diff':1" },
	{ TRAIN, "diff 25 --step 24", "'added':48,'gone':0" },
	{ TRAIN, "diff 24 --step 25", "'added':0,'gone':48" },
};

START_TEST(answers_have)
{
	struct said said = {0};
	struct str line = {0};
	const char *has = quoted(found[_i].has);

	str_fmt(&line, "%s --format json", found[_i].line);
	ask_once(found[_i].root, line.text, &said);
	ck_assert_msg(strstr(str_text(&said.text), has), "%s: no %s in %.3000s", found[_i].line,
	              has, str_text(&said.text));
	said_release(&said);
	str_release(&line);
}
END_TEST

static const struct { const char *root, *line, *says; } refused[] = {
	{ HEALTH, "pt Log:0", "No step is open." },
	{ HEALTH, "pt", "Which tensor?" },
	{ HEALTH, "pt --trace 270", "There is no trace 270: there are 270." },
	{ HEALTH, "pt --trace -1", "There is no trace -1" },
	{ HEALTH, "pt --trace 3 Log:0", "Two tensors are named" },
	{ HEALTH, "pt --step 31 Log:0 -n 1", "Invalid number (1)" },
	{ HEALTH, "pt --step 31 Log:0[0]", "Values were not stored" },
	{ HEALTH, "grid --at-step 31 Log:0[0]", "Values were not stored" },
	{ HEALTH, "picture --at-step 31 Log:0[0]", "Values were not stored" },
	{ HEALTH, "ev \"`Log:0` + 1\" --step 31", "Values were not stored" },
	{ HEALTH, "diff Log:0[0] 15 --step 31", "Values were not stored" },
	{ HEALTH, "pt --step 31 Log:0 -w out", "out: not saved" },
	{ HEALTH, "pt --step 31 mul:0", "2 graphs have \"mul:0\"" },
	{ HEALTH, "pt --step 31 Log:1", "did not generate any dumps in step #31" },
	{ HEALTH, "pt --step 31 Log:0 -D GPU", "did not generate any dumps in step #31" },
	{ HEALTH, "pt #31", "has 3 outputs" },
	{ HEALTH, "pt #31:3", "There is no \"#31:3\"" },
	{ HEALTH, "pt #32:0 -n 1", "Invalid number (1)" },
	{ HEALTH, "diff --step 7", "before step #7" },
	{ HEALTH, "diff Log:0 x --step 31", "\"x\" is no step" },
	{ FILTERED, "pt #5:0", "Unique#5:?0 is the first of them" },
	{ NESTED, "pt --step 7 unstack", "Several output slots" },
	{ NESTED, "pt --step 7 while/add:0 -n 3", "Specified number (3) exceeds" },
};

START_TEST(refusals_say_why)
{
	struct said said = {0};

	ask_once(refused[_i].root, refused[_i].line, &said);
	ck_assert_msg(said.failed, "%s", refused[_i].line);
	ck_assert_msg(strstr(str_text(&said.told), refused[_i].says), "%s: %s", refused[_i].line,
	              str_text(&said.told));
	said_release(&said);
}
END_TEST

SUITE_MAIN("traced",
	tcase_add_loop_test(t, answers_have, 0, ROWS(found));
	tcase_add_loop_test(t, refusals_say_why, 0, ROWS(refused));
)
