// Runs in the process of the page: the worlds of the host's scripts, the messages of scripts, and the frames.
//
// WebKit loads it before the first page (WebKitGTK, "WebKitWebExtension"). It decides nothing: yabbi sends the scripts
// of each document, and gets what they send.

#include "wire.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <webkit2/webkit-web-extension.h>

// The greatest size of a script's message; yabbi reports longer ones, and needs no more of them for that.
#define MESSAGE_LIMIT (2u << 20)
// The greatest size of a text of WebKit's console, and of the address of its script.
#define LOG_LIMIT (8u << 10)
// The number of unsent bytes at which a page that floods has to wait.
#define UNSENT_LIMIT (1u << 20)

typedef struct {
    WebKitFrame *frame;
    guint64 id;
    // Counts the frame's documents.
    guint64 document;
    // The address of the current document.
    char *address;
    // In which worlds the current document's scripts have run.
    gboolean has_run[2];
    // In which worlds they wait for the reply.
    gboolean is_pending[2];
    // The reply with the scripts of the current document.
    WireMessage *setup;
} Frame;

enum { PAGE, HOST };
static const char *const world_names[] = {"page", "host"};

static WireConnection *connection;
static WebKitScriptWorld *worlds[2];
// The frames by their identifiers.
static GHashTable *frames;
// Messages that arrived while the process waited for another one.
static GQueue waiting = G_QUEUE_INIT;
// Proves to the proxy that a header is from here.
static char *secret;

// A function of a document that sends messages.
typedef struct {
    guint64 frame;
    guint64 document;
    int world;
    char *channel;
} Channel;

static void channel_free(gpointer data) {
    Channel *channel = data;
    g_free(channel->channel);
    g_free(channel);
}

static void post(const char *payload, gpointer data) {
    const Channel *channel = data;
    GByteArray *message = wire_begin("message");
    wire_add_integer(message, (gint64)channel->frame);
    wire_add_integer(message, (gint64)channel->document);
    wire_add_text(message, world_names[channel->world]);
    wire_add_text(message, channel->channel);
    wire_add(message, payload, payload ? strnlen(payload, MESSAGE_LIMIT) : 0);
    wire_send(connection, message);
    wire_drain(connection, UNSENT_LIMIT);
}

static void add_channel(JSCContext *context, const Frame *frame, int world, const char *name) {
    Channel *channel = g_new0(Channel, 1);
    *channel = (Channel){frame->id, frame->document, world, g_strdup(name)};
    JSCValue *function =
        jsc_value_new_function(context, name, G_CALLBACK(post), channel, channel_free, G_TYPE_NONE, 1, G_TYPE_STRING);
    jsc_context_set_value(context, name, function);
    g_object_unref(function);
}

static JSCContext *context_of(const Frame *frame, int world) {
    return webkit_frame_get_js_context_for_script_world(frame->frame, worlds[world]);
}

// MARK: Documents

// Adds the channels, and runs the scripts, that yabbi has sent for a world of the current document.
static void set_up(Frame *frame, int world) {
    frame->has_run[world] = TRUE;
    frame->is_pending[world] = FALSE;
    JSCContext *context = context_of(frame, world);
    for (guint i = 3; i + 2 < frame->setup->count; i += 3) {
        if (strcmp(wire_text(frame->setup, i + 1), world_names[world]) != 0) continue;
        const char *text = wire_text(frame->setup, i + 2);
        if (strcmp(wire_text(frame->setup, i), "channel") == 0) {
            add_channel(context, frame, world, text);
        } else {
            JSCValue *value = jsc_context_evaluate_with_source_uri(context, text, -1, "yabbi:script", 1);
            if (value) g_object_unref(value);
            jsc_context_clear_exception(context);
        }
    }
    g_object_unref(context);
    if (world != HOST) return;
    GByteArray *message = wire_begin("world");
    wire_add_integer(message, (gint64)frame->id);
    wire_add_integer(message, (gint64)frame->document);
    wire_send(connection, message);
}

static void handle(WireConnection *source, WireMessage *message, gpointer data);

static gboolean handle_waiting(gpointer data) {
    (void)data;
    WireMessage *message;
    while ((message = g_queue_pop_head(&waiting))) {
        handle(connection, message, NULL);
        wire_message_free(message);
    }
    return G_SOURCE_REMOVE;
}

// Waits for the scripts of a new document. The page runs no script until then.
static WireMessage *wait_for_setup(guint64 number) {
    WireMessage *message;
    while ((message = wire_wait(connection))) {
        gboolean is_setup = strcmp(wire_text(message, 0), "document") == 0;
        if (is_setup && (guint64)wire_integer(message, 2) == number) return message;
        if (g_queue_is_empty(&waiting)) g_idle_add(handle_waiting, NULL);
        g_queue_push_tail(&waiting, message);
    }
    _exit(0);
}

static void frame_destroyed(gpointer data, GObject *object) {
    (void)object;
    Frame *frame = data;
    GByteArray *message = wire_begin("removed");
    wire_add_integer(message, (gint64)frame->id);
    wire_send(connection, message);
    g_hash_table_remove(frames, &frame->id);
}

static void frame_free(gpointer data) {
    Frame *frame = data;
    if (frame->setup) wire_message_free(frame->setup);
    g_free(frame->address);
    g_free(frame);
}

static Frame *frame_of(WebKitFrame *object) {
    guint64 id = webkit_frame_get_id(object);
    Frame *frame = g_hash_table_lookup(frames, &id);
    if (frame) return frame;
    frame = g_new0(Frame, 1);
    frame->frame = object;
    frame->id = id;
    g_object_weak_ref(G_OBJECT(object), frame_destroyed, frame);
    g_hash_table_insert(frames, &frame->id, frame);
    return frame;
}

// Where a frame is: `main`, `child` of the main frame, or `nested` deeper. No script of the page has run yet.
static const char *place_of(const Frame *frame) {
    if (webkit_frame_is_main_frame(frame->frame)) return "main";
    JSCContext *context = context_of(frame, PAGE);
    JSCValue *value = jsc_context_evaluate(context, "parent === top", -1);
    const char *place = value && jsc_value_to_boolean(value) ? "child" : "nested";
    if (value) g_object_unref(value);
    g_object_unref(context);
    return place;
}

static void start_document(Frame *frame) {
    static guint64 last = 0;
    frame->document = ++last;
    frame->has_run[PAGE] = frame->has_run[HOST] = FALSE;
    frame->is_pending[PAGE] = frame->is_pending[HOST] = FALSE;
    g_free(frame->address);
    frame->address = g_strdup(webkit_frame_get_uri(frame->frame));
    if (frame->setup) wire_message_free(frame->setup);
    frame->setup = NULL;
    GByteArray *message = wire_begin("document");
    wire_add_integer(message, (gint64)frame->id);
    wire_add_integer(message, (gint64)frame->document);
    wire_add_text(message, frame->address);
    wire_add_text(message, place_of(frame));
    wire_send(connection, message);
    frame->setup = wait_for_setup(frame->document);
}

static void window_cleared(WebKitScriptWorld *source, WebKitWebPage *page, WebKitFrame *object, gpointer data) {
    (void)source, (void)page;
    int world = GPOINTER_TO_INT(data);
    Frame *frame = frame_of(object);
    // A question about the frame's place has made this world: it is set up when the answer is there.
    if (frame->document != 0 && !frame->setup) {
        frame->is_pending[world] = TRUE;
        return;
    }
    if (frame->document == 0 || frame->has_run[world]) start_document(frame);
    frame->is_pending[world] = TRUE;
    for (int each = PAGE; each <= HOST; each++) {
        if (frame->is_pending[each]) set_up(frame, each);
    }
}

// MARK: Requests

// Marks a request for the proxy, in a header that no page can write.
static void mark(SoupMessageHeaders *headers, const char *name, const char *text) {
    char *value = g_strconcat(secret, " ", text, NULL);
    soup_message_headers_replace(headers, name, value);
    g_free(value);
}

// Marks the request for a frame's document, so that the proxy knows the frame: a frame that navigates has the address
// of its next document already.
static void mark_frame(SoupMessageHeaders *headers, const char *address) {
    GHashTableIter each;
    gpointer value;
    soup_message_headers_remove(headers, "X-Yabbi-Frame");
    g_hash_table_iter_init(&each, frames);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        const Frame *frame = value;
        if (g_strcmp0(webkit_frame_get_uri(frame->frame), address) != 0) continue;
        char *number = g_strdup_printf("%" G_GUINT64_FORMAT, frame->id);
        mark(headers, "X-Yabbi-Frame", number);
        g_free(number);
        // A frame that navigates is preferred to one that shows this address already.
        if (g_strcmp0(frame->address, address) != 0) break;
    }
}

// Encodes a percent sign that begins no code (RFC 3986, section 2.1), as in a macro `%%CACHEBUSTER%%`: the proxy reads
// no address with one. It gets the address as it was in a header.
static void encode_percents(WebKitURIRequest *request, SoupMessageHeaders *headers) {
    char *address = g_strdup(webkit_uri_request_get_uri(request));
    soup_message_headers_remove(headers, "X-Yabbi-Address");
    GString *encoded = g_string_new(NULL);
    for (const char *each = address; *each; each++) {
        gboolean is_code = g_ascii_isxdigit(each[1]) && g_ascii_isxdigit(each[2]);
        g_string_append(encoded, *each == '%' && !is_code ? "%25" : (char[]){*each, 0});
    }
    if (strcmp(encoded->str, address) != 0) {
        mark(headers, "X-Yabbi-Address", address);
        webkit_uri_request_set_uri(request, encoded->str);
    }
    g_string_free(encoded, TRUE);
    g_free(address);
}

static gboolean send_request(WebKitWebPage *page, WebKitURIRequest *request, WebKitURIResponse *redirect, gpointer d) {
    (void)d;
    // The main frame of a new process has no document yet.
    frame_of(webkit_web_page_get_main_frame(page));
    SoupMessageHeaders *headers = webkit_uri_request_get_http_headers(request);
    if (!headers) return FALSE;
    // While a redirect is followed, the frame has the address of the first request.
    mark_frame(headers, redirect ? webkit_uri_response_get_uri(redirect) : webkit_uri_request_get_uri(request));
    encode_percents(request, headers);
    return FALSE;
}

// The page has handled what was sent to it before.
static gboolean user_message(WebKitWebPage *page, WebKitUserMessage *message, gpointer data) {
    (void)page, (void)data;
    webkit_user_message_send_reply(message, webkit_user_message_new("yabbi", NULL));
    return TRUE;
}

// What WebKit writes to its console, except for what scripts write there. That is where the texts of errors are: a
// script in a sandboxed frame gets none (HTML Living Standard, "Report an exception").
static void console_sent(WebKitWebPage *page, WebKitConsoleMessage *sent, gpointer data) {
    (void)page, (void)data;
    if (webkit_console_message_get_source(sent) == WEBKIT_CONSOLE_MESSAGE_SOURCE_CONSOLE_API) return;
    const char *text = webkit_console_message_get_text(sent);
    GByteArray *message = wire_begin("log");
    wire_add(message, text, text ? strnlen(text, LOG_LIMIT) : 0);
    const char *source = webkit_console_message_get_source_id(sent);
    wire_add(message, source, source ? strnlen(source, LOG_LIMIT) : 0);
    wire_add_integer(message, webkit_console_message_get_line(sent));
    wire_add_integer(message, webkit_console_message_get_source(sent) == WEBKIT_CONSOLE_MESSAGE_SOURCE_JAVASCRIPT);
    wire_send(connection, message);
    wire_drain(connection, UNSENT_LIMIT);
}

static void page_created(WebKitWebExtension *extension, WebKitWebPage *page, gpointer data) {
    (void)extension, (void)data;
    g_signal_connect(page, "send-request", G_CALLBACK(send_request), NULL);
    g_signal_connect(page, "console-message-sent", G_CALLBACK(console_sent), NULL);
    g_signal_connect(page, "user-message-received", G_CALLBACK(user_message), NULL);
}

// MARK: Commands

static void reply(gint64 number, const char *kind, const char *text) {
    if (number == 0) return;
    GByteArray *message = wire_begin("reply");
    wire_add_integer(message, number);
    wire_add_text(message, kind);
    wire_add_text(message, text);
    wire_send(connection, message);
}

static void reply_with_exception(gint64 number, JSCContext *context) {
    char *text = jsc_exception_report(jsc_context_get_exception(context));
    jsc_context_clear_exception(context);
    reply(number, "exception", text);
    g_free(text);
}

static void reply_with_value(gint64 number, JSCValue *value) {
    char *json = value ? jsc_value_to_json(value, 0) : NULL;
    reply(number, "value", json ? json : "null");
    g_free(json);
}

static void fulfilled(JSCValue *value, gpointer number) { reply_with_value(*(gint64 *)number, value); }

static void rejected(JSCValue *value, gpointer number) {
    char *text = jsc_value_to_string(value);
    reply(*(gint64 *)number, "exception", text);
    g_free(text);
}

static JSCValue *continuation(JSCContext *context, GCallback callback, gint64 number) {
    gint64 *copy = g_memdup2(&number, sizeof number);
    return jsc_value_new_function(context, NULL, callback, copy, g_free, G_TYPE_NONE, 1, JSC_TYPE_VALUE);
}

static gboolean is_promise(JSCValue *value) {
    return jsc_value_is_object(value) && jsc_value_object_is_instance_of(value, "Promise");
}

static void evaluate(gint64 number, JSCContext *context, const char *source) {
    JSCValue *value = jsc_context_evaluate_with_source_uri(context, source, -1, "yabbi:script", 1);
    if (jsc_context_get_exception(context)) {
        reply_with_exception(number, context);
    } else if (number != 0 && value && is_promise(value)) {
        JSCValue *done = continuation(context, G_CALLBACK(fulfilled), number);
        JSCValue *failed = continuation(context, G_CALLBACK(rejected), number);
        JSCValue *next =
            jsc_value_object_invoke_method(value, "then", JSC_TYPE_VALUE, done, JSC_TYPE_VALUE, failed, G_TYPE_NONE);
        if (next) g_object_unref(next);
        if (jsc_context_get_exception(context)) reply_with_exception(number, context);
        g_object_unref(done);
        g_object_unref(failed);
    } else {
        reply_with_value(number, value);
    }
    if (value) g_object_unref(value);
}

// Calls a function as a task of the page: within a call from here WebKit would run promises' reactions at each event.
static void call(gint64 number, JSCContext *context, const char *function, const char *argument) {
    char *source = g_strdup_printf("(async (argument) => { await 0; try { (%s)(argument); } catch {} })", function);
    JSCValue *value = jsc_context_evaluate(context, source, -1);
    g_free(source);
    if (value && jsc_value_is_function(value)) {
        JSCValue *result = jsc_value_function_call(value, G_TYPE_STRING, argument, G_TYPE_NONE);
        if (result) g_object_unref(result);
    }
    jsc_context_clear_exception(context);
    if (value) g_object_unref(value);
    reply(number, "done", NULL);
}

// Replies with the processor time of this process in microseconds, and its memory in bytes.
static void measure(gint64 number) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    gint64 time = (gint64)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000 + use.ru_utime.tv_usec
                  + use.ru_stime.tv_usec;
    char *text = NULL;
    gint64 pages = 0;
    if (g_file_get_contents("/proc/self/statm", &text, NULL, NULL)) {
        const char *second = strchr(text, ' ');
        pages = second ? g_ascii_strtoll(second, NULL, 10) : 0;
    }
    g_free(text);
    char *figures = g_strdup_printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, time, pages * sysconf(_SC_PAGESIZE));
    reply(number, "figures", figures);
    g_free(figures);
}

// Handles a command: name, number of the reply, and what the command needs.
static void handle(WireConnection *source, WireMessage *message, gpointer data) {
    (void)source, (void)data;
    const char *name = wire_text(message, 0);
    gint64 number = wire_integer(message, 1);
    if (strcmp(name, "ping") == 0) return reply(number, "done", NULL);
    if (strcmp(name, "measure") == 0) return measure(number);
    guint64 id = (guint64)wire_integer(message, 2);
    Frame *frame = g_hash_table_lookup(frames, &id);
    int world = strcmp(wire_text(message, 3), world_names[HOST]) == 0 ? HOST : PAGE;
    if (!frame) return reply(number, "absent", NULL);
    JSCContext *context = context_of(frame, world);
    if (strcmp(name, "evaluate") == 0) evaluate(number, context, wire_text(message, 4));
    if (strcmp(name, "call") == 0) call(number, context, wire_text(message, 4), wire_text(message, 5));
    if (strcmp(name, "channel") == 0) {
        add_channel(context, frame, world, wire_text(message, 4));
        reply(number, "done", NULL);
    }
    g_object_unref(context);
}

static void received(WireConnection *source, WireMessage *message, gpointer data) {
    // After those that arrived before it.
    handle_waiting(NULL);
    handle(source, message, data);
}

static void ended(WireConnection *source, gpointer data) {
    (void)source, (void)data;
    // Without the helper no request and no script is decided.
    _exit(0);
}

// MARK: Start

static int open_socket(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file >= 0 && connect(file, (struct sockaddr *)&address, sizeof address) == 0) return file;
    if (file >= 0) close(file);
    return -1;
}

// The data are the path of the helper's socket, the page's number, and its secret.
G_MODULE_EXPORT void webkit_web_extension_initialize_with_user_data(WebKitWebExtension *extension, GVariant *data) {
    const char *path, *number, *mark;
    g_variant_get(data, "(&s&s&s)", &path, &number, &mark);
    secret = g_strdup(mark);
    int file = open_socket(path);
    if (file < 0) {
        g_printerr("the extension can't reach yabbi at %s: %s\n", path, g_strerror(errno));
        _exit(1);
    }
    frames = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, frame_free);
    connection = wire_connect(file, file, received, ended, NULL);
    GByteArray *hello = wire_begin("hello");
    wire_add_text(hello, number);
    wire_add_text(hello, secret);
    wire_send(connection, hello);
    worlds[PAGE] = webkit_script_world_get_default();
    worlds[HOST] = webkit_script_world_new_with_name("yabbi");
    for (int world = PAGE; world <= HOST; world++) {
        g_signal_connect(worlds[world], "window-object-cleared", G_CALLBACK(window_cleared), GINT_TO_POINTER(world));
    }
    g_signal_connect(extension, "page-created", G_CALLBACK(page_created), NULL);
}
