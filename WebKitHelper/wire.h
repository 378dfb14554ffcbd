// Messages between yabbi, this helper and its extension: each is a list of fields, and each field is bytes.
//
// A message is its size in four bytes, then each field as its size in four bytes and its bytes; little-endian.

#pragma once

#include <glib.h>

// The greatest size of a message, in bytes; a longer one is a broken connection.
#define WIRE_LIMIT (256u << 20)

// A received message.
typedef struct {
    guint count;
    // The fields, each with a zero after it.
    char **fields;
    gsize *sizes;
} WireMessage;

void wire_message_free(WireMessage *message);

// A field as text; empty if the message is shorter.
const char *wire_text(const WireMessage *message, guint index);

// A field as a number; 0 if it is none.
gint64 wire_integer(const WireMessage *message, guint index);
double wire_number(const WireMessage *message, guint index);

// A field as bytes.
GBytes *wire_bytes(const WireMessage *message, guint index);

// Writes a message: begin, add fields, end.
GByteArray *wire_begin(const char *name);
void wire_add(GByteArray *message, const void *bytes, gsize size);
// Adds a text; NULL is an empty one.
void wire_add_text(GByteArray *message, const char *text);
void wire_add_integer(GByteArray *message, gint64 number);
void wire_end(GByteArray *message);

// A connection with a queue of bytes that the other side has not read yet.
typedef struct WireConnection WireConnection;

typedef void (*WireHandler)(WireConnection *connection, WireMessage *message, gpointer data);
typedef void (*WireEnd)(WireConnection *connection, gpointer data);

// Starts to read; the handler is called in the main loop, and `end` once when the connection is broken.
WireConnection *wire_connect(int reading, int writing, WireHandler handler, WireEnd end, gpointer data);
void wire_close(WireConnection *connection);

// Sends a message and frees it.
void wire_send(WireConnection *connection, GByteArray *message);

// The number of bytes that the other side has not read yet.
gsize wire_unsent(const WireConnection *connection);

// Waits until at most so many bytes are unsent.
void wire_drain(WireConnection *connection, gsize limit);

// Stops or continues reading.
void wire_pause(WireConnection *connection, gboolean is_paused);

// Waits for the next message; NULL if the connection is broken. The caller frees it.
WireMessage *wire_wait(WireConnection *connection);
