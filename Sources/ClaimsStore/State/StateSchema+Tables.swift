// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension StateSchema {
    /// A table as recovery has to know it.
    struct TableShape {
        let name: String
        let columns: [String]
        let key: [String]
    }

    /// All tables, the dearest first.
    static let tables = [
        TableShape(name: "meta", columns: ["key", "value"], key: ["key"]),
        TableShape(
            name: "collection",
            columns: [
                "number", "name", "generation", "file_id", "definition_hash", "records", "next_key", "bundle_key",
                "quarantine_batch", "quarantined", "join_batch",
            ], key: ["number"]),
        TableShape(name: "archive", columns: ["collection", "id", "at", "uid"], key: ["collection", "id"]),
        TableShape(name: "source", columns: SourceRow.columns, key: ["collection"]),
        TableShape(
            name: "version", columns: ["key", "generation", "id", "upstream", "first_seen", "changed_at"],
            key: ["key"]),
        TableShape(name: "removal", columns: ["key", "generation"], key: ["key"]),
        TableShape(
            name: "local_change", columns: ["seq", "at", "collection", "op", "id", "uid"], key: ["seq"]),
        TableShape(
            name: "generation", columns: ["collection", "generation", "base_seq", "changes", "at"],
            key: ["collection", "generation"]),
        TableShape(
            name: "change", columns: ["collection", "generation", "ordinal", "op", "id", "fields"],
            key: ["collection", "generation", "ordinal"]),
        TableShape(
            name: "join_value", columns: ["collection", "batch", "number", "value"],
            key: ["collection", "batch", "number"]),
        TableShape(
            name: "quarantine",
            columns: [
                "number", "collection", "batch", "pointer", "reason", "bytes", "size", "digest", "first_seen",
                "last_seen",
            ], key: ["number"]),
    ]
}
