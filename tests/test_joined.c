/* A dump and a profile of the same nodes, both made by hand. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "dump/model/device.h"
#include "tests/made_step.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/word_dump.h"

static const struct {
	const char *a, *b;
	bool same;
} devices[] = {
	{ "/job:localhost/replica:0/task:0/device:CPU:0", "/job:localhost/replica:0/task:0/cpu:0",
	  true },
	{ "/job:localhost/replica:0/task:0/device:CPU:0", "/cpu:0", true },
	{ "/device:GPU:1", "/job:worker/replica:0/task:3/gpu:1", true },
	{ "/device:GPU:1", "/gpu:1", true },
	{ "/gpu:1", "/gpu:10", false },
	{ "/gpu:0", "/cpu:0", false },
	{ "/job:a/replica:0/task:0/cpu:0", "/job:a/replica:0/task:1/device:CPU:0", false },
	{ "/job:a/replica:0/task:0/cpu:0", "/job:b/replica:0/task:0/cpu:0", false },
	{ "", "", true },
	{ "", "/cpu:0", false },
};

START_TEST(devices_are_the_same_by_any_name)
{
	ck_assert_int_eq(device_is_same(devices[_i].a, devices[_i].b), devices[_i].same);
	ck_assert_int_eq(device_is_same(devices[_i].b, devices[_i].a), devices[_i].same);
}
END_TEST

/*
 * Node a is on both devices, of which the profile names one in the old way; b ran a kernel twice; c
 * was not traced; d was traced but not dumped.
 */
static char *make_both(void)
{
	static const char cpu_0[] = "/cpu:0",
	                  cpu_1[] = "/job:localhost/replica:0/task:0/device:CPU:1";
	char *dir = scratch_new();
	struct making m = {0};

	word_dump_make(dir, "a Add; b MatMul; c Const; 1/a Add",
	               "a:0@1=nan,1 b:0@2=1,2 b:1@3=1,inf c:0@4=nan 1/a:0@5=1,2");
	made_lane(&m, cpu_0);
	made_record(&m, "a", 10, 7, "a = Add(x, y)");
	made_record(&m, "b", 20, 5, "b = MatMul(a)");
	made_record(&m, "d", 30, 40, "d = Mul(a)");
	made_lane(&m, cpu_1);
	made_record(&m, "a", 12, 3, "a = Add(x, y)");
	made_lane(&m, "/job:localhost/replica:0/task:0/device:CPU:1/stream:all");
	made_record(&m, "a:Add", 50, 9, "sgemm regs:1@@a:Add");
	made_record(&m, "a:Add", 70, 2, "sgemm regs:1@@a:Add");
	made_save(&m, dir, "run_metadata.pb");
	return dir;
}

static const struct {
	const char *format, *line, *answer;
} answers[] = {
	{ "text", "lt",
	  "Tensor name Device\n[0.000]  27       Add     a:0         /device:CPU:0\n" },
	{ "text", "lt --times",
	  "t (ms)   Size (B) Op type Tensor name Device        Host (us) Kernel (us)\n"
	  "[0.000]  27       Add     a:0         /device:CPU:0 7.000     -\n"
	  "[0.001]  27       MatMul  b:0         /device:CPU:0 5.000     -\n"
	  "[0.002]  27       MatMul  b:1         /device:CPU:0 5.000     -\n"
	  "[0.003]  19       Const   c:0         /device:CPU:0 -         -\n"
	  "[0.004]  27       Add     a:0         /device:CPU:1 3.000     11.000\n" },
	{ "text", "lt -s kernel_time -r -n [ab]",
	  "t (ms)   Size (B) Op type Tensor name Device        Host (us) Kernel (us)\n"
	  "[0.004]  27       Add     a:0         /device:CPU:1 3.000     11.000\n"
	  "[0.000]  27       Add     a:0         /device:CPU:0 7.000     -\n" },
	{ "text", "lt -s host_time -n [ab]", "3.000     11.000\n[0.001]  27       MatMul  b:0" },
	{ "json", "lt --times -n c",
	  "\"op\":\"Const\",\"device\":\"/job:localhost/replica:0/task:0/device:CPU:0\","
	  "\"host_us\":null,\"kernel_us\":null}" },
	{ "csv", "lt --times -n b", ",op,device,host_us,kernel_us\n" },
	{ "text", "kernels -u host",
	  "    %   Cum%     Host  Calls     Mean      Max   Kernel  Name\n" },
	{ "text", "kernels -s nan -u host",
	  "NaN      %   Cum%     Host  Calls     Mean      Max   Kernel  Name\n"
	  "  1   18.2   18.2  10.00us      2  5.000us  7.000us  11.00us  a\n"
	  "  1    9.1   27.3  5.000us      1  5.000us  5.000us        -  b\n"
	  "  -   72.7  100.0  40.00us      1  40.00us  40.00us        -  d\n" },
	{ "json", "kernels --columns nan -u host -d CPU:1", "\"nan\":0}" },
	{ "json", "kernels --columns nan -u host -d ^/cpu:0 -l 1 -n a", "\"nan\":1}" },
};

START_TEST(answers_join)
{
	char *dir = make_both();
	struct str format = {0};
	struct program_run ran;

	str_fmt(&format, "--format=%s", answers[_i].format);
	program_run((const char *const[]){ program_path(), format.text, "-c", answers[_i].line, dir,
	                                   NULL }, NULL, NULL,
	            &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_msg(strstr(str_text(&ran.out), answers[_i].answer) != NULL, "%s",
	              str_text(&ran.out));
	program_release(&ran);
	str_release(&format);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("joined",
	tcase_add_loop_test(t, devices_are_the_same_by_any_name, 0, ROWS(devices));
	tcase_add_loop_test(t, answers_join, 0, ROWS(answers));
)
