// The commands for pages.

#include "page.h"

#include <string.h>

GHashTable *pages;

static void evaluated(GObject *view, GAsyncResult *result, gpointer data) {
    gint64 *number = data;
    GError *error = NULL;
    JSCValue *value = webkit_web_view_call_async_javascript_function_finish(WEBKIT_WEB_VIEW(view), result, &error);
    char *json = value ? jsc_value_to_json(value, 0) : NULL;
    if (error) reply(*number, "exception", error->message);
    else reply(*number, "value", json ? json : "null");
    g_free(json);
    if (value) g_object_unref(value);
    g_clear_error(&error);
    g_free(number);
}

// Runs a script in the host's world of the main frame, as if by a user's gesture.
static void run(Page *page, gint64 number, const char *script) {
    GVariantBuilder arguments;
    g_variant_builder_init(&arguments, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&arguments, "{sv}", "script", g_variant_new_string(script));
    webkit_web_view_call_async_javascript_function(page->view, "return await (0, eval)(script)", -1,
                                                   g_variant_builder_end(&arguments), "yabbi", "yabbi:script", NULL,
                                                   evaluated, g_memdup2(&number, sizeof number));
    extensions_hold(page);
}

static void cleared(GObject *manager, GAsyncResult *result, gpointer data) {
    gint64 *number = data;
    gboolean is_cleared =
        webkit_website_data_manager_clear_finish(WEBKIT_WEBSITE_DATA_MANAGER(manager), result, NULL);
    reply(*number, is_cleared ? "done" : "failed", is_cleared ? NULL : "the page's storage can't be cleared");
    g_free(number);
}

static void clear_data(const Page *page, gint64 number) {
    WebKitWebsiteDataManager *data = webkit_web_context_get_website_data_manager(page->context);
    if (page->history) webkit_web_view_restore_session_state(page->view, page->history);
    webkit_website_data_manager_clear(data, WEBKIT_WEBSITE_DATA_ALL, 0, NULL, cleared,
                                      g_memdup2(&number, sizeof number));
}

static void list_cookies(GObject *manager, GAsyncResult *result, gpointer data) {
    gint64 *number = data;
    GList *cookies = webkit_cookie_manager_get_all_cookies_finish(WEBKIT_COOKIE_MANAGER(manager), result, NULL);
    GString *text = g_string_new(NULL);
    for (GList *each = cookies; each; each = each->next) {
        g_string_append_printf(text, "%s\t%s\n", soup_cookie_get_name(each->data), soup_cookie_get_domain(each->data));
    }
    reply(*number, "cookies", text->str);
    g_string_free(text, TRUE);
    g_list_free_full(cookies, (GDestroyNotify)soup_cookie_free);
    g_free(number);
}

static void read_cookies(const Page *page, gint64 number) {
    WebKitCookieManager *manager = webkit_web_context_get_cookie_manager(page->context);
    webkit_cookie_manager_get_all_cookies(manager, NULL, list_cookies, g_memdup2(&number, sizeof number));
}

static void dismiss_dialog(Page *page) {
    if (!page->dialog) return;
    webkit_script_dialog_close(page->dialog);
    webkit_script_dialog_unref(page->dialog);
    page->dialog = NULL;
}

static void resize(const Page *page, int width, int height) {
    gtk_window_resize(GTK_WINDOW(page->window), MAX(1, width), MAX(1, height));
}

typedef struct {
    gint64 number;
    int rounds;
} Settling;

static void settled(GObject *view, GAsyncResult *result, gpointer data) {
    Settling *settling = data;
    WebKitUserMessage *answer = webkit_web_view_send_message_to_page_finish(WEBKIT_WEB_VIEW(view), result, NULL);
    if (answer) g_object_unref(answer);
    if (answer && --settling->rounds > 0) {
        WebKitUserMessage *next = webkit_user_message_new("yabbi", NULL);
        webkit_web_view_send_message_to_page(WEBKIT_WEB_VIEW(view), next, NULL, settled, settling);
        return;
    }
    reply(settling->number, "done", NULL);
    g_free(settling);
}

// Replies when the page has handled an input event. WebKit sends the next event when the page has handled the last one,
// so a press after a move needs two rounds.
static void reply_when_settled(const Page *page, gint64 number) {
    if (number == 0) return;
    Settling *settling = g_new0(Settling, 1);
    *settling = (Settling){number, 2};
    WebKitUserMessage *first = webkit_user_message_new("yabbi", NULL);
    webkit_web_view_send_message_to_page(page->view, first, NULL, settled, settling);
}

// Handles input; FALSE for other commands.
static gboolean handle_input(const Page *page, const char *name, const WireMessage *message) {
    GtkWidget *view = GTK_WIDGET(page->view);
    const char *kind = wire_text(message, 3);
    double first = wire_number(message, 4), second = wire_number(message, 5);
    if (strcmp(name, "mouse") == 0) input_mouse(view, kind, first, second);
    else if (strcmp(name, "touch") == 0) input_touch(view, kind, first, second);
    else if (strcmp(name, "wheel") == 0) {
        input_wheel(view, wire_number(message, 3), first, second, wire_number(message, 6));
    } else if (strcmp(name, "key") == 0) {
        const char *text = wire_text(message, 5);
        input_key(view, strcmp(kind, "down") == 0, wire_text(message, 4), text, (guint)wire_integer(message, 6));
    } else return FALSE;
    return TRUE;
}

void commands_handle(const WireMessage *message) {
    const char *name = wire_text(message, 0);
    gint64 number = wire_integer(message, 1);
    gint64 id = wire_integer(message, 2);
    if (strcmp(name, "open") == 0) return page_open(id, number, message);
    Page *page = g_hash_table_lookup(pages, &id);
    if (!page) return reply(number, "failed", "the page does not exist");
    if (strcmp(name, "script") == 0) return extensions_pass_on(page, number, message);
    if (strcmp(name, "answer") == 0) return proxy_answer(page->proxy, message, 3);
    if (strcmp(name, "fail") == 0) return proxy_fail(page->proxy, wire_integer(message, 3));
    if (strcmp(name, "run") == 0) return run(page, number, wire_text(message, 3));
    if (strcmp(name, "load") == 0) return page_load(page, number, wire_text(message, 3));
    if (strcmp(name, "capture") == 0) return pictures_capture(page, number, message);
    if (strcmp(name, "clear") == 0) return clear_data(page, number);
    if (strcmp(name, "cookies") == 0) return read_cookies(page, number);
    if (handle_input(page, name, message)) return reply_when_settled(page, number);
    if (strcmp(name, "screen") == 0) {
        resize(page, (int)wire_integer(message, 3), (int)wire_integer(message, 4));
    } else if (strcmp(name, "agent") == 0) {
        webkit_settings_set_user_agent(webkit_web_view_get_settings(page->view), wire_text(message, 3));
    } else if (strcmp(name, "pictures") == 0) {
        int quality = (int)wire_integer(message, 5);
        pictures_start(page, (int)wire_integer(message, 3), (int)wire_integer(message, 4), quality);
    } else if (strcmp(name, "acknowledge") == 0) {
        pictures_acknowledge(page, wire_integer(message, 3));
    } else if (strcmp(name, "dismiss") == 0) {
        dismiss_dialog(page);
    } else if (strcmp(name, "terminate") == 0) {
        webkit_web_view_terminate_web_process(page->view);
    } else if (strcmp(name, "close") == 0) {
        page_close(page);
    } else {
        return reply(number, "failed", "the helper does not know this command");
    }
    reply(number, "done", NULL);
}
