// A screen without a monitor (Xvfb), for this process alone.

#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

// Writes the secret that clients of the screen need (X11, "MIT-MAGIC-COOKIE-1"); FALSE if that fails.
static gboolean write_secret(const char *path) {
    static const char name[] = "MIT-MAGIC-COOKIE-1";
    guint8 secret[16];
    if (getrandom(secret, sizeof secret, 0) != sizeof secret) return FALSE;
    GByteArray *entry = g_byte_array_new();
    // Any address and number of a display; then the sizes are big-endian.
    const guint8 head[] = {0xff, 0xff, 0, 0, 0, 0, 0, sizeof name - 1};
    const guint8 size[] = {0, sizeof secret};
    g_byte_array_append(entry, head, sizeof head);
    g_byte_array_append(entry, (const guint8 *)name, sizeof name - 1);
    g_byte_array_append(entry, size, sizeof size);
    g_byte_array_append(entry, secret, sizeof secret);
    GError *error = NULL;
    gboolean is_written = g_file_set_contents_full(path, (const char *)entry->data, entry->len,
                                                   G_FILE_SET_CONTENTS_NONE, 0600, &error);
    g_clear_error(&error);
    g_byte_array_unref(entry);
    return is_written;
}

static void start_child(gpointer data) {
    (void)data;
    // Ends with this process.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

// Reads the number of the display, which Xvfb writes when it is ready; an empty text if it ends before.
static void read_number(int file, char *number, gsize size) {
    gsize length = 0;
    while (length + 1 < size) {
        struct pollfd ready = {.fd = file, .events = POLLIN};
        if (poll(&ready, 1, 10000) <= 0) break;
        ssize_t count = read(file, number + length, size - 1 - length);
        if (count <= 0) break;
        length += (gsize)count;
        if (number[length - 1] == '\n') break;
    }
    number[length] = 0;
    g_strchomp(number);
}

const char *display_start(int width, int height) {
    int ends[2];
    if (pipe(ends) != 0) return "the system has no file left for the screen";
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    char *secret = g_build_filename(folder, "screen.key", NULL);
    if (!write_secret(secret)) return "the secret of the screen can't be written to the folder for temporary files";
    char *size = g_strdup_printf("%dx%dx24", width, height);
    char *end = g_strdup_printf("%d", ends[1]);
    char *command[] = {"Xvfb", "-displayfd", end, "-screen", "0", size, "-nolisten", "tcp", "-auth", secret, NULL};
    GError *error = NULL;
    // Without an intermediate process, with whose end this one would end.
    GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_LEAVE_DESCRIPTORS_OPEN | G_SPAWN_DO_NOT_REAP_CHILD
                        | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL;
    GPid process;
    gboolean is_started = g_spawn_async(NULL, command, NULL, flags, start_child, NULL, &process, &error);
    close(ends[1]);
    if (!is_started) return "there is no Xvfb for a screen without a monitor; install it (apt-get install xvfb)";
    char number[16];
    read_number(ends[0], number, sizeof number);
    close(ends[0]);
    if (!*number) return "Xvfb does not start; run it by hand to see why: Xvfb :99";
    char *name = g_strdup_printf(":%s", number);
    g_setenv("DISPLAY", name, TRUE);
    g_setenv("XAUTHORITY", secret, TRUE);
    g_free(name);
    g_free(end);
    g_free(size);
    g_free(secret);
    return NULL;
}
