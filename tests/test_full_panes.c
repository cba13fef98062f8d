/* Pictures of profiles and graphs in our style: they take the room of their pane. */
#include <locale.h>
#include <stdlib.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

#define FINE "LC_ALL=C.UTF-8 --screen=modern "
#define ASCII "LC_ALL=C.UTF-8 --screen=modern --ascii "

static const struct session sessions[] = {
	{ "bars in eighths of a column", 24, 120, FINE "profile/gpu_like",
	  { { ":kernels\r", 7, "6.13M  ██████████  block_2/expand" },
	    { "", 8, "6.13M  █████████▉  stem" }, { "", 11, "█████████▋  " } } },
	{ "bars of ASCII", 24, 120, ASCII "profile/gpu_like",
	  { { ":kernels\r", 7, "6.13M  ##########  block_2/expand" } } },
	{ "scopes in eighths", 24, 120, FINE "profile/gpu_like",
	  { { ":scopes\r", 3, "▕gradients ██" }, { "", 4, "▕block_1 █▏" },
	    { "", 7, " ██▋ stem_grad" }, { "", 14, " ▌ BiasAdd_grad" } } },
	{ "scopes of ASCII", 24, 120, ASCII "profile/gpu_like",
	  { { ":scopes\r", 3, "[gradients===" }, { "", 7, " ## stem_grad" } } },
	{ "memory as high as its pane", 30, 80, FINE "profile/gpu_like",
	  { { ":memory GPU_0_bfc\r", 2, " 75.16M       " }, { "", 15, "        0      ▁▁▁▁██" },
	    { "", 16, "^ +2.172ms  75.16M in 90 tensors" }, { "", 26, "block_" },
	    { "<Right>", 16, "^ +2.2" } } },
	{ "memory of ASCII", 30, 80, ASCII "profile/gpu_like",
	  { { ":memory GPU_0_bfc\r", 2, " 75.16M       " }, { "", 15, "        0      ######" },
	    { "", 16, "^ +2.172ms" } } },
	{ "a chart for each allocator", 30, 80, FINE "profile/gpu_like",
	  { { ":memory\r", 6, "    1.15M ████" }, { "", 15, "^ cpu  +7.000us  1.15M in 2" },
	    { "", 17, "   75.16M     " }, { "", 26, "^ GPU_0_bfc  +2.172ms" } } },
	{ "strips where charts have no room", 12, 80, FINE "profile/gpu_like",
	  { { ":memory\r", 6, "cpu        ████" }, { "", 7, "GPU_0_bfc       ▁" } } },
	{ "the chart grows with its pane", 24, 80, FINE "profile/gpu_like",
	  { { ":memory GPU_0_bfc\r", 12, "^ +2.172ms" },
	    { "<Resize(80x40)>", 23, "^ +2.172ms" } } },
};

START_TEST(screens)
{
	play_session(&sessions[_i]);
}
END_TEST

SUITE_MAIN("full_panes",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, screens, 0, ROWS(sessions));)
