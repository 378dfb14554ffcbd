// Pictures of a page: single ones, and one whenever the page changes.

#include "page.h"

#include <string.h>
#include <webp/encode.h>

typedef struct {
    gint64 number;
    int x, y, width, height;
    gboolean is_webp;
} Capture;

static cairo_status_t append(void *bytes, const unsigned char *data, unsigned size) {
    g_byte_array_append(bytes, data, size);
    return CAIRO_STATUS_SUCCESS;
}

static void reply_with_picture(const Capture *capture, cairo_surface_t *picture) {
    if (capture->is_webp) {
        cairo_surface_flush(picture);
        guint8 *bytes = NULL;
        gsize size = WebPEncodeBGRA(cairo_image_surface_get_data(picture), cairo_image_surface_get_width(picture),
                                    cairo_image_surface_get_height(picture), cairo_image_surface_get_stride(picture),
                                    82, &bytes);
        reply_bytes(capture->number, "picture", bytes, size);
        WebPFree(bytes);
        return;
    }
    GByteArray *bytes = g_byte_array_new();
    cairo_surface_write_to_png_stream(picture, append, bytes);
    reply_bytes(capture->number, "picture", bytes->data, bytes->len);
    g_byte_array_unref(bytes);
}

static void captured(GObject *view, GAsyncResult *result, gpointer data) {
    Capture *capture = data;
    GError *error = NULL;
    cairo_surface_t *whole = webkit_web_view_get_snapshot_finish(WEBKIT_WEB_VIEW(view), result, &error);
    if (!whole) {
        reply(capture->number, "failed", error->message);
        g_error_free(error);
        g_free(capture);
        return;
    }
    // The snapshot has the pixels of the screen, and the command has points.
    int scale = gtk_widget_get_scale_factor(GTK_WIDGET(view));
    cairo_surface_set_device_scale(whole, 1, 1);
    int width = capture->width > 0 ? scale * capture->width : cairo_image_surface_get_width(whole);
    int height = capture->height > 0 ? scale * capture->height : cairo_image_surface_get_height(whole);
    cairo_surface_t *part =
        cairo_surface_create_for_rectangle(whole, scale * capture->x, scale * capture->y, width, height);
    cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    cairo_t *drawing = cairo_create(picture);
    cairo_set_source_rgb(drawing, 1, 1, 1);
    cairo_paint(drawing);
    cairo_set_source_surface(drawing, part, 0, 0);
    cairo_paint(drawing);
    cairo_destroy(drawing);
    reply_with_picture(capture, picture);
    cairo_surface_destroy(picture);
    cairo_surface_destroy(part);
    cairo_surface_destroy(whole);
    g_free(capture);
}

void pictures_capture(const Page *page, gint64 number, const WireMessage *message) {
    Capture *capture = g_new0(Capture, 1);
    *capture = (Capture){
        number, (int)wire_integer(message, 3), (int)wire_integer(message, 4), (int)wire_integer(message, 5),
        (int)wire_integer(message, 6), strcmp(wire_text(message, 7), "webp") == 0,
    };
    webkit_web_view_get_snapshot(page->view, WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, NULL,
                                 captured, capture);
}

// MARK: A picture whenever the page changes

// How many pictures are sent before the first of them is acknowledged.
#define PICTURES_AHEAD 2

static void take_picture(Page *page);

static GdkPixbuf *new_picture(cairo_surface_t *surface, const Page *page) {
    cairo_surface_set_device_scale(surface, 1, 1);
    int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
    GdkPixbuf *whole = gdk_pixbuf_get_from_surface(surface, 0, 0, width, height);
    double scale = MIN(1, MIN((double)page->picture_width / width, (double)page->picture_height / height));
    if (!whole || scale == 1) return whole;
    int small_width = MAX(1, (int)(scale * width)), small_height = MAX(1, (int)(scale * height));
    GdkPixbuf *small = gdk_pixbuf_scale_simple(whole, small_width, small_height, GDK_INTERP_BILINEAR);
    g_object_unref(whole);
    return small;
}

static void send_picture(Page *page, cairo_surface_t *surface) {
    GdkPixbuf *picture = new_picture(surface, page);
    char quality[8];
    g_snprintf(quality, sizeof quality, "%d", page->picture_quality);
    gchar *bytes = NULL;
    gsize size = 0;
    if (picture && gdk_pixbuf_save_to_buffer(picture, &bytes, &size, "jpeg", NULL, "quality", quality, NULL)) {
        GByteArray *event = event_begin("picture", page->number);
        wire_add_integer(event, ++page->last_picture);
        wire_add(event, bytes, size);
        wire_send(yabbi, event);
    }
    g_free(bytes);
    g_clear_object(&picture);
}

static void pictured(GObject *view, GAsyncResult *result, gpointer data) {
    gint64 *number = data;
    cairo_surface_t *surface = webkit_web_view_get_snapshot_finish(WEBKIT_WEB_VIEW(view), result, NULL);
    // The page may have been closed meanwhile.
    Page *page = g_hash_table_lookup(pages, number);
    g_free(number);
    if (page) page->is_pictured = FALSE;
    if (page && surface && page->picture_width > 0) send_picture(page, surface);
    if (surface) cairo_surface_destroy(surface);
    if (page) take_picture(page);
}

static void take_picture(Page *page) {
    gboolean is_wanted = page->picture_width > 0 && page->has_changed && !page->is_pictured;
    if (!is_wanted || page->last_picture - page->acknowledged_picture >= PICTURES_AHEAD) return;
    page->has_changed = FALSE;
    page->is_pictured = TRUE;
    webkit_web_view_get_snapshot(page->view, WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, NULL,
                                 pictured, g_memdup2(&page->number, sizeof page->number));
}

gboolean pictures_drawn(GtkWidget *view, cairo_t *drawing, gpointer data) {
    (void)view, (void)drawing;
    Page *page = data;
    page->has_changed = TRUE;
    take_picture(page);
    return FALSE;
}

void pictures_start(Page *page, int width, int height, int quality) {
    page->picture_width = width;
    page->picture_height = height;
    page->picture_quality = quality;
    page->acknowledged_picture = page->last_picture;
    page->has_changed = TRUE;
    take_picture(page);
}

void pictures_acknowledge(Page *page, gint64 number) {
    page->acknowledged_picture = MAX(page->acknowledged_picture, number);
    take_picture(page);
}
