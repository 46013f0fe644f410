// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// `tsv`, `csv` and `spreadsheet`: a line of names, then a line for each row.
final class SeparatedPrinter: Printer {
    private let console: Console
    private let values: SeparatedValues
    /// The format was asked for, and is not just what a pipe gets.
    private let isAsked: Bool
    private var columns: [String] = []
    private var keys: [[UInt8]] = []
    private var list: RecordList?
    private var marks = RecordMarks([])
    private var hasHeader = false
    private var recordColumns: [String]?
    /// Whether nothing has been printed yet.
    private var isBlank = true

    init(_ console: Console, _ dialect: SeparatedValues.Dialect, isAsked: Bool) {
        self.console = console
        self.isAsked = isAsked
        values = SeparatedValues(dialect, isForTerminal: console.isTerminal)
    }

    /// Prints lines; before the first ones what the dialect begins with.
    private func write(_ append: (inout [UInt8]) -> Void) throws(OutputError) {
        let preamble = isBlank ? values.preamble : []
        isBlank = false
        try console.write { bytes in
            bytes += preamble
            append(&bytes)
        }
    }

    var need: DescriptionNeed { .unlessNamed }
    var onlyFields: [String]? { nil }
    var canShowFacets: Bool { false }

    func print(_ presentation: Presentation) throws(OutputError) {
        if let plain = presentation.plain, !isAsked || presentation.rows == nil {
            return try write { $0 += plain + [UInt8(ascii: "\n")] }
        }
        try printPart(presentation, isFirst: true)
    }

    func printPart(_ presentation: Presentation, isFirst: Bool) throws(OutputError) {
        guard let rows = presentation.rows else { return }
        try write { bytes in
            if isFirst { values.append(rows.names, to: &bytes) }
            for row in rows.data { values.append(row, to: &bytes) }
        }
    }

    func begin(_ list: RecordList) throws(OutputError) {
        hasHeader = false
        self.list = list
        marks = list.marks
        columns = list.columns
        keys = columns.map { Array($0.utf8) }
        columns += marks.names
    }

    func printPage(_ answer: AnswerValue) throws(OutputError) {
        try write { bytes in
            if !hasHeader { values.append(columns, to: &bytes) }
            for record in answer[SearchResult.records] {
                values.append(record, keys: keys, marks: marked(record), to: &bytes)
            }
        }
        hasHeader = true
    }

    func endList() throws(OutputError) {}

    private func marked(_ record: AnswerValue) -> [String] {
        if marks.names.isEmpty { return [] }
        return marks.data(of: record, list?.single?.name ?? record["collection"]?.string ?? "")
    }

    func printRecord(_ answer: AnswerValue, of collection: CollectionDescription?) throws(OutputError) {
        guard let collection, let record = answer[DetailResult.record] else { return }
        let names = collection.fields.map(\.name)
        let isNew = recordColumns != names
        recordColumns = names
        try write { bytes in
            if isNew { values.append(names, to: &bytes) }
            values.append(record, keys: collection.fields.map(\.key), to: &bytes)
        }
    }

    func endRecords(isAlone: Bool) throws(OutputError) {}
}
