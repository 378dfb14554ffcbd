// A page with cookies, storage, caches, a process and a proxy of its own.

#pragma once

#include "helper.h"

struct Page {
    gint64 number;
    char *secret;
    Proxy *proxy;
    // Where WebKit keeps the page's cookies, storage and caches.
    char *data_folder;
    WebKitWebContext *context;
    WebKitWebView *view;
    GtkWidget *window;
    // The connection to the page's extension; NULL until it has started.
    WireConnection *extension;
    // Commands for the extension that came after scripts which WebKit itself runs, and how many of those are on their
    // way: the two ways to the process have no common order.
    GQueue held;
    guint on_their_way;
    // The history without an address, of which a creative sees the length.
    WebKitWebViewSessionState *history;
    // Numbers of replies that wait: for the start of the extension, and for the start of a navigation.
    gint64 opening;
    gint64 loading;
    // Whether the empty document is there, which each page begins with, and whether WebKit has started the load.
    gboolean has_document, has_started;
    WebKitScriptDialog *dialog;
    // Pictures of the page whenever it changes: the greatest size, 0 for none, and the quality.
    int picture_width, picture_height, picture_quality;
    gboolean has_changed, is_pictured;
    gint64 last_picture, acknowledged_picture;
};

// The pages by their numbers.
extern GHashTable *pages;

// The life of a page.

// Opens a page: width, height, User-Agent, time zone, language; the last three may be empty.
void page_open(gint64 number, gint64 answer, const WireMessage *message);
void page_close(Page *page);
// Replies when the page can be used: its extension has started, and its empty document is there.
void page_opened(Page *page);
// Navigates the page; `number` gets a reply when the navigation has started.
void page_load(Page *page, gint64 number, const char *address);

// The extensions of pages.

// The folder that the processes of pages see, and the socket in it.
char *extensions_folder(void);
char *extensions_socket(void);
// Listens for extensions; FALSE if that is not possible.
gboolean extensions_listen(void);
// Continues to read from extensions when yabbi has read what it got.
void extensions_throttle(void);
// Passes a command on to the page's extension: its name, the number of the reply, and its other fields.
void extensions_pass_on(Page *page, gint64 number, const WireMessage *message);
// Holds commands until the page's process has got what was sent to it by WebKit.
void extensions_hold(Page *page);
// Passes the held commands on, or fails them without an extension.
void extensions_release(Page *page);

// What a page tries: yabbi decides, or it is refused.

void attempts_connect(Page *page);

// Pictures.

// Replies with a picture of a part of the page: x, y, width, height, format.
void pictures_capture(const Page *page, gint64 number, const WireMessage *message);
// Sends pictures of a greatest size whenever the page changes; none for 0.
void pictures_start(Page *page, int width, int height, int quality);
void pictures_acknowledge(Page *page, gint64 number);
// The page was drawn.
gboolean pictures_drawn(GtkWidget *view, cairo_t *drawing, gpointer page);
