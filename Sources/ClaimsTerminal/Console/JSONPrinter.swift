// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol

/// `json`: one document. What is printed is a whole document or nothing, unless it goes to a file that is nothing until
/// it is whole.
final class JSONPrinter: Printer {
    private let console: Console
    /// Whether nothing is printed before all is there.
    private let isWhole: Bool
    /// The records of each page as they came: a document of a million is held once, not copied as it grows.
    private var pages: [[UInt8]] = []
    /// Whether records have been printed, and whether the document has begun.
    private var hasRecords = false
    private var hasBegun = false
    /// The result, whose members beside the records come after them.
    private var result: AnswerValue?
    private var records: [AnswerValue] = []

    init(_ console: Console, isWhole: Bool = true) {
        self.console = console
        self.isWhole = isWhole
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
        (hasRecords, hasBegun) = (false, false)
        result = nil
    }

    func printPage(_ answer: AnswerValue) throws(OutputError) {
        if answer[SearchResult.total] != nil { result = answer }
        guard let records: AnswerValue = answer[SearchResult.records], !records.elements.isEmpty else { return }
        // Without the array's own brackets.
        let range = (records.range.lowerBound + 1)..<(records.range.upperBound - 1)
        guard isWhole else { return try print(records.document.bytes[range]) }
        pages.append(Array(records.document.bytes[range]))
    }

    private func print(_ records: ArraySlice<UInt8>) throws(OutputError) {
        try begin()
        try console.write { bytes in
            if hasRecords { bytes.append(UInt8(ascii: ",")) }
            bytes += records
        }
        hasRecords = true
    }

    private static var head: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("schema_version", JSONLayout.schemaVersion)
        writer.key(SearchResult.records)
        writer.beginArray()
        return writer.bytes
    }

    private func begin() throws(OutputError) {
        guard !hasBegun else { return }
        hasBegun = true
        try console.write { $0 += Self.head }
    }

    /// The bytes after the records: the end of their array, and the other members of the result.
    private func tail(_ result: AnswerValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in result.members
        where name != "\(SearchResult.next.name)" && name != "\(SearchResult.records.name)" {
            writer.key(name)
            writer.raw(Array(value.source.utf8))
        }
        writer.endObject()
        // The second object's members go on where the first one's end.
        return [UInt8(ascii: "]")] + (writer.bytes.count > 2 ? [UInt8(ascii: ",")] : []) + writer.bytes.dropFirst()
    }

    /// One object: the result, but with the records of all pages.
    func endList() throws(OutputError) {
        guard let result else { return }
        if console.isTerminal {
            return try print(document: Self.head + pages.joined(separator: [UInt8(ascii: ",")]) + tail(result))
        }
        try begin()
        for page in pages { try print(page[...]) }
        try console.write { $0 += tail(result) + [UInt8(ascii: "\n")] }
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
