#ifndef YABBI_CPOSTGRES_H
#define YABBI_CPOSTGRES_H

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#ifndef LIBPQ_HAS_PIPELINING
#error "libpq 14 or newer is needed: it is the first that sends a group of statements at once"
#endif

// Why libpq can't be loaded; NULL if it can. To be asked before any other function is called.
const char *yabbi_pq_error(void);

// A macro that Swift can't import.
static inline int yabbi_field_sqlstate(void) { return PG_DIAG_SQLSTATE; }

static inline int yabbi_field_primary(void) { return PG_DIAG_MESSAGE_PRIMARY; }

// Drops the notices of the server ("relation exists, skipping"), which libpq prints to standard error otherwise.
static inline void yabbi_ignore_notice(void *unused, const PGresult *notice) { (void)unused; (void)notice; }
static inline void yabbi_silence(PGconn *connection) {
    PQsetNoticeReceiver(connection, yabbi_ignore_notice, 0);
}

#endif
