// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The columns of a table, in the order in which statements and recovery know them.
protocol TableColumn: StatementColumn, CaseIterable, RawRepresentable where RawValue == Int32 {
    static var table: String { get }
}

extension TableColumn {
    var column: Int32 { rawValue }
    var parameter: Int32 { rawValue + 1 }

    /// The column's name in SQL: `firstSeen` is `first_seen`.
    var name: String {
        "\(self)".reduce(into: "") { name, letter in
            name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
        }
    }

    static var names: [String] { allCases.map(\.name) }
    /// The names, separated by commas.
    static var list: String { names.joined(separator: ", ") }

    /// A statement that adds a row; its parameters are the columns.
    static var insertion: String { "INTO \(table)(\(list)) VALUES (\(parameters(names.count)))" }

    /// The parameters of a statement: "?1, ?2, …".
    private static func parameters(_ count: Int) -> String {
        (1...count).map { "?\($0)" }.joined(separator: ", ")
    }
}

enum MetaColumn: Int32, TableColumn {
    case key, value
    static let table = "meta"
}

enum CollectionColumn: Int32, TableColumn {
    case number, name, generation, fileId, definitionHash, records, nextKey, bundleKey, quarantineBatch
    case quarantined, joinBatch, removedAt, floor, startSeq, definitionSeq, valuesHash, fileGeneration, fileKey, isLocal
    case middleId, middleFrom, middleGeneration, middleKey, youngId, youngFrom, youngGeneration, youngKey
    static let table = "collection"
}

enum SourceColumn: Int32, TableColumn {
    case collection, site, origin, asOf, fetchedAt, endedAt, due, failures, retryAfter
    case errorKind, errorReason, errorStatus, errorMessage, errorAt
    case heldHash, heldSince, heldSummary
    case bodyHash, validatorKey, etag, lastModified, validatorUrl
    case joinHash, joinValidatorKey, joinEtag, joinLastModified, joinValidatorUrl
    case drift, triedKey, freshUntil
    case position, positionKey, fullAsOf, fullFailures, fullRetryAt, fullError
    static let table = "source"
}

enum VersionColumn: Int32, TableColumn {
    case key, generation, id, upstream, firstSeen, changedAt
    static let table = "version"
}

enum RemovalColumn: Int32, TableColumn {
    case key, generation
    static let table = "removal"
}

enum GenerationColumn: Int32, TableColumn {
    case collection, generation, baseSeq, changes, at, cause, whole, bytes, uid
    static let table = "generation"
}

enum ChangeColumn: Int32, TableColumn {
    case collection, generation, ordinal, op, id, fields, upstream, firstSeen
    static let table = "change"
}

enum LocalChangeColumn: Int32, TableColumn {
    case collection, seq, at, op, id, uid, generation, commitEnd, cause, fields, firstSeen, bytes, isSilent
    case byUser
    static let table = "local_change"
}

enum ArchiveColumn: Int32, TableColumn {
    case collection, id, at, uid, byUser
    static let table = "archive"
}

enum SharedMarkColumn: Int32, TableColumn {
    case collection, id, isArchived, at, host, uid, user, state, floor
    static let table = "shared_mark"
}

enum OperationColumn: Int32, TableColumn {
    case number, op, collection, id, action, state, submittedAt, submittedBy, content, seq, changed, settledAt, detail
    static let table = "operation"
}

enum AliasColumn: Int32, TableColumn {
    case collection, id, target, since, goneAt
    static let table = "alias"
}

enum JoinValueColumn: Int32, TableColumn {
    case collection, batch, number, value
    static let table = "join_value"
}

enum QuarantineColumn: Int32, TableColumn {
    case number, collection, batch, pointer, reason, bytes, size, digest, firstSeen, lastSeen, entry, id, site
    case isIncremental
    static let table = "quarantine"
}

enum QuarantineExtentColumn: Int32, TableColumn {
    case collection, site, floor, counted
    static let table = "quarantine_extent"
}

enum InForceColumn: Int32, TableColumn {
    case file, text, origins
    static let table = "in_force"
}

enum RefreshLogColumn: Int32, TableColumn {
    case number, collection, at, durationMs, outcome, kind, site, bytes, records, added, updated, removed, quarantined
    static let table = "refresh_log"
}

extension StateSchema {
    /// The facts about a table that recovery needs.
    struct TableShape {
        let name: String
        let columns: [String]
        let key: [String]

        init<Column: TableColumn>(_ columns: Column.Type, key: [Column]) {
            name = columns.table
            self.columns = columns.names
            self.key = key.map(\.name)
        }
    }

    /// All tables, the most valuable first.
    static let tables = [
        TableShape(MetaColumn.self, key: [.key]),
        TableShape(CollectionColumn.self, key: [.number]),
        TableShape(ArchiveColumn.self, key: [.collection, .id]),
        TableShape(SharedMarkColumn.self, key: [.collection, .id]),
        TableShape(OperationColumn.self, key: [.number]),
        TableShape(AliasColumn.self, key: [.collection, .id]),
        TableShape(InForceColumn.self, key: [.file]),
        TableShape(SourceColumn.self, key: [.collection, .site]),
        TableShape(VersionColumn.self, key: [.key]),
        TableShape(RemovalColumn.self, key: [.key]),
        TableShape(LocalChangeColumn.self, key: [.collection, .seq]),
        TableShape(GenerationColumn.self, key: [.collection, .generation]),
        TableShape(ChangeColumn.self, key: [.collection, .generation, .ordinal]),
        TableShape(JoinValueColumn.self, key: [.collection, .batch, .number]),
        TableShape(QuarantineColumn.self, key: [.number]),
        TableShape(QuarantineExtentColumn.self, key: [.collection, .site]),
        TableShape(RefreshLogColumn.self, key: [.number]),
    ]
}
