// The helper: pages of WebKitGTK, which yabbi controls over a pair of file descriptors.

#pragma once

#include "wire.h"

#include <webkit2/webkit2.h>

// The connection to yabbi.
extern WireConnection *yabbi;
// The folder of this helper's files.
extern const char *folder;
// The folder of the extension.
extern const char *extension_folder;
// Whether pages run in WebKit's sandbox.
extern gboolean is_sandboxed;

typedef struct Page Page;
typedef struct Proxy Proxy;

// Starts a message about a page.
GByteArray *event_begin(const char *name, gint64 page);
// Replies to a command; number 0 wants no reply.
void reply(gint64 number, const char *kind, const char *text);
void reply_bytes(gint64 number, const char *kind, const void *bytes, gsize size);

// Handles a command for a page: name, number of the reply, number of the page, and what the command needs.
void commands_handle(const WireMessage *message);

// The requests of a page: all go through a proxy, which holds them until yabbi answers.

// Starts a proxy; NULL if that is not possible.
Proxy *proxy_new(gint64 page, const char *secret);
void proxy_free(Proxy *proxy);
char *proxy_address(const Proxy *proxy);
// Answers a held request: number of the request, status, body, and each header's name and value.
void proxy_answer(Proxy *proxy, const WireMessage *message, guint first);
// Fails a held request.
void proxy_fail(Proxy *proxy, gint64 number);
// Creates the certificate with which the proxy reads encrypted requests; an error message, or NULL.
const char *proxy_prepare(void);

// Input.

void input_mouse(GtkWidget *view, const char *kind, double x, double y);
void input_touch(GtkWidget *view, const char *kind, double x, double y);
void input_wheel(GtkWidget *view, double dx, double dy, double x, double y);
void input_key(GtkWidget *view, gboolean is_down, const char *key, const char *text, guint modifiers);

// A screen without a monitor.

// Starts it; an error message with the fix, or NULL.
const char *display_start(int width, int height);
