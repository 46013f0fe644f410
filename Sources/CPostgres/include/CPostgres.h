// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
//
// A client of PostgreSQL by libpq, loaded when it is first needed. No call waits longer than it is told to, nor after
// `stop` has become readable. Only cpostgres_load() may be called before it has returned NULL.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    CPOSTGRES_STATE_SIZE = 5,
};

/// A connection, owned by who opened it; one thread at a time may use it.
typedef struct cpostgres_connection cpostgres_connection;
/// The rows that a statement has answered, owned by who ran it.
typedef struct cpostgres_result cpostgres_result;

/// How a call has ended.
typedef enum {
    CPOSTGRES_DONE,
    CPOSTGRES_FAILED,
    /// The time is over.
    CPOSTGRES_TIMEOUT,
    /// `stop` has become readable.
    CPOSTGRES_STOPPED,
} cpostgres_outcome;

/// Loads libpq, once per process; later calls answer what the first one did. Safe on any thread. The process must
/// have no variable whose name begins with PG: libpq would take parameters from it.
/// Returns NULL when it can be used, or else why not, in storage that is never freed.
const char *_Nullable cpostgres_load(void);

/// Begins a connection: `keywords` and `values` are ended by NULL (PQconnectStartParams).
/// Returns NULL without memory. Free it with cpostgres_close(), also after a failure.
cpostgres_connection *_Nullable cpostgres_begin(
    const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values);

/// Waits until a connection is there.
cpostgres_outcome cpostgres_connect(cpostgres_connection *_Nonnull connection, int stop, int64_t timeout_ms);

void cpostgres_close(cpostgres_connection *_Nonnull connection);

/// The message of the last failure, which lives until the next call; empty where there was none.
const char *_Nonnull cpostgres_message(const cpostgres_connection *_Nonnull connection);

/// Whether the server asks for a password and none was given, or has refused the one that was.
int cpostgres_wants_password(const cpostgres_connection *_Nonnull connection);

/// The SQLSTATE of the last statement that the server has refused, of CPOSTGRES_STATE_SIZE letters; empty for none.
const char *_Nonnull cpostgres_state(const cpostgres_connection *_Nonnull connection);

/// Runs one statement with text parameters, and waits for its rows. After any other outcome than CPOSTGRES_DONE and
/// CPOSTGRES_FAILED the connection can only be closed.
///
/// `result` is set with CPOSTGRES_DONE; free it with cpostgres_free().
cpostgres_outcome cpostgres_run(
    cpostgres_connection *_Nonnull connection, const char *_Nonnull sql, int count,
    const char *_Nullable const *_Nullable parameters, int stop, int64_t timeout_ms,
    cpostgres_result *_Nullable *_Nonnull result);

int cpostgres_rows(const cpostgres_result *_Nonnull result);
int cpostgres_columns(const cpostgres_result *_Nonnull result);

/// A value as text, which lives as long as the result; NULL for NULL. Row and column must be there.
const char *_Nullable cpostgres_value(const cpostgres_result *_Nonnull result, int row, int column);

void cpostgres_free(cpostgres_result *_Nonnull result);
