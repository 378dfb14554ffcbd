#include "CLazy.h"

#if LAZY_LIBRARIES && !defined(YABBI_LINKS_ARCHIVE)

#include <archive.h>
#include <archive_entry.h>

static struct lazy_library library = {"libarchive.so.13", "libarchive13", NULL};

LAZY(library, void, archive_entry_free, (struct archive_entry * entry), (entry))
LAZY(library, struct archive_entry *, archive_entry_new, (void), ())
LAZY(library, void, archive_entry_set_filetype, (struct archive_entry * entry, unsigned int type), (entry, type))
LAZY(library, void, archive_entry_set_pathname_utf8, (struct archive_entry * entry, const char *path), (entry, path))
LAZY(library, void, archive_entry_set_perm, (struct archive_entry * entry, __LA_MODE_T mode), (entry, mode))
LAZY(library, void, archive_entry_set_size, (struct archive_entry * entry, la_int64_t size), (entry, size))
LAZY(library, const char *, archive_error_string, (struct archive * archive), (archive))
LAZY(library, la_int64_t, archive_filter_bytes, (struct archive * archive, int filter), (archive, filter))
LAZY(library, int, archive_read_data_block,
     (struct archive * archive, const void **bytes, size_t *count, la_int64_t *offset), (archive, bytes, count, offset))
LAZY(library, int, archive_read_free, (struct archive * archive), (archive))
LAZY(library, struct archive *, archive_read_new, (void), ())
LAZY(library, int, archive_read_next_header, (struct archive * archive, struct archive_entry **entry), (archive, entry))
LAZY(library, int, archive_read_open_memory, (struct archive * archive, const void *bytes, size_t count),
     (archive, bytes, count))
LAZY(library, int, archive_read_set_format_option,
     (struct archive * archive, const char *module, const char *option, const char *value),
     (archive, module, option, value))
LAZY(library, int, archive_read_support_format_zip_seekable, (struct archive * archive), (archive))
LAZY(library, const char *, archive_version_string, (void), ())
LAZY(library, int, archive_write_close, (struct archive * archive), (archive))
LAZY(library, la_ssize_t, archive_write_data, (struct archive * archive, const void *bytes, size_t count),
     (archive, bytes, count))
LAZY(library, int, archive_write_free, (struct archive * archive), (archive))
LAZY(library, int, archive_write_header, (struct archive * archive, struct archive_entry *entry), (archive, entry))
LAZY(library, struct archive *, archive_write_new, (void), ())
LAZY(library, int, archive_write_open_memory, (struct archive * archive, void *buffer, size_t size, size_t *used),
     (archive, buffer, size, used))
LAZY(library, int, archive_write_set_bytes_in_last_block, (struct archive * archive, int count), (archive, count))
LAZY(library, int, archive_write_set_format_option,
     (struct archive * archive, const char *module, const char *option, const char *value),
     (archive, module, option, value))
LAZY(library, int, archive_write_set_format_zip, (struct archive * archive), (archive))

#endif
