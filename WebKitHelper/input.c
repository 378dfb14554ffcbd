// Input of the scripted user, and of the lab: events as from the devices of a computer, which pages see as trusted.

#include "helper.h"

#include <gdk/gdkkeysyms.h>
#include <string.h>

static GdkEvent *new_event(GdkEventType type, GtkWidget *view) {
    GdkEvent *event = gdk_event_new(type);
    GdkSeat *seat = gdk_display_get_default_seat(gtk_widget_get_display(view));
    gboolean is_key = type == GDK_KEY_PRESS || type == GDK_KEY_RELEASE;
    gdk_event_set_device(event, is_key ? gdk_seat_get_keyboard(seat) : gdk_seat_get_pointer(seat));
    event->any.window = g_object_ref(gtk_widget_get_window(view));
    event->any.send_event = FALSE;
    return event;
}

static guint32 now(void) { return (guint32)(g_get_monotonic_time() / 1000); }

static void send(GtkWidget *view, GdkEvent *event) {
    gtk_widget_event(view, event);
    gdk_event_free(event);
}

static void send_motion(GtkWidget *view, double x, double y, guint state) {
    GdkEvent *event = new_event(GDK_MOTION_NOTIFY, view);
    event->motion.time = now();
    event->motion.x = event->motion.x_root = x;
    event->motion.y = event->motion.y_root = y;
    event->motion.state = state;
    send(view, event);
}

static void send_button(GtkWidget *view, GdkEventType type, double x, double y) {
    GdkEvent *event = new_event(type, view);
    event->button.time = now();
    event->button.button = 1;
    event->button.x = event->button.x_root = x;
    event->button.y = event->button.y_root = y;
    event->button.state = type == GDK_BUTTON_RELEASE ? GDK_BUTTON1_MASK : 0;
    send(view, event);
}

void input_mouse(GtkWidget *view, const char *kind, double x, double y) {
    if (strcmp(kind, "move") == 0) send_motion(view, x, y, 0);
    if (strcmp(kind, "drag") == 0) send_motion(view, x, y, GDK_BUTTON1_MASK);
    if (strcmp(kind, "press") == 0) send_button(view, GDK_BUTTON_PRESS, x, y);
    if (strcmp(kind, "release") == 0) send_button(view, GDK_BUTTON_RELEASE, x, y);
}

void input_touch(GtkWidget *view, const char *kind, double x, double y) {
    // One finger; the address is its identity.
    static char finger;
    GdkEventType type = strcmp(kind, "start") == 0  ? GDK_TOUCH_BEGIN
                        : strcmp(kind, "move") == 0 ? GDK_TOUCH_UPDATE
                                                    : GDK_TOUCH_END;
    GdkEvent *event = new_event(type, view);
    event->touch.time = now();
    event->touch.x = event->touch.x_root = x;
    event->touch.y = event->touch.y_root = y;
    event->touch.sequence = (GdkEventSequence *)&finger;
    event->touch.emulating_pointer = TRUE;
    send(view, event);
}

void input_wheel(GtkWidget *view, double dx, double dy, double x, double y) {
    GdkEvent *event = new_event(GDK_SCROLL, view);
    event->scroll.time = now();
    event->scroll.x = event->scroll.x_root = x;
    event->scroll.y = event->scroll.y_root = y;
    event->scroll.direction = GDK_SCROLL_SMOOTH;
    // WebKit scrolls 40 points for each step of a wheel.
    event->scroll.delta_x = dx / 40;
    event->scroll.delta_y = dy / 40;
    send(view, event);
}

// The key's symbol in X11; W3C UI Events, "Named key Attribute Values".
static guint symbol_of(const char *key) {
    static const struct {
        const char *key;
        guint symbol;
    } named[] = {
        {"Enter", GDK_KEY_Return},      {"Tab", GDK_KEY_Tab},         {"Escape", GDK_KEY_Escape},
        {"Backspace", GDK_KEY_BackSpace}, {"Delete", GDK_KEY_Delete}, {"ArrowLeft", GDK_KEY_Left},
        {"ArrowRight", GDK_KEY_Right},  {"ArrowUp", GDK_KEY_Up},      {"ArrowDown", GDK_KEY_Down},
        {"Home", GDK_KEY_Home},         {"End", GDK_KEY_End},         {"PageUp", GDK_KEY_Page_Up},
        {"PageDown", GDK_KEY_Page_Down}, {"Shift", GDK_KEY_Shift_L},  {"Control", GDK_KEY_Control_L},
        {"Alt", GDK_KEY_Alt_L},         {"Meta", GDK_KEY_Meta_L},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(named); i++) {
        if (strcmp(named[i].key, key) == 0) return named[i].symbol;
    }
    return g_utf8_strlen(key, -1) == 1 ? gdk_unicode_to_keyval(g_utf8_get_char(key)) : 0;
}

void input_key(GtkWidget *view, gboolean is_down, const char *key, const char *text, guint modifiers) {
    static const guint masks[] = {GDK_MOD1_MASK, GDK_CONTROL_MASK, GDK_META_MASK, GDK_SHIFT_MASK};
    GdkEvent *event = new_event(is_down ? GDK_KEY_PRESS : GDK_KEY_RELEASE, view);
    event->key.time = now();
    event->key.keyval = symbol_of(key);
    event->key.string = g_strdup(text);
    event->key.length = (gint)strlen(text);
    for (guint i = 0; i < 4; i++) event->key.state |= modifiers & (1u << i) ? masks[i] : 0;
    GdkKeymapKey *keys = NULL;
    gint count = 0;
    GdkKeymap *keymap = gdk_keymap_get_for_display(gtk_widget_get_display(view));
    if (gdk_keymap_get_entries_for_keyval(keymap, event->key.keyval, &keys, &count) && count > 0) {
        event->key.hardware_keycode = (guint16)keys[0].keycode;
    }
    g_free(keys);
    send(view, event);
}
