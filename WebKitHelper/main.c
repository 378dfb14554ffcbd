// The helper of yabbi's WebKit stage: reads commands from file descriptor 3, and writes replies and events to 4.
//
// Arguments: the folder for its files, the folder of its extension, and the width and height of the screen in points;
// then words: `windows` shows pages on the desktop instead of a screen without a monitor, `unsandboxed` turns WebKit's
// sandbox off.

#include "page.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

WireConnection *yabbi;
const char *folder;
const char *extension_folder;
gboolean is_sandboxed = TRUE;

static GMainLoop *loop;

GByteArray *event_begin(const char *name, gint64 page) {
    GByteArray *event = wire_begin(name);
    wire_add_integer(event, page);
    return event;
}

void reply_bytes(gint64 number, const char *kind, const void *bytes, gsize size) {
    if (number == 0) return;
    GByteArray *message = wire_begin("reply");
    // A reply has no page, but the same place for it as events.
    wire_add_integer(message, 0);
    wire_add_integer(message, number);
    wire_add_text(message, kind);
    wire_add(message, bytes, size);
    wire_send(yabbi, message);
}

void reply(gint64 number, const char *kind, const char *text) {
    reply_bytes(number, kind, text, text ? strlen(text) : 0);
}

static void handle(WireConnection *connection, WireMessage *message, gpointer data) {
    (void)connection, (void)data;
    commands_handle(message);
}

static void ended(WireConnection *connection, gpointer data) {
    (void)connection, (void)data;
    g_main_loop_quit(loop);
}

static gboolean throttle(gpointer data) {
    (void)data;
    extensions_throttle();
    return G_SOURCE_CONTINUE;
}

// Ends with a message, as the last line of the log.
static int fail(const char *message) {
    g_printerr("yabbi-webkit: %s\n", message);
    return 1;
}

int main(int count, char **arguments) {
    if (count < 5) return fail("this program is started by yabbi: yabbi-play show --stage webkit");
    // Only this process has the pipe: its end is noticed at once, here and by yabbi. A signal at the end of the parent
    // would come with the end of the thread that started this process.
    for (int file = 3; file <= 4; file++) fcntl(file, F_SETFD, FD_CLOEXEC);
    folder = arguments[1];
    extension_folder = arguments[2];
    gboolean has_windows = FALSE;
    for (int i = 5; i < count; i++) {
        if (strcmp(arguments[i], "windows") == 0) has_windows = TRUE;
        if (strcmp(arguments[i], "unsandboxed") == 0) is_sandboxed = FALSE;
    }
    if (!webkit_get_major_version() || (webkit_get_major_version() == 2 && webkit_get_minor_version() < 42)) {
        return fail("the installed WebKitGTK is too old; install version 2.42 or later (libwebkit2gtk-4.1-0)");
    }
    const char *problem = has_windows ? NULL : display_start(atoi(arguments[3]), atoi(arguments[4]));
    if (!problem) problem = proxy_prepare();
    if (problem) return fail(problem);
    gdk_set_allowed_backends(has_windows ? "*" : "x11");
    if (!gtk_init_check(NULL, NULL)) {
        return fail("the display can't be opened; run this in a desktop session, or without windows");
    }
    pages = g_hash_table_new(g_int64_hash, g_int64_equal);
    if (!extensions_listen()) return fail("the folder for the helper's files can't be used, or its path is too long");
    loop = g_main_loop_new(NULL, FALSE);
    yabbi = wire_connect(3, 4, handle, ended, NULL);
    g_timeout_add(20, throttle, NULL);
    GByteArray *ready = event_begin("ready", 0);
    char *version = g_strdup_printf("%u.%u.%u", webkit_get_major_version(), webkit_get_minor_version(),
                                    webkit_get_micro_version());
    wire_add_text(ready, version);
    g_free(version);
    wire_send(yabbi, ready);
    g_main_loop_run(loop);
    return 0;
}
