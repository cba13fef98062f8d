/* Directories that a profiler writes XSpace files into, as the program opens them. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/made_xspace.h"
#include "tests/message.h"
#include "tests/program.h"

#define RECORDED "testdata/xspace/jax_step/host.xplane.pb"

/* d/plugins/profile/SESSION/HOST.xplane.pb: a GPU with a kernel of so many ns. */
static void put_session(const char *dir, const char *file, int64_t len_ns, int64_t began_ns)
{
	struct made_xspace m = {0};
	struct str path = {0};
	uint32_t start;
	FILE *out;

	made_plane(&m, "/device:GPU:0");
	made_line(&m, 1, "Stream #1(Compute)", 1000);
	made_event(&m, made_event_name(&m, "k"), 0, len_ns * 1000);
	made_plane_end(&m);
	made_plane(&m, "Task Environment");
	start = made_stat_name(&m, "profile_start_time");
	put_number(&m.event, 1, start);
	put_number(&m.event, 3, (uint64_t)began_ns);
	put_message(&m.head, 6, &m.event);
	str_reset(&m.event);
	made_plane_end(&m);
	str_fmt(&path, "%s/%s", dir, file);
	for (char *slash = strchr(path.text + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path.text, 0700);
		*slash = '/';
	}
	out = fopen(path.text, "w");
	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(m.out.text, 1, m.out.len, out), m.out.len);
	fclose(out);
	str_release(&path);
	made_xspace_release(&m);
}

static void run(const char *dir, const char *path, const char *command, struct program_run *ran)
{
	const char *const argv[] = { program_path(), "-c", command, path, NULL };

	program_run(argv, dir, NULL, ran);
}

/* Of several sessions the newest is open, whichever of the directories around them is named. */
static const struct { const char *path; } logdirs[] = {
	{ "d" }, { "d/plugins" }, { "d/plugins/profile" },
};

START_TEST(newest_session_is_open)
{
	char *dir = scratch_new();
	struct program_run ran;

	put_session(dir, "d/plugins/profile/2026_01_09_00_00_00/a.xplane.pb", 9, 0);
	put_session(dir, "d/plugins/profile/2026_01_10_00_00_00/a.xplane.pb", 10, 0);
	put_session(dir, "d/plugins/profile/2026_01_08_00_00_00/a.xplane.pb", 8, 0);
	run(dir, logdirs[_i].path, "kernels", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "GPU:0: span 10ns"));
	ck_assert_ptr_nonnull(strstr(ran.err.text, "3 sessions of a profiler; the newest, "));
	ck_assert_ptr_nonnull(strstr(ran.err.text, "2026_01_10_00_00_00, is open; others: "
	                                           "2026_01_09_00_00_00, 2026_01_08_00_00_00\n"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* Logdirs of several programs are listed, as other places are. */
START_TEST(sessions_of_several_programs_are_listed)
{
	char *dir = scratch_new();
	struct program_run ran;

	put_session(dir, "d/a/plugins/profile/2026_01_09_00_00_00/a.xplane.pb", 9, 0);
	put_session(dir, "d/b/plugins/profile/2026_01_10_00_00_00/a.xplane.pb", 10, 0);
	run(dir, "d", "runs", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "a/plugins/profile/2026_01_09_00_00_00"));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "b/plugins/profile/2026_01_10_00_00_00"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* Machines of one session are devices; their times count from the first one's start. */
START_TEST(hosts_of_a_session_are_devices)
{
	char *dir = scratch_new();
	struct program_run ran;

	put_session(dir, "d/w0.xplane.pb", 5, 7000000);
	put_session(dir, "d/w1.xplane.pb", 6, 7000100);
	run(dir, "d", "kernels -g device", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "w0/GPU:0: span 5ns"));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "w1/GPU:0: span 6ns"));
	program_release(&ran);
	run(dir, "d", "timeline", &ran);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "timeline: 2 lanes, span 106ns"));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "w1/GPU:0 stream 1"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* What began at another time is no machine of the same session. */
START_TEST(other_sessions_are_left_out)
{
	char *dir = scratch_new();
	struct program_run ran;

	put_session(dir, "d/w0.xplane.pb", 5, INT64_C(1700000000000000000));
	put_session(dir, "d/w1.xplane.pb", 6, INT64_C(1700086400000000000));
	run(dir, "d", "kernels -g device", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "\nGPU:0: span 5ns"));
	ck_assert_ptr_null(strstr(ran.out.text, "w1/GPU:0"));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "note: w1 could not be read: it is of another "
	                             "session, which began 1440 minutes later.\n"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* The JSON that was made of an XSpace is passed over, and an XSpace beside recorded steps. */
START_TEST(xspace_wins_over_its_json)
{
	static const char json[] = "{\"traceEvents\": [{\"ph\": \"X\"}]}";
	char *dir = scratch_new();
	struct program_run ran;
	struct str path = {0};
	FILE *out;

	put_session(dir, "d/w0.xplane.pb", 5, 0);
	str_fmt(&path, "%s/d/w0.trace.json", dir);
	out = fopen(path.text, "w");
	ck_assert_uint_eq(fwrite(json, 1, sizeof json - 1, out), sizeof json - 1);
	fclose(out);
	run(dir, "d", "kernels", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "GPU:0: span 5ns"));
	ck_assert_str_eq(ran.err.text, "tensordbg: not opened: w0.trace.json (Chrome trace)\n");
	program_release(&ran);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

/* What an XSpace does not have is said in a line. */
static const struct { const char *command; } without[] = {
	{ "lp" }, { "memory" }, { "timeline -o x.json" }, { "tfprof op" },
};

START_TEST(statistics_are_missing)
{
	const char *const argv[] = { program_path(), "-c", without[_i].command,
	                             RECORDED, NULL };
	struct program_run ran;

	program_run(argv, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 1);
	ck_assert_str_eq(ran.out.text, "ERROR: " RECORDED ": an XSpace has no TensorFlow "
	                               "step statistics.\n");
	program_release(&ran);
}
END_TEST

SUITE_MAIN("xspace_sessions",
	tcase_add_loop_test(t, newest_session_is_open, 0, ROWS(logdirs));
	tcase_add_test(t, sessions_of_several_programs_are_listed);
	tcase_add_test(t, hosts_of_a_session_are_devices);
	tcase_add_test(t, other_sessions_are_left_out);
	tcase_add_test(t, xspace_wins_over_its_json);
	tcase_add_loop_test(t, statistics_are_missing, 0, ROWS(without));
)
