// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// `name`: ids or names, one a line; `collection/id` over several collections.
///
/// A name with a control character is not printed: a program that reads lines would take it for another one, or for
/// two. All others are printed, and then an error says so.
final class NamePrinter: Printer {
    private let console: Console
    private var isOverAll = false
    /// The first name that was not printed.
    private var refused: String?

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
        try requireAllPrinted()
    }

    private func print(name: String) throws(OutputError) {
        guard !Escaping.hasControls(name) else {
            refused = refused ?? name
            return
        }
        let shown = console.isTerminal ? Escaping.line(name) : name
        try console.write { $0 += shown.utf8 + [UInt8(ascii: "\n")] }
    }

    private func requireAllPrinted() throws(OutputError) {
        if let refused { throw .unprintable(refused) }
    }

    func begin(_ list: RecordList) throws(OutputError) {
        isOverAll = list.isOverAll
        refused = nil
    }

    func printPage(_ answer: AnswerValue) throws(OutputError) {
        for record in answer[SearchResult.records] {
            var name = record["id"]?.text ?? ""
            if isOverAll, let collection = record["collection"]?.string { name = collection + "/" + name }
            try print(name: name)
        }
    }

    func endList() throws(OutputError) { try requireAllPrinted() }

    func printRecord(_ answer: AnswerValue, of collection: CollectionDescription?) throws(OutputError) {
        try print(name: answer[DetailResult.record]?["id"]?.text ?? "")
    }

    func endRecords(isAlone: Bool) throws(OutputError) { try requireAllPrinted() }
}
