// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol

/// `json`: one document. What is printed is a whole document or nothing.
final class JSONPrinter: Printer {
    private let console: Console
    /// The records of each page as they came: a document of a million is held once, not copied as it grows.
    private var pages: [[UInt8]] = []
    private var firstPage: AnswerValue?
    private var hasMoved = false
    private var records: [AnswerValue] = []

    init(_ console: Console) {
        self.console = console
    }

    var need: DescriptionNeed { .never }
    var onlyFields: [String]? { nil }
    var canShowFacets: Bool { true }

    func print(_ presentation: Presentation) throws(OutputError) {
        try print(document: JSONLayout.document(presentation.results, isDryRun: presentation.isDryRun))
    }

    private func print(document: [UInt8]) throws(OutputError) {
        let shown = console.isTerminal ? JSONLayout.indented(JSONLayout.terminalSafe(document)) : document
        try console.write { $0 += shown + [UInt8(ascii: "\n")] }
    }

    func begin(_ list: RecordList) throws(OutputError) {
        pages = []
        firstPage = nil
        hasMoved = false
    }

    func printPage(_ answer: AnswerValue) throws(OutputError) {
        if firstPage == nil { firstPage = answer }
        if answer[SearchResult.moved] == true { hasMoved = true }
        guard let records: AnswerValue = answer[SearchResult.records], !records.elements.isEmpty else { return }
        // Without the array's own brackets.
        pages.append(Array(records.document.bytes[(records.range.lowerBound + 1)..<(records.range.upperBound - 1)]))
    }

    /// One object: the first answer, but with the records of all pages.
    func endList() throws(OutputError) {
        guard let firstPage else { return }
        var before = JSONWriter()
        var after = JSONWriter()
        before.beginObject()
        before.member("schema_version", JSONLayout.schemaVersion)
        after.beginObject()
        let replaced = [
            SearchResult.next.description, SearchResult.moved.description, SearchResult.records.description,
        ]
        for (name, value) in firstPage.members where !replaced.contains(where: { $0.name == name }) {
            after.key(name)
            after.raw(Array(value.source.utf8))
        }
        if hasMoved { after.member(SearchResult.moved, true) }
        after.endObject()
        before.key(SearchResult.records)
        before.beginArray()
        // The second object's members go on where the first one's end.
        let tail =
            (after.bytes.count > 2 ? [UInt8(ascii: "]"), UInt8(ascii: ",")] : [UInt8(ascii: "]")])
            + after.bytes.dropFirst()
        if console.isTerminal {
            return try print(document: before.bytes + pages.joined(separator: [UInt8(ascii: ",")]) + tail)
        }
        try console.write { $0 += before.bytes }
        for (index, page) in pages.enumerated() {
            try console.write { bytes in
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += page
            }
        }
        try console.write { $0 += tail + [UInt8(ascii: "\n")] }
    }

    func printRecord(_ answer: AnswerValue, of collection: CollectionDescription?) throws(OutputError) {
        records.append(answer)
    }

    func endRecords(isAlone: Bool) throws(OutputError) {
        if isAlone, records.isEmpty { return }
        try print(document: JSONLayout.document(records, isList: !isAlone))
    }
}

/// `jsonl`: one JSON value a line, a record of a list at a time.
final class JSONLinesPrinter: Printer {
    private let console: Console

    init(_ console: Console) {
        self.console = console
    }

    var need: DescriptionNeed { .never }
    var onlyFields: [String]? { nil }
    var canShowFacets: Bool { false }

    func print(_ presentation: Presentation) throws(OutputError) {
        try print(line: JSONLayout.document(presentation.results, isDryRun: presentation.isDryRun))
    }

    private func print(line: [UInt8]) throws(OutputError) {
        let shown = console.isTerminal ? JSONLayout.terminalSafe(line) : line
        try console.write { $0 += shown + [UInt8(ascii: "\n")] }
    }

    func begin(_ list: RecordList) throws(OutputError) {}

    func printPage(_ answer: AnswerValue) throws(OutputError) {
        for record in answer[SearchResult.records] {
            if console.isTerminal {
                try print(line: Array(record.source.utf8))
            } else {
                try console.write { bytes in
                    record.appendSource(to: &bytes)
                    bytes.append(UInt8(ascii: "\n"))
                }
            }
        }
    }

    func endList() throws(OutputError) {}

    func printRecord(_ answer: AnswerValue, of collection: CollectionDescription?) throws(OutputError) {
        try print(line: JSONLayout.document([answer]))
    }

    func endRecords(isAlone: Bool) throws(OutputError) {}
}
