#ifndef YABBI_CARCHIVE_H
#define YABBI_CARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

#if ARCHIVE_VERSION_NUMBER < 3006000
#error "libarchive 3.6 or newer is needed: it is the oldest that Debian still corrects, and that our tests ran with"
#endif

#endif
