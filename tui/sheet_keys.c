#include "tui/sheet_keys.h"

#include <string.h>

enum { WHEEL_ITEMS = 3 };

void sheet_keys_open(struct app *app)
{
	struct key_scope scope = app_scope(app);

	if (!app_in_view(app))
		scope.context = CONTEXT_PROMPT;
	sheet_open(&app->sheet, scope, view_doc(app_view(app)));
	bindings_put_sheet(&app->bindings, scope, view_doc(app_view(app)), &app->sheet);
	app_layout(app);
}

static void take_letter(struct sheet *sheet, const struct str *text)
{
	struct str typed = {0};

	str_puts(&typed, str_text(&sheet->typed));
	str_put(&typed, str_text(text), text->len);
	sheet_narrow(sheet, typed.text);
	str_release(&typed);
}

static void drop_letter(struct sheet *sheet)
{
	struct str typed = {0};

	str_puts(&typed, str_text(&sheet->typed));
	while (typed.len && (typed.text[typed.len - 1] & 0xc0) == 0x80)
		str_cut(&typed, typed.len - 1);
	if (typed.len)
		str_cut(&typed, typed.len - 1);
	sheet_narrow(sheet, str_text(&typed));
	str_release(&typed);
}

/* The chosen one; nothing happens where there is none. */
static int take_chosen(struct sheet *sheet)
{
	const struct sheet_item *item = sheet_chosen(sheet);

	if (item)
		sheet_close(sheet);
	return item ? item->key : 0;
}

static bool moved(struct sheet *sheet, int key)
{
	switch (key) {
	case K_UP:
	case K_BACKTAB: sheet_move(sheet, -1); break;
	case K_DOWN:
	case K_TAB: sheet_move(sheet, 1); break;
	case K_PAGE_UP: sheet_move(sheet, -sheet->rows); break;
	case K_PAGE_DOWN: sheet_move(sheet, sheet->rows); break;
	case K_HOME: sheet_move(sheet, -(int)sheet->lines.len); break;
	case K_END: sheet_move(sheet, (int)sheet->lines.len); break;
	case K_LEFT: sheet_move_column(sheet, -1); break;
	case K_RIGHT: sheet_move_column(sheet, 1); break;
	default: return false;
	}
	return true;
}

bool sheet_keys_take(struct app *app, const struct event *ev, int *chosen)
{
	struct sheet *sheet = &app->sheet;

	*chosen = 0;
	if (moved(sheet, ev->key))
		return true;
	switch (ev->key) {
	case K_ENTER: *chosen = take_chosen(sheet); break;
	case K_BACKSPACE: drop_letter(sheet); break;
	case K_ESC:
	case K_F(1):
	case K_CTRL('C'): sheet_close(sheet); break;
	case K_F(10):
	case K_CTRL('L'):
	case K_CTRL('Z'): return false;
	default:
		if (ev->key == '?' && !sheet->typed.len)
			sheet_close(sheet);
		else if (ev->key >= ' ' && ev->key < K_UP)
			take_letter(sheet, &ev->text);
		break;
	}
	return true;
}

void sheet_keys_mouse(struct app *app, const struct event *ev, int *chosen)
{
	struct sheet *sheet = &app->sheet;
	const struct rect *r = &app->layout.output;
	size_t line;

	*chosen = 0;
	if (ev->mouse == MOUSE_WHEEL_UP)
		sheet_move(sheet, -WHEEL_ITEMS);
	else if (ev->mouse == MOUSE_WHEEL_DOWN)
		sheet_move(sheet, WHEEL_ITEMS);
	if ((ev->mouse != MOUSE_CLICK && ev->mouse != MOUSE_RELEASE) || ev->row <= r->row)
		return;
	line = sheet_line_at(sheet, ev->row - r->row - 1, ev->col);
	if (line == sheet->lines.len || sheet->lines.at[line].heading)
		return;
	sheet_choose(sheet, line);
	*chosen = take_chosen(sheet);
}
