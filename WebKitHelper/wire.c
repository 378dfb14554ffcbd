#include "wire.h"

#include <errno.h>
#include <glib-unix.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

struct WireConnection {
    int reading;
    int writing;
    GByteArray *received;
    // The bytes of `received` that are handled already.
    gsize handled;
    GByteArray *unsent;
    guint read_watch;
    guint write_watch;
    gboolean is_paused;
    gboolean is_closed;
    WireHandler handler;
    WireEnd end;
    gpointer data;
};

static guint32 number_at(const guint8 *bytes) {
    guint32 number;
    memcpy(&number, bytes, sizeof number);
    return GUINT32_FROM_LE(number);
}

static void add_number(GByteArray *bytes, guint32 number) {
    number = GUINT32_TO_LE(number);
    g_byte_array_append(bytes, (const guint8 *)&number, sizeof number);
}

void wire_message_free(WireMessage *message) {
    for (guint i = 0; i < message->count; i++) g_free(message->fields[i]);
    g_free(message->fields);
    g_free(message->sizes);
    g_free(message);
}

const char *wire_text(const WireMessage *message, guint index) {
    return index < message->count ? message->fields[index] : "";
}

gint64 wire_integer(const WireMessage *message, guint index) {
    return g_ascii_strtoll(wire_text(message, index), NULL, 10);
}

double wire_number(const WireMessage *message, guint index) { return g_ascii_strtod(wire_text(message, index), NULL); }

GBytes *wire_bytes(const WireMessage *message, guint index) {
    if (index >= message->count) return g_bytes_new(NULL, 0);
    return g_bytes_new(message->fields[index], message->sizes[index]);
}

GByteArray *wire_begin(const char *name) {
    GByteArray *message = g_byte_array_new();
    add_number(message, 0);
    wire_add_text(message, name);
    return message;
}

void wire_add(GByteArray *message, const void *bytes, gsize size) {
    add_number(message, (guint32)size);
    if (size > 0) g_byte_array_append(message, bytes, (guint)size);
}

void wire_add_text(GByteArray *message, const char *text) { wire_add(message, text, text ? strlen(text) : 0); }

void wire_add_integer(GByteArray *message, gint64 number) {
    char text[24];
    g_snprintf(text, sizeof text, "%" G_GINT64_FORMAT, number);
    wire_add_text(message, text);
}

void wire_end(GByteArray *message) {
    guint32 size = GUINT32_TO_LE(message->len - (guint)sizeof size);
    memcpy(message->data, &size, sizeof size);
}

// Splits the fields of a message; NULL if their sizes contradict the message's.
static WireMessage *parse(const guint8 *bytes, gsize size) {
    GPtrArray *fields = g_ptr_array_new();
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(gsize));
    gsize at = 0;
    while (at + 4 <= size) {
        gsize length = number_at(bytes + at);
        at += 4;
        if (length > size - at) break;
        char *field = g_malloc(length + 1);
        memcpy(field, bytes + at, length);
        field[length] = 0;
        g_ptr_array_add(fields, field);
        g_array_append_val(sizes, length);
        at += length;
    }
    WireMessage *message = g_new0(WireMessage, 1);
    message->count = fields->len;
    message->fields = (char **)g_ptr_array_free(fields, FALSE);
    message->sizes = (gsize *)(void *)g_array_free(sizes, FALSE);
    if (at == size && message->count > 0) return message;
    wire_message_free(message);
    return NULL;
}

// The next complete message; NULL if there is none. A broken one closes the connection.
static WireMessage *next(WireConnection *connection) {
    if (connection->is_closed) return NULL;
    gsize size = connection->received->len - connection->handled;
    const guint8 *bytes = connection->received->data + connection->handled;
    if (size < 4) return NULL;
    gsize length = number_at(bytes);
    if (length > WIRE_LIMIT) {
        connection->is_closed = TRUE;
        return NULL;
    }
    if (size - 4 < length) return NULL;
    WireMessage *message = parse(bytes + 4, length);
    connection->handled += 4 + length;
    if (connection->handled == connection->received->len) {
        g_byte_array_set_size(connection->received, 0);
        connection->handled = 0;
    } else if (connection->handled > (1u << 20)) {
        g_byte_array_remove_range(connection->received, 0, (guint)connection->handled);
        connection->handled = 0;
    }
    if (!message) connection->is_closed = TRUE;
    return message;
}

// Reads what has arrived; FALSE if the connection is broken.
static gboolean receive(WireConnection *connection) {
    guint8 buffer[64 << 10];
    ssize_t count = read(connection->reading, buffer, sizeof buffer);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return TRUE;
    if (count <= 0) return FALSE;
    g_byte_array_append(connection->received, buffer, (guint)count);
    return TRUE;
}

static void handle_all(WireConnection *connection) {
    WireMessage *message;
    while (!connection->is_paused && (message = next(connection))) {
        connection->handler(connection, message, connection->data);
        wire_message_free(message);
    }
}

static gboolean is_readable(gint file, GIOCondition condition, gpointer data) {
    (void)file, (void)condition;
    WireConnection *connection = data;
    gboolean is_open = receive(connection);
    handle_all(connection);
    if (is_open && !connection->is_closed) return G_SOURCE_CONTINUE;
    connection->read_watch = 0;
    connection->is_closed = TRUE;
    connection->end(connection, connection->data);
    return G_SOURCE_REMOVE;
}

static void watch(WireConnection *connection) {
    if (connection->read_watch || connection->is_paused || connection->is_closed) return;
    connection->read_watch = g_unix_fd_add(connection->reading, G_IO_IN | G_IO_HUP | G_IO_ERR, is_readable, connection);
}

WireConnection *wire_connect(int reading, int writing, WireHandler handler, WireEnd end, gpointer data) {
    WireConnection *connection = g_new0(WireConnection, 1);
    connection->reading = reading;
    connection->writing = writing;
    connection->received = g_byte_array_new();
    connection->unsent = g_byte_array_new();
    connection->handler = handler;
    connection->end = end;
    connection->data = data;
    g_unix_set_fd_nonblocking(reading, TRUE, NULL);
    g_unix_set_fd_nonblocking(writing, TRUE, NULL);
    watch(connection);
    return connection;
}

void wire_close(WireConnection *connection) {
    if (connection->read_watch) g_source_remove(connection->read_watch);
    if (connection->write_watch) g_source_remove(connection->write_watch);
    close(connection->reading);
    if (connection->writing != connection->reading) close(connection->writing);
    g_byte_array_unref(connection->received);
    g_byte_array_unref(connection->unsent);
    g_free(connection);
}

// Writes as much as the other side takes now.
static void flush(WireConnection *connection) {
    gsize done = 0;
    while (done < connection->unsent->len) {
        ssize_t count = write(connection->writing, connection->unsent->data + done, connection->unsent->len - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) break;
        // The end of the connection is noticed when it is read.
        done = count <= 0 ? connection->unsent->len : done + (gsize)count;
    }
    g_byte_array_remove_range(connection->unsent, 0, (guint)done);
}

static gboolean is_writable(gint file, GIOCondition condition, gpointer data) {
    (void)file, (void)condition;
    WireConnection *connection = data;
    flush(connection);
    if (connection->unsent->len > 0) return G_SOURCE_CONTINUE;
    connection->write_watch = 0;
    return G_SOURCE_REMOVE;
}

void wire_send(WireConnection *connection, GByteArray *message) {
    wire_end(message);
    g_byte_array_append(connection->unsent, message->data, message->len);
    g_byte_array_unref(message);
    if (connection->write_watch) return;
    flush(connection);
    if (connection->unsent->len == 0) return;
    connection->write_watch =
        g_unix_fd_add(connection->writing, G_IO_OUT | G_IO_HUP | G_IO_ERR, is_writable, connection);
}

gsize wire_unsent(const WireConnection *connection) { return connection->unsent->len; }

void wire_drain(WireConnection *connection, gsize limit) {
    flush(connection);
    while (connection->unsent->len > limit) {
        struct pollfd file = {.fd = connection->writing, .events = POLLOUT};
        if (poll(&file, 1, -1) < 0 && errno != EINTR) return;
        flush(connection);
    }
}

static gboolean handle_later(gpointer data) {
    WireConnection *connection = data;
    connection->read_watch = 0;
    handle_all(connection);
    watch(connection);
    return G_SOURCE_REMOVE;
}

void wire_pause(WireConnection *connection, gboolean is_paused) {
    if (connection->is_paused == is_paused) return;
    connection->is_paused = is_paused;
    if (connection->read_watch) g_source_remove(connection->read_watch);
    connection->read_watch = is_paused || connection->is_closed ? 0 : g_idle_add(handle_later, connection);
}

static gboolean handle_rest(gpointer data) {
    handle_all(data);
    return G_SOURCE_REMOVE;
}

WireMessage *wire_wait(WireConnection *connection) {
    while (!connection->is_closed) {
        WireMessage *message = next(connection);
        if (message) {
            // No more bytes may come that would make the main loop look at those that have arrived with this message.
            if (connection->received->len > connection->handled) g_idle_add(handle_rest, connection);
            return message;
        }
        flush(connection);
        struct pollfd files[2] = {
            {.fd = connection->reading, .events = POLLIN},
            {.fd = connection->unsent->len > 0 ? connection->writing : -1, .events = POLLOUT},
        };
        if (poll(files, 2, -1) < 0 && errno != EINTR) return NULL;
        if (files[0].revents && !receive(connection)) connection->is_closed = TRUE;
    }
    return NULL;
}
