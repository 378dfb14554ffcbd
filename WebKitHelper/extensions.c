// The connections to the extensions, each in the process of a page.

#include "page.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// The number of unsent bytes at which a page that floods has to wait.
#define UNSENT_LIMIT (8u << 20)

// WebKit's sandbox admits no user's home folder, which `folder` is.
char *extensions_folder(void) { return g_build_filename(folder, "page", NULL); }

char *extensions_socket(void) { return g_build_filename(folder, "page", "socket", NULL); }

// A message of the extension: to yabbi, with the page's number as the second field.
static void from_extension(WireConnection *connection, WireMessage *message, gpointer data) {
    (void)data;
    GHashTableIter each;
    gpointer value;
    const char *name = wire_text(message, 0);
    if (strcmp(name, "hello") == 0) {
        gint64 number = wire_integer(message, 1);
        Page *page = g_hash_table_lookup(pages, &number);
        if (!page || strcmp(page->secret, wire_text(message, 2)) != 0) return;
        page->extension = connection;
        return page_opened(page);
    }
    g_hash_table_iter_init(&each, pages);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        const Page *page = value;
        if (page->extension != connection) continue;
        GByteArray *event = event_begin(name, page->number);
        for (guint i = 1; i < message->count; i++) wire_add(event, message->fields[i], message->sizes[i]);
        wire_send(yabbi, event);
        if (wire_unsent(yabbi) > UNSENT_LIMIT) wire_pause(connection, TRUE);
    }
}

static void extension_ended(WireConnection *connection, gpointer data) {
    (void)data;
    GHashTableIter each;
    gpointer value;
    g_hash_table_iter_init(&each, pages);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        Page *page = value;
        if (page->extension == connection) page->extension = NULL;
    }
    wire_close(connection);
}

static gboolean accept_extension(gint file, GIOCondition condition, gpointer data) {
    (void)condition, (void)data;
    int accepted = accept4(file, NULL, NULL, SOCK_CLOEXEC);
    if (accepted >= 0) wire_connect(accepted, accepted, from_extension, extension_ended, NULL);
    return G_SOURCE_CONTINUE;
}

gboolean extensions_listen(void) {
    char *shared = extensions_folder();
    int status = g_mkdir(shared, 0700);
    g_free(shared);
    if (status != 0) return FALSE;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *path = extensions_socket();
    gboolean is_short = strlen(path) < sizeof address.sun_path;
    if (is_short) strcpy(address.sun_path, path);
    g_free(path);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (!is_short || file < 0 || bind(file, (struct sockaddr *)&address, sizeof address) != 0) return FALSE;
    if (listen(file, 64) != 0) return FALSE;
    g_unix_fd_add(file, G_IO_IN, accept_extension, NULL);
    return TRUE;
}

void extensions_throttle(void) {
    GHashTableIter each;
    gpointer value;
    if (wire_unsent(yabbi) > UNSENT_LIMIT / 2) return;
    g_hash_table_iter_init(&each, pages);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        const Page *page = value;
        if (page->extension) wire_pause(page->extension, FALSE);
    }
}

typedef struct {
    gint64 number;
    GByteArray *message;
} Command;

static void pass_on(const Page *page, gint64 number, GByteArray *message) {
    if (page->extension) return wire_send(page->extension, message);
    g_byte_array_unref(message);
    reply(number, "failed", "the page's process has ended");
}

void extensions_pass_on(Page *page, gint64 number, const WireMessage *message) {
    const char *name = wire_text(message, 3);
    GByteArray *copy = wire_begin(name);
    wire_add_integer(copy, number);
    for (guint i = 4; i < message->count; i++) wire_add(copy, message->fields[i], message->sizes[i]);
    // The whole process waits for the scripts of a document.
    if (page->on_their_way == 0 || strcmp(name, "document") == 0) return pass_on(page, number, copy);
    Command *command = g_new0(Command, 1);
    *command = (Command){number, copy};
    g_queue_push_tail(&page->held, command);
}

void extensions_release(Page *page) {
    Command *command;
    while ((command = g_queue_pop_head(&page->held))) {
        pass_on(page, command->number, command->message);
        g_free(command);
    }
}

static void arrived(GObject *view, GAsyncResult *result, gpointer data) {
    gint64 *number = data;
    WebKitUserMessage *answer = webkit_web_view_send_message_to_page_finish(WEBKIT_WEB_VIEW(view), result, NULL);
    if (answer) g_object_unref(answer);
    Page *page = g_hash_table_lookup(pages, number);
    if (page && page->on_their_way > 0 && --page->on_their_way == 0) extensions_release(page);
    g_free(number);
}

void extensions_hold(Page *page) {
    page->on_their_way++;
    webkit_web_view_send_message_to_page(page->view, webkit_user_message_new("yabbi", NULL), NULL, arrived,
                                         g_memdup2(&page->number, sizeof page->number));
}
