// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import Synchronization

/// Rows of a refresh on their way to state.db: texts end to end, and the rows that they belong to.
struct StageChunk: Sendable {
    struct Version: Sendable {
        var key: Int64
        var id: Range<Int>
        var upstream: Range<Int>
        var firstSeen: Int64
        var changedAt: Int64
    }

    struct Change: Sendable {
        var ordinal: Int64
        var operation: LoggedOperation
        var differsUpstream: Bool
        var firstSeen: Int64?
        var id = 0..<0
        var values: Range<Int>?
    }

    /// A change that takes the ordinal of one that was withdrawn.
    struct Renumbering: Sendable {
        var from: Int64
        var to: Int64
    }

    struct Quarantined: Sendable {
        var pointer: String
        var reason: String
        var bytes: Range<Int>
        /// The id; nil if it is not known.
        var id: Range<Int>?
        /// The size of the bytes as they came; fewer may be kept.
        var size: Int
        var digest: UInt64
        /// nil for the only source of a collection.
        var site: String?
        /// Whether the answer has only what has changed.
        var isIncremental = false
    }

    struct JoinValue: Sendable {
        var number: Int64
        var value: Range<Int>
    }

    /// The number of bytes or rows at which a chunk is sent. Writing it takes a few milliseconds.
    static let bytes = 1 << 20
    static let rows = 4096

    var text: [UInt8] = []
    var versions: [Version] = []
    /// Versions of this refresh that a later record with the same id has replaced.
    var withdrawn: [Int64] = []
    /// Versions of earlier generations that this one ends.
    var removals: [Int64] = []
    var changes: [Change] = []
    var renumbered: [Renumbering] = []
    /// The ordinals of changes that were withdrawn.
    var withdrawnChanges: [Int64] = []
    var quarantined: [Quarantined] = []
    var joinValues: [JoinValue] = []

    var isEmpty: Bool { rowCount == 0 }
    var isFull: Bool { text.count >= Self.bytes || rowCount >= Self.rows }

    private var rowCount: Int {
        versions.count + withdrawn.count + removals.count + changes.count + renumbered.count + withdrawnChanges.count
            + quarantined.count + joinValues.count
    }

    /// Empties the chunk, and keeps its room.
    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        versions.removeAll(keepingCapacity: true)
        withdrawn.removeAll(keepingCapacity: true)
        removals.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        renumbered.removeAll(keepingCapacity: true)
        withdrawnChanges.removeAll(keepingCapacity: true)
        quarantined.removeAll(keepingCapacity: true)
        joinValues.removeAll(keepingCapacity: true)
    }

    /// Adds a change of the record with that id.
    mutating func record(_ change: Change, _ id: RawSpan, _ values: RawSpan?) {
        var change = change
        change.id = add(id)
        if let values { change.values = add(values) }
        changes.append(change)
    }

    /// Appends bytes, and returns their range.
    mutating func add(_ bytes: RawSpan) -> Range<Int> {
        let start = text.count
        unsafe bytes.withUnsafeBytes { unsafe text.append(contentsOf: $0) }
        return start..<text.count
    }
}

extension StageChunk {
    /// The destination of the rows of a refresh.
    struct Target: Sendable {
        var collection: Int64
        var generation: UInt64
        var quarantineBatch: Int64
        /// The newest batch in force, which has the times of first sight.
        var currentQuarantineBatch: Int64
        var joinBatch: Int64
        /// When the refresh began.
        var at: Int64
        /// The number of the stage; see `StateConnection.beginStage`.
        var stage: UInt64 = 0
    }

    /// Writes all rows; to be called in a transaction.
    func write(_ connection: borrowing StateConnection, to target: Target) throws(StoreError) {
        try writeVersions(connection, to: target)
        for key in withdrawn {
            try connection.statements.deleteVersion.bind(.key, key)
            try connection.statements.deleteVersion.run()
        }
        for key in removals {
            try connection.statements.addRemoval.bind(.key, key)
            try connection.statements.addRemoval.bind(.generation, bits: target.generation)
            try connection.statements.addRemoval.run()
        }
        try writeChanges(connection, to: target)
        for change in renumbered {
            try connection.statements.moveChange.bind(.collection, target.collection)
            try connection.statements.moveChange.bind(.generation, bits: target.generation)
            try connection.statements.moveChange.bind(.from, change.from)
            try connection.statements.moveChange.bind(.to, change.to)
            try connection.statements.moveChange.run()
        }
        for ordinal in withdrawnChanges {
            try connection.statements.deleteChange.bind(.collection, target.collection)
            try connection.statements.deleteChange.bind(.generation, bits: target.generation)
            try connection.statements.deleteChange.bind(.ordinal, ordinal)
            try connection.statements.deleteChange.run()
        }
        for entry in quarantined { try write(entry, connection, to: target) }
        for value in joinValues {
            try connection.statements.addJoinValue.bind(.collection, target.collection)
            try connection.statements.addJoinValue.bind(.batch, target.joinBatch)
            try connection.statements.addJoinValue.bind(.number, value.number)
            try connection.statements.addJoinValue.bind(.value, text: text[value.value])
            try connection.statements.addJoinValue.run()
        }
    }

    private func writeVersions(_ connection: borrowing StateConnection, to target: Target) throws(StoreError) {
        // Ids and bodies are bound without a copy: all bindings are cleared before the chunk may move.
        try unsafe text.rawSpan.withUnsafeBytes { bytes throws(StoreError) in
            defer { connection.statements.addVersion.clearBindings() }
            try connection.statements.addVersion.bind(.generation, bits: target.generation)
            for version in versions {
                let id = unsafe UnsafeRawBufferPointer(rebasing: bytes[version.id])
                let upstream = unsafe UnsafeRawBufferPointer(rebasing: bytes[version.upstream])
                try connection.statements.addVersion.bind(.key, version.key)
                try unsafe connection.statements.addVersion.bind(.id, inMemory: id)
                try unsafe connection.statements.addVersion.bind(.upstream, inMemory: upstream)
                try connection.statements.addVersion.bind(.firstSeen, version.firstSeen)
                try connection.statements.addVersion.bind(.changedAt, version.changedAt)
                try connection.statements.addVersion.run()
            }
        }
    }

    private func writeChanges(_ connection: borrowing StateConnection, to target: Target) throws(StoreError) {
        // They are bound without a copy, like the versions.
        try unsafe text.rawSpan.withUnsafeBytes { bytes throws(StoreError) in
            defer { connection.statements.addChange.clearBindings() }
            try connection.statements.addChange.bind(.collection, target.collection)
            try connection.statements.addChange.bind(.generation, bits: target.generation)
            for change in changes {
                let id = unsafe UnsafeRawBufferPointer(rebasing: bytes[change.id])
                try connection.statements.addChange.bind(.ordinal, change.ordinal)
                try connection.statements.addChange.bind(.op, change.operation.rawValue)
                try unsafe connection.statements.addChange.bind(.id, inMemory: id)
                if let values = change.values {
                    let values = unsafe UnsafeRawBufferPointer(rebasing: bytes[values])
                    try unsafe connection.statements.addChange.bind(.fields, inMemory: values)
                } else {
                    try connection.statements.addChange.bind(.fields, String?.none)
                }
                try connection.statements.addChange.bind(.upstream, change.differsUpstream ? 1 : 0)
                try connection.statements.addChange.bind(.firstSeen, change.firstSeen)
                try connection.statements.addChange.run()
            }
        }
    }

    private func write(
        _ entry: Quarantined, _ connection: borrowing StateConnection, to target: Target
    ) throws(StoreError) {
        try connection.statements.addQuarantined.bind(.collection, target.collection)
        try connection.statements.addQuarantined.bind(.batch, target.quarantineBatch)
        try connection.statements.addQuarantined.bind(.currentBatch, target.currentQuarantineBatch)
        try connection.statements.addQuarantined.bind(.pointer, entry.pointer)
        try connection.statements.addQuarantined.bind(.reason, entry.reason)
        try connection.statements.addQuarantined.bind(.bytes, blob: text[entry.bytes])
        try connection.statements.addQuarantined.bind(.size, Int64(entry.size))
        try connection.statements.addQuarantined.bind(.digest, bits: entry.digest)
        try connection.statements.addQuarantined.bind(.at, target.at)
        if let id = entry.id {
            try connection.statements.addQuarantined.bind(.id, text: text[id])
        } else {
            try connection.statements.addQuarantined.bind(.id, String?.none)
        }
        let site = entry.site ?? ""
        try connection.statements.addQuarantined.bind(.site, site)
        try connection.statements.addQuarantined.bind(.isIncremental, entry.isIncremental ? 1 : 0)
        try connection.statements.addQuarantined.run()
    }
}

/// A chunk on its way to the store's thread, and later the memory of the next one.
///
/// A new chunk each time would cost more than writing its rows, because memory of that size comes from the system.
final class PooledChunk: Sendable {
    private let chunk = Mutex(StageChunk())

    /// Exchanges a full chunk for an empty one.
    func swap(with other: inout StageChunk) {
        chunk.withLock { chunk in
            chunk.removeAll()
            Swift.swap(&chunk, &other)
        }
    }

    /// Writes all rows; to be called in a transaction.
    func write(_ connection: borrowing StateConnection, to target: StageChunk.Target) throws(StoreError) {
        try chunk.withLock { chunk throws(StoreError) in try chunk.write(connection, to: target) }
    }
}
