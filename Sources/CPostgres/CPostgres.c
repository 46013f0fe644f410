// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#include "CPostgres.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <postgresql/libpq-fe.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LIBPQ(X) \
    X(PQconnectStartParams) \
    X(PQconnectPoll) \
    X(PQconnectionNeedsPassword) \
    X(PQconnectionUsedPassword) \
    X(PQfinish) \
    X(PQsetNoticeProcessor) \
    X(PQstatus) \
    X(PQsocket) \
    X(PQerrorMessage) \
    X(PQsetnonblocking) \
    X(PQsendQueryParams) \
    X(PQflush) \
    X(PQconsumeInput) \
    X(PQisBusy) \
    X(PQgetResult) \
    X(PQresultStatus) \
    X(PQresultErrorField) \
    X(PQclear) \
    X(PQntuples) \
    X(PQnfields) \
    X(PQgetisnull) \
    X(PQgetvalue)

#define DECLARE(name) static __typeof__(&name) loaded_##name;
LIBPQ(DECLARE)

struct cpostgres_connection {
    PGconn *handle;
    char state[CPOSTGRES_STATE_SIZE + 1];
    char message[512];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char error[256];
static const char *failure;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        snprintf(error, sizeof error, "shared marks need libpq.so.5, which cannot be loaded: %s", reason ? reason : "");
        failure = error;
        return;
    }
#define LOOK_UP(name) \
    if (!(loaded_##name = (__typeof__(&name))dlsym(library, #name))) { \
        snprintf(error, sizeof error, "shared marks need the function %s, which libpq.so.5 does not have", #name); \
        failure = error; \
        return; \
    }
    LIBPQ(LOOK_UP)
}

const char *cpostgres_load(void) {
    pthread_once(&once, load);
    return failure;
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void note(cpostgres_connection *connection, const char *text) {
    snprintf(connection->message, sizeof connection->message, "%s", text ? text : "");
    size_t size = strlen(connection->message);
    while (size > 0 && (connection->message[size - 1] == '\n' || connection->message[size - 1] == ' ')) size--;
    connection->message[size] = 0;
}

// Waits until the socket is ready for `events`.
static cpostgres_outcome wait_for(cpostgres_connection *connection, short events, int stop, int64_t deadline) {
    for (;;) {
        int64_t left = deadline - now_ms();
        if (left <= 0) return CPOSTGRES_TIMEOUT;
        struct pollfd files[2] = {
            {.fd = loaded_PQsocket(connection->handle), .events = events}, {.fd = stop, .events = POLLIN}};
        if (files[0].fd < 0) {
            note(connection, loaded_PQerrorMessage(connection->handle));
            return CPOSTGRES_FAILED;
        }
        int ready = poll(files, 2, left > 60000 ? 60000 : (int)left);
        if (ready < 0 && errno != EINTR) {
            note(connection, strerror(errno));
            return CPOSTGRES_FAILED;
        }
        if (ready <= 0) continue;
        if (files[1].revents) return CPOSTGRES_STOPPED;
        if (files[0].revents) return CPOSTGRES_DONE;
    }
}

// Without it libpq writes notices of the server to the standard error stream.
static void ignore(void *context, const char *message) {
    (void)context;
    (void)message;
}

cpostgres_connection *cpostgres_begin(const char *const *keywords, const char *const *values) {
    cpostgres_connection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->handle = loaded_PQconnectStartParams(keywords, values, 0);
    if (!connection->handle) {
        free(connection);
        return NULL;
    }
    loaded_PQsetNoticeProcessor(connection->handle, ignore, NULL);
    return connection;
}

cpostgres_outcome cpostgres_connect(cpostgres_connection *connection, int stop, int64_t timeout_ms) {
    int64_t deadline = now_ms() + timeout_ms;
    PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;
    if (loaded_PQstatus(connection->handle) == CONNECTION_BAD) wanted = PGRES_POLLING_FAILED;
    while (wanted == PGRES_POLLING_READING || wanted == PGRES_POLLING_WRITING) {
        cpostgres_outcome outcome =
            wait_for(connection, wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT, stop, deadline);
        if (outcome != CPOSTGRES_DONE) return outcome;
        wanted = loaded_PQconnectPoll(connection->handle);
    }
    if (wanted == PGRES_POLLING_OK && loaded_PQsetnonblocking(connection->handle, 1) == 0) return CPOSTGRES_DONE;
    note(connection, loaded_PQerrorMessage(connection->handle));
    return CPOSTGRES_FAILED;
}

void cpostgres_close(cpostgres_connection *connection) {
    loaded_PQfinish(connection->handle);
    free(connection);
}

const char *cpostgres_message(const cpostgres_connection *connection) { return connection->message; }

int cpostgres_wants_password(const cpostgres_connection *connection) {
    return loaded_PQconnectionNeedsPassword(connection->handle) || loaded_PQconnectionUsedPassword(connection->handle);
}

const char *cpostgres_state(const cpostgres_connection *connection) { return connection->state; }

cpostgres_outcome cpostgres_run(
    cpostgres_connection *connection, const char *sql, int count, const char *const *parameters, int stop,
    int64_t timeout_ms, cpostgres_result **result) {
    int64_t deadline = now_ms() + timeout_ms;
    connection->state[0] = 0;
    connection->message[0] = 0;
    *result = NULL;
    PGconn *handle = connection->handle;
    if (!loaded_PQsendQueryParams(handle, sql, count, NULL, parameters, NULL, NULL, 0)) {
        note(connection, loaded_PQerrorMessage(handle));
        return CPOSTGRES_FAILED;
    }
    int unsent;
    while ((unsent = loaded_PQflush(handle)) > 0) {
        cpostgres_outcome outcome = wait_for(connection, POLLIN | POLLOUT, stop, deadline);
        if (outcome != CPOSTGRES_DONE) return outcome;
        // The server may have something to say before it reads on.
        if (!loaded_PQconsumeInput(handle)) break;
    }
    PGresult *rows = NULL;
    for (;;) {
        while (loaded_PQisBusy(handle)) {
            cpostgres_outcome outcome = wait_for(connection, POLLIN, stop, deadline);
            if (outcome == CPOSTGRES_DONE && !loaded_PQconsumeInput(handle)) {
                note(connection, loaded_PQerrorMessage(handle));
                outcome = CPOSTGRES_FAILED;
            }
            if (outcome != CPOSTGRES_DONE) {
                loaded_PQclear(rows);
                return outcome;
            }
        }
        PGresult *next = loaded_PQgetResult(handle);
        if (!next) break;
        loaded_PQclear(rows);
        rows = next;
    }
    ExecStatusType status = rows ? loaded_PQresultStatus(rows) : PGRES_FATAL_ERROR;
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
        *result = (cpostgres_result *)rows;
        return CPOSTGRES_DONE;
    }
    const char *state = rows ? loaded_PQresultErrorField(rows, PG_DIAG_SQLSTATE) : NULL;
    const char *text = rows ? loaded_PQresultErrorField(rows, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    if (state) snprintf(connection->state, sizeof connection->state, "%s", state);
    note(connection, text ? text : loaded_PQerrorMessage(handle));
    loaded_PQclear(rows);
    return CPOSTGRES_FAILED;
}

int cpostgres_rows(const cpostgres_result *result) { return loaded_PQntuples((const PGresult *)result); }

int cpostgres_columns(const cpostgres_result *result) { return loaded_PQnfields((const PGresult *)result); }

const char *cpostgres_value(const cpostgres_result *result, int row, int column) {
    const PGresult *rows = (const PGresult *)result;
    return loaded_PQgetisnull(rows, row, column) ? NULL : loaded_PQgetvalue(rows, row, column);
}

void cpostgres_free(cpostgres_result *result) { loaded_PQclear((PGresult *)result); }
