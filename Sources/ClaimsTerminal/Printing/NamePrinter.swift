// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// `name`: ids or names, one a line; `collection/id` over several collections.
final class NamePrinter: Printer {
    private let console: Console
    private var isOverAll = false

    init(_ console: Console) {
        self.console = console
    }

    var need: DescriptionNeed { .never }
    var onlyFields: [String]? { ["id"] }
    var canShowFacets: Bool { false }

    func print(_ presentation: Presentation) throws(OutputError) {
        if presentation.names == nil, presentation.rows == nil, let plain = presentation.plain {
            return try console.write { $0 += plain + [UInt8(ascii: "\n")] }
        }
        let column = presentation.nameColumn
        let named = presentation.rows?.data.compactMap { $0.indices.contains(column) ? $0[column] : nil }
        for name in presentation.names ?? named ?? [] { try print(name: name) }
    }

    private func print(name: String) throws(OutputError) {
        let shown = console.isTerminal ? Escaping.line(name) : name
        try console.write { $0 += shown.utf8 + [UInt8(ascii: "\n")] }
    }

    func begin(_ list: RecordList) throws(OutputError) { isOverAll = list.isOverAll }

    func printPage(_ answer: AnswerValue) throws(OutputError) {
        for record in answer[SearchResult.records] {
            var name = record["id"]?.text ?? ""
            if isOverAll, let collection = record["collection"]?.string { name = collection + "/" + name }
            try print(name: name)
        }
    }

    func endList() throws(OutputError) {}

    func printRecord(_ answer: AnswerValue, of collection: CollectionDescription?) throws(OutputError) {
        try print(name: answer[DetailResult.record]?["id"]?.text ?? "")
    }

    func endRecords(isAlone: Bool) throws(OutputError) {}
}
