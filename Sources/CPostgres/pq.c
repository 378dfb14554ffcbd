#include "CLazy.h"
#include "CPostgres.h"

#if LAZY_LIBRARIES && !defined(YABBI_LINKS_PQ)

static struct lazy_library library = {"libpq.so.5", "libpq5", NULL};

LAZY(library, void, PQclear, (PGresult * result), (result))
LAZY(library, char *, PQcmdTuples, (PGresult * result), (result))
LAZY(library, PGconn *, PQconnectdbParams, (const char *const *names, const char *const *values, int expand),
     (names, values, expand))
LAZY(library, PQconninfoOption *, PQconninfo, (PGconn * connection), (connection))
LAZY(library, void, PQconninfoFree, (PQconninfoOption * options), (options))
LAZY(library, PQconninfoOption *, PQconninfoParse, (const char *text, char **error), (text, error))
LAZY(library, int, PQconsumeInput, (PGconn * connection), (connection))
LAZY(library, int, PQenterPipelineMode, (PGconn * connection), (connection))
LAZY(library, char *, PQerrorMessage, (const PGconn *connection), (connection))
LAZY(library, PGresult *, PQexec, (PGconn * connection, const char *statement), (connection, statement))
LAZY(library, int, PQexitPipelineMode, (PGconn * connection), (connection))
LAZY(library, void, PQfinish, (PGconn * connection), (connection))
LAZY(library, int, PQflush, (PGconn * connection), (connection))
LAZY(library, void, PQfreemem, (void *memory), (memory))
LAZY(library, PGresult *, PQgetResult, (PGconn * connection), (connection))
LAZY(library, int, PQgetisnull, (const PGresult *result, int row, int field), (result, row, field))
LAZY(library, int, PQgetlength, (const PGresult *result, int row, int field), (result, row, field))
LAZY(library, char *, PQgetvalue, (const PGresult *result, int row, int field), (result, row, field))
LAZY(library, char *, PQhost, (const PGconn *connection), (connection))
LAZY(library, char *, PQhostaddr, (const PGconn *connection), (connection))
LAZY(library, int, PQisBusy, (PGconn * connection), (connection))
LAZY(library, int, PQntuples, (const PGresult *result), (result))
LAZY(library, int, PQpipelineSync, (PGconn * connection), (connection))
LAZY(library, char *, PQresultErrorField, (const PGresult *result, int field), (result, field))
LAZY(library, char *, PQresultErrorMessage, (const PGresult *result), (result))
LAZY(library, ExecStatusType, PQresultStatus, (const PGresult *result), (result))
LAZY(library, int, PQsendPrepare,
     (PGconn * connection, const char *name, const char *statement, int count, const Oid *types),
     (connection, name, statement, count, types))
LAZY(library, int, PQsendQueryParams,
     (PGconn * connection, const char *statement, int count, const Oid *types, const char *const *values,
      const int *lengths, const int *formats, int format),
     (connection, statement, count, types, values, lengths, formats, format))
LAZY(library, int, PQsendQueryPrepared,
     (PGconn * connection, const char *name, int count, const char *const *values, const int *lengths,
      const int *formats, int format),
     (connection, name, count, values, lengths, formats, format))
LAZY(library, int, PQserverVersion, (const PGconn *connection), (connection))
LAZY(library, PQnoticeReceiver, PQsetNoticeReceiver, (PGconn * connection, PQnoticeReceiver receive, void *context),
     (connection, receive, context))
LAZY(library, int, PQsetnonblocking, (PGconn * connection, int on), (connection, on))
LAZY(library, int, PQsocket, (const PGconn *connection), (connection))
LAZY(library, int, PQsslInUse, (PGconn * connection), (connection))
LAZY(library, ConnStatusType, PQstatus, (const PGconn *connection), (connection))
LAZY(library, PGTransactionStatusType, PQtransactionStatus, (const PGconn *connection), (connection))

const char *yabbi_pq_error(void) { return lazy_load(&library); }

#else

const char *yabbi_pq_error(void) { return NULL; }

#endif
