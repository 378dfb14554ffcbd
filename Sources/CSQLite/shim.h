#ifndef YABBI_CSQLITE_SHIM_H
#define YABBI_CSQLITE_SHIM_H

#include <pthread.h>
#include <sqlite3.h>

#if SQLITE_VERSION_NUMBER < 3037000
#error "SQLite 3.37 or newer is needed: it is the first that holds a table's columns to their types"
#endif

// Who frees what is bound is told by a function pointer made from an integer, which Swift does not see.

// Binds bytes that stay where they are until the statement has been reset.
static inline int yabbi_bind_text(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, place, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int yabbi_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_STATIC);
}

// Binds a copy of a text.
static inline int yabbi_bind_text_copy(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, place, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Swift can't call functions with variable arguments.
static inline int yabbi_keep_log_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Names the thread that calls. glibc shows its function only to those who ask for GNU extensions before any header.
#if defined(__APPLE__)
static inline void yabbi_name_writer(const char *name) {
    pthread_setname_np(name);
}
#else
extern int pthread_setname_np(pthread_t thread, const char *name);
static inline void yabbi_name_writer(const char *name) {
    pthread_setname_np(pthread_self(), name);
}
#endif

#endif
