// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>
#include <stddef.h>

/// SQLITE_TRANSIENT is a cast that Swift does not import: SQLite takes a copy of the bytes.
static inline int csqlite_bind_text_copy(sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, size_t count) {
    return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob_copy(sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, size_t count) {
    return bytes ? sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT)
                 : sqlite3_bind_zeroblob(statement, index, 0);
}

/// The main file through SQLite's own descriptor: to close another one would end the locks that SQLite has on the file.
static inline sqlite3_file *_Nullable csqlite_main_file(sqlite3 *_Nonnull database) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return code == SQLITE_OK && file && file->pMethods ? file : NULL;
}

static inline int csqlite_read_main(sqlite3 *_Nonnull database, void *_Nonnull bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = csqlite_main_file(database);
    return file ? file->pMethods->xRead(file, bytes, count, offset) : SQLITE_MISUSE;
}

static inline int csqlite_write_main(sqlite3 *_Nonnull database, const void *_Nonnull bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = csqlite_main_file(database);
    return file ? file->pMethods->xWrite(file, bytes, count, offset) : SQLITE_MISUSE;
}

static inline int csqlite_sync_main(sqlite3 *_Nonnull database) {
    sqlite3_file *file = csqlite_main_file(database);
    return file ? file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) : SQLITE_MISUSE;
}

/// sqlite3_config is variadic: SQLite does not count the memory that it takes, which would cost a lock for each piece of
/// it. To be called before any other function.
static inline int csqlite_configure(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// sqlite3_db_config is variadic: what a file's schema says is not trusted, and SQL cannot damage the file. With
/// `salvage` a file may also be read that is shorter than it says of itself.
static inline int csqlite_defend(sqlite3 *_Nonnull database, int salvage) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (code != SQLITE_OK)
        return code;
    return sqlite3_db_config(database, salvage ? SQLITE_DBCONFIG_WRITABLE_SCHEMA : SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
}
