// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsJSON
import ClaimsModel
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

/// A writer of TSV and CSV: a line of names, then one line for each record.
///
/// TSV writes tab, newline, carriage return and backslash as `\t`, `\n`, `\r` and `\\`. CSV quotes as RFC 4180 says, with
/// a newline after each line. Codes stay codes, and instants stay RFC 3339. An absent value is empty.
public struct SeparatedValues: Sendable {
    /// The dialect of the lines.
    public enum Dialect: Sendable {
        case tsv, csv
        /// CSV as spreadsheets open it: lines end with CRLF, and no text is taken for a formula.
        case spreadsheet
    }

    private let dialect: Dialect
    private var isCSV: Bool { dialect != .tsv }
    /// Control characters are escaped too: the output is a terminal.
    private let isForTerminal: Bool

    /// Makes a writer of a dialect.
    ///
    /// - Parameter isForTerminal: whether control characters are escaped in addition.
    public init(_ dialect: Dialect, isForTerminal: Bool = false) {
        self.dialect = dialect
        self.isForTerminal = isForTerminal
    }

    private var separator: UInt8 { isCSV ? UInt8(ascii: ",") : UInt8(ascii: "\t") }

    /// The bytes before the first line: of a spreadsheet the mark without which it is not taken for UTF-8.
    public var preamble: [UInt8] { dialect == .spreadsheet ? [0xEF, 0xBB, 0xBF] : [] }

    private func endLine(_ out: inout [UInt8]) {
        if dialect == .spreadsheet { out.append(UInt8(ascii: "\r")) }
        out.append(UInt8(ascii: "\n"))
    }

    /// Whether a spreadsheet takes a text that begins so for a formula, or drops what it begins with.
    private static func beginsFormula(_ byte: UInt8?) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    /// Appends one line with these texts, such as the names of the columns.
    public func append(_ texts: [String], to out: inout [UInt8]) {
        for (index, text) in texts.enumerated() {
            if index > 0 { out.append(separator) }
            append(guarded(Array(text.utf8)), to: &out)
        }
        endLine(&out)
    }

    /// The text with an apostrophe before it, where a spreadsheet would take it for a formula.
    private func guarded(_ text: [UInt8]) -> [UInt8] {
        guard dialect == .spreadsheet, Self.beginsFormula(text.first), !Self.isNegativeNumber(text) else { return text }
        return [UInt8(ascii: "'")] + text
    }

    private static func isNegativeNumber(_ text: [UInt8]) -> Bool {
        text.count > 1 && text[0] == UInt8(ascii: "-")
            && text.dropFirst().allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// Appends the line of a record.
    ///
    /// - Parameters:
    ///   - keys: the names of the members in UTF-8, in the order of the columns.
    ///   - marks: the values after those of the members.
    public func append(_ record: AnswerValue, keys: [[UInt8]], marks: [String] = [], to out: inout [UInt8]) {
        for (index, key) in keys.enumerated() {
            if index > 0 { out.append(separator) }
            guard let value = record[utf8: key] else { continue }
            let start = out.count
            value.appendText(to: &out)
            if dialect == .spreadsheet, value.kind == .string, out.count > start, Self.beginsFormula(out[start]) {
                out.insert(UInt8(ascii: "'"), at: start)
            }
            if needsWork(out[start...]) {
                let raw = Array(out[start...])
                out.removeSubrange(start...)
                append(raw, to: &out)
            }
        }
        for mark in marks {
            out.append(separator)
            append(guarded(Array(mark.utf8)), to: &out)
        }
        endLine(&out)
    }

    private func needsWork(_ bytes: ArraySlice<UInt8>) -> Bool {
        for byte in bytes {
            switch byte {
            case 0..<0x20, 0x7F: return true
            case UInt8(ascii: "\\"): if !isCSV { return true }
            case UInt8(ascii: "\""), UInt8(ascii: ","): if isCSV { return true }
            case 0xC2, 0xCC...0xFF: if isForTerminal { return true }
            default: continue
            }
        }
        return false
    }

    private func append(_ value: [UInt8], to out: inout [UInt8]) {
        guard needsWork(value[...]) else {
            out += value
            return
        }
        let value = isForTerminal ? escapedControls(value) : value
        if isCSV { appendQuoted(value, to: &out) } else { appendEscaped(value, to: &out) }
    }

    private func appendEscaped(_ value: [UInt8], to out: inout [UInt8]) {
        for byte in value {
            switch byte {
            case UInt8(ascii: "\t"): out += [0x5C, 0x74]
            case UInt8(ascii: "\n"): out += [0x5C, 0x6E]
            case UInt8(ascii: "\r"): out += [0x5C, 0x72]
            case UInt8(ascii: "\\"): out += [0x5C, 0x5C]
            default: out.append(byte)
            }
        }
    }

    private func appendQuoted(_ value: [UInt8], to out: inout [UInt8]) {
        let needsQuotes = value.contains { byte in
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
        }
        guard needsQuotes else {
            out += value
            return
        }
        out.append(UInt8(ascii: "\""))
        for byte in value {
            if byte == UInt8(ascii: "\"") { out.append(byte) }
            out.append(byte)
        }
        out.append(UInt8(ascii: "\""))
    }

    /// Escapes the characters that a terminal would obey, without those that TSV escapes by itself.
    private func escapedControls(_ value: [UInt8]) -> [UInt8] {
        guard TextSafety.needsCare(value) else { return value }
        var text = String.UnicodeScalarView()
        for character in String(decoding: value, as: UTF8.self) {
            for scalar in character.unicodeScalars {
                let isUnsafe = TextSafety.isUnsafe(scalar, in: character)
                if isUnsafe, scalar != "\t", scalar != "\n", isCSV || scalar != "\r" {
                    text.append(contentsOf: Escaping.name(scalar).unicodeScalars)
                } else {
                    text.append(scalar)
                }
            }
        }
        return Array(String(text).utf8)
    }
}
