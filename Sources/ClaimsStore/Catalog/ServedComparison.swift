// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

extension CollectionView {
    /// The record that is served for an id; nil if there is none, or if its deletion is under way.
    func served(_ id: [UInt8]) -> ServedRecord? { served(under: id.rawSpan) }

    /// The id that a record has now: the one given, or the one that the upstream gave it later.
    public func currentID(_ id: [UInt8]) -> [UInt8] {
        if condition.aliases.isEmpty || served(id) != nil { return id }
        return condition.aliases[id] ?? id
    }

    /// The served row of an id, or of the id that the upstream gave its record later; nil if there is none.
    ///
    /// Lists may leave the row out, because its deletion is under way.
    public func servedRow(_ id: [UInt8]) -> Int? {
        rows.row(forID: id.rawSpan) ?? condition.aliases[id].flatMap { rows.row(forID: $0.rawSpan) }
    }

    /// The record that is served for an id.
    func served(under id: RawSpan) -> ServedRecord? {
        if let overlay, let row = overlay.row(forID: id) { return overlay.isUnlisted(row) ? nil : overlay.record(row) }
        guard let committed, let row = committed.row(forID: id), overlay?.rows.covers(row, of: committed) != true else {
            return nil
        }
        return committed.record(row)
    }
}

/// A change of one served record.
struct ServedChange: Sendable, Equatable {
    var id: [UInt8]
    /// Added, updated or removed.
    var logged: LoggedOperation
    /// See ``LoggedChange/values``.
    var values: [UInt8]
    /// The time at which a removed record was first seen, in milliseconds since 1970.
    var firstSeen: Int64?
    /// Whether nothing but `pending` differs.
    var isSilent = false
    /// See ``LoggedChange/differsUpstream``.
    var differsUpstream = false
}

/// Compares the records that two views serve.
struct ServedComparison {
    private var difference: DocumentDifference

    init(_ definition: Definition) {
        difference = DocumentDifference(definition)
    }

    /// The changes of some records from one view to another, in the order of their ids; unchanged ones are left out.
    mutating func changes(
        of ids: Set<[UInt8]>, from old: CollectionView, to new: CollectionView
    ) -> [ServedChange] {
        ids.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { change(of: $0, from: old, to: new) }
    }

    private mutating func change(
        of id: [UInt8], from old: CollectionView, to new: CollectionView
    ) -> ServedChange? {
        switch (old.served(id), new.served(id)) {
        case (nil, nil): return nil
        case (nil, .some): return ServedChange(id: id, logged: .added, values: [])
        case (let before?, nil):
            return ServedChange(
                id: id, logged: .removed, values: difference.lasting(Self.document(before, in: old).rawSpan),
                firstSeen: before.firstSeen)
        case (let before?, let after?):
            let (left, right) = (Self.document(before, in: old), Self.document(after, in: new))
            guard left != right, let values = difference.compare(old: left.rawSpan, new: right.rawSpan) else {
                return nil
            }
            let names = (try? JSONValue.parse(values, depth: JSONValue.maximumDepth))?.object?.members.map(\.key)
            return ServedChange(
                id: id, logged: .updated, values: values, isSilent: names == [ReservedNames.pending])
        }
    }

    /// The served fields, and the pending operations.
    static func document(_ record: ServedRecord, in view: CollectionView) -> [UInt8] {
        var document = record.document
        guard let pending = view.overlay?.pending(of: record) else { return document }
        document.removeLast()
        document += Array(#","\#(ReservedNames.pending)":"#.utf8) + pending.json
        document.append(UInt8(ascii: "}"))
        return document
    }
}

extension StateConnection {
    /// Adds changes of served records to the log as one commit beside the generations, which counts each; to be called
    /// in a transaction.
    ///
    /// - Returns: the size of their values.
    mutating func log(
        _ changes: [ServedChange], of row: CollectionRow, by uid: UInt32, at now: Int64
    ) throws(StoreError) -> Int {
        let end = seq + UInt64(changes.count)
        let bytes = changes.reduce(0) { $0 + $1.values.count }
        for (index, change) in changes.enumerated() {
            advance()
            try statements.addLocalChange.bind(.seq, bits: seq)
            try statements.addLocalChange.bind(.at, now)
            try statements.addLocalChange.bind(.collection, row.number)
            try statements.addLocalChange.bind(.op, change.logged.rawValue)
            try statements.addLocalChange.bind(.id, text: change.id)
            try statements.addLocalChange.bind(.uid, Int64(uid))
            try statements.addLocalChange.bind(.generation, bits: row.generation)
            try statements.addLocalChange.bind(.commitEnd, bits: end)
            try statements.addLocalChange.bind(.cause, ChangeCause.write.rawValue)
            if change.values.isEmpty {
                try statements.addLocalChange.bind(.fields, String?.none)
            } else {
                try statements.addLocalChange.bind(.fields, text: change.values)
            }
            try statements.addLocalChange.bind(.firstSeen, change.firstSeen)
            try statements.addLocalChange.bind(.bytes, index == 0 ? Int64(bytes) : 0)
            try statements.addLocalChange.bind(.isSilent, change.isSilent ? 1 : 0)
            try statements.addLocalChange.run()
        }
        return bytes
    }
}
