// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The columns of a list beside the fields of its records: how many files a record has, and what becomes of its
/// operations that are not settled.
struct RecordMarks {
    /// The fields that list files, by the names of the collections that take some.
    private let fileFields: [String: [UInt8]]
    private let hasPending: Bool

    /// The columns for lists of these collections.
    init(_ collections: [CollectionDescription]) {
        var fields: [String: [UInt8]] = [:]
        for collection in collections {
            if let field = collection.writes?.fileField { fields[collection.name] = Array(field.utf8) }
        }
        fileFields = fields
        hasPending = collections.contains { $0.writes?.isUpstream == true }
    }

    /// The names of the columns as data.
    var names: [String] { (fileFields.isEmpty ? [] : ["files"]) + (hasPending ? ["pending"] : []) }

    /// The values of a record as data, in the order of ``names``.
    ///
    /// - Parameter collection: the name of the record's collection.
    func data(of record: AnswerValue, _ collection: String) -> [String] {
        var values: [String] = []
        if !fileFields.isEmpty { values.append(count(of: record, collection).map { String($0) } ?? "") }
        if hasPending { values.append(record["pending"]?[PendingMark.state] ?? "") }
        return values
    }

    /// The columns that people read.
    ///
    /// - Parameter showsPending: whether any record of the list has operations that are not settled.
    func columns(showsPending: Bool, _ messages: Messages) -> [TableColumn] {
        (fileFields.isEmpty ? [] : [TableColumn(heading: messages.heading(.files), isRight: true)])
            + (hasPending && showsPending ? [TableColumn(heading: messages.heading(.pending))] : [])
    }

    /// The cells of a record, in the order of ``columns(showsPending:_:)``.
    func cells(of record: AnswerValue, _ collection: String, showsPending: Bool, messages: Messages) -> [Cell] {
        var cells: [Cell] = []
        if !fileFields.isEmpty { cells.append(Cell(count(of: record, collection).map { String($0) } ?? "")) }
        if hasPending, showsPending {
            let state = record["pending"]?[PendingMark.state] ?? ""
            let isStuck = state == PendingState.stuck.rawValue
            cells.append(Cell(Escaping.line(messages.pending(state)), style: isStuck ? .warning : .plain))
        }
        return cells
    }

    private func count(of record: AnswerValue, _ collection: String) -> Int? {
        guard let key = fileFields[collection] else { return nil }
        let pending = record["pending"]?[PendingMark.attachments] ?? []
        return (record[utf8: key]?.elements.count ?? 0) + pending.count
    }

    /// Whether a page has records with operations that are not settled, or its collections have some.
    static func arePending(in answer: AnswerValue) -> Bool {
        if answer[SearchResult.records].contains(where: { $0["pending"] != nil }) { return true }
        guard let meta: AnswerValue = answer[SearchResult.meta] else { return false }
        return ([meta] + meta[SpanningMeta.collections]).contains { meta in
            guard let counts = meta[Meta.pending] else { return false }
            return counts.members.contains { ($0.value.integer ?? 0) > 0 }
        }
    }
}
