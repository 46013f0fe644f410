// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

/// The text that `claimsctl detail` prints about one record: its fields, its provenance and the upstream's object.
public struct DetailText {
    private let maker: CellMaker
    private let width: Int
    private let isColored: Bool
    private var messages: Messages { maker.time.messages }

    /// Makes a text with lines of `width` cells; a width below 20 counts as 20.
    public init(_ maker: CellMaker, width: Int, isColored: Bool) {
        self.maker = maker
        self.width = max(20, width)
        self.isColored = isColored
    }

    /// The whole text; empty for an answer without a record.
    ///
    /// - Parameters:
    ///   - answer: the result of `detail`.
    ///   - withUpstream: whether the object that the upstream sent is shown too.
    public func text(_ answer: AnswerValue, withUpstream: Bool) -> String {
        guard let record = answer["record"] else { return "" }
        let collection = maker.collection
        var text = ""
        for field in collection.fields where field.isEmphasized {
            guard let cell = maker.detail(field, of: record) else { continue }
            for line in Fitting.wrap(cell.text, to: width) {
                text += Style.bold.apply(to: line, isColored: isColored) + "\n"
            }
        }
        var facts: [(name: String, cell: Cell)] = []
        let files = RecordAttachments(record, collection).files
        for field in collection.fields where !field.isEmphasized {
            // The files are listed below, each on a line.
            if !files.isEmpty, field.name == collection.writes?.fileField { continue }
            if let cell = maker.detail(field, of: record) { facts.append((Escaping.line(field.heading), cell)) }
        }
        text += FactLayout(width: width, isColored: isColored).text(facts)
        text += operations(files, record["pending"])
        let absent = collection.fields.filter { record[utf8: $0.key] == nil }.map { Escaping.line($0.heading) }
        if !absent.isEmpty {
            for line in Fitting.wrap(messages.without(absent.joined(separator: ", ")), to: width) {
                text += Style.dim.apply(to: line, isColored: isColored) + "\n"
            }
        }
        text += "\n" + Style.heading.apply(to: messages.provenance, isColored: isColored) + "\n"
        text += FactLayout(width: width, isColored: isColored).text(provenance(answer["provenance"]))
        if withUpstream, let upstream = answer["upstream"] {
            text += "\n" + Style.heading.apply(to: messages.upstreamObject, isColored: isColored) + "\n"
            let json = JSONLayout.indented(JSONLayout.terminalSafe(Array(upstream.source.utf8)))
            text += String(decoding: json, as: UTF8.self) + "\n"
        }
        return text
    }

    /// The files of the record, and its operations that are not settled.
    private func operations(_ files: [RecordFile], _ pending: AnswerValue?) -> String {
        var facts = files.enumerated().map { index, file in
            (name: messages.file(index + 1), cell: Cell(file.line(messages)))
        }
        if let pending {
            let state = Escaping.line(messages.pending(pending[PendingMark.state] ?? ""))
            facts.append((messages.pendingOperations, Cell(state, style: .badge)))
            for operation in pending[PendingMark.ops] {
                typealias Operation = PendingMark.Operation
                let words = [
                    operation[Operation.action].map(messages.word), operation[Operation.state].map(messages.word),
                    operation[Operation.op], operation[Operation.message],
                ]
                facts.append(("", Cell(Escaping.line(words.compactMap(\.self).joined(separator: ", ")))))
            }
        }
        return FactLayout(width: width, isColored: isColored).text(facts)
    }

    /// The members of the provenance. An instant that several members share stands once, with their names.
    private func provenance(_ provenance: AnswerValue?) -> [(name: String, cell: Cell)] {
        guard let provenance else { return [] }
        var facts: [(name: String, text: String)] = []
        var instants: [(fact: Int, text: String, others: [String])] = []
        for (name, value) in provenance.members where value.kind != .null {
            let heading = Escaping.line(messages.memberName(name))
            if let instant = value.string.flatMap({ Instant.parse($0) }) {
                let text = maker.time.long(instant.ms)
                if let index = instants.firstIndex(where: { $0.text == text }) {
                    instants[index].others.append(heading)
                } else {
                    instants.append((facts.count, text, []))
                    facts.append((heading, text))
                }
            } else {
                facts.append((heading, Escaping.line(name == "source" ? messages.word(value.text) : value.text)))
            }
        }
        for instant in instants where !instant.others.isEmpty {
            facts[instant.fact].text = messages.sameInstant(instant.text, instant.others)
        }
        return facts.map { ($0.name, Cell($0.text)) }
    }
}

/// Names and values side by side, long values wrapped beside their names.
struct FactLayout {
    private let width: Int
    private let isColored: Bool

    /// Makes a layout with lines of `width` cells; a width below 20 counts as 20.
    init(width: Int, isColored: Bool) {
        self.width = max(20, width)
        self.isColored = isColored
    }

    /// The lines, a newline after each.
    func text(_ facts: [(name: String, cell: Cell)]) -> String {
        let nameWidth = min(24, facts.reduce(0) { max($0, DisplayWidth.cells(of: $1.name)) })
        let valueWidth = max(10, width - nameWidth - 2)
        var text = ""
        for (name, cell) in facts {
            for (index, line) in Fitting.wrap(cell.text, to: valueWidth).enumerated() {
                let shown = Fitting.pad(index == 0 ? Fitting.truncate(name, to: nameWidth) : "", to: nameWidth)
                let value = cell.style.apply(to: line, isColored: isColored)
                text += Style.dim.apply(to: shown, isColored: isColored && index == 0) + (value.isEmpty ? "" : "  ")
                text += value + "\n"
            }
        }
        return text
    }
}

/// The fields that a change concerns, in one line for people: `status: ok → faulty, name: – → pump`.
enum FieldChanges {
    /// The maximum width of a value, in cells.
    private static let maxCells = 40
    private static let absent = "–"

    /// The changed fields of an entry of a feed, with their values before and after; empty for other entries.
    static func text(_ entry: AnswerValue) -> String {
        let was = entry[FeedEntry.was]
        let record = entry[FeedEntry.record]
        let names = entry[FeedEntry.changed].compactMap(\.string)
        return names.map { text($0, from: was?[$0], to: record?[$0]) }.joined(separator: ", ")
    }

    /// The changed fields of a version, from `{FIELD: [before, after]}`.
    static func text(ofPairs changes: AnswerValue?) -> String {
        (changes?.members ?? []).map { name, pair in
            let values = pair.elements
            return text(name, from: values.first, to: values.count > 1 ? values[1] : nil)
        }.joined(separator: ", ")
    }

    private static func text(_ name: String, from before: AnswerValue?, to after: AnswerValue?) -> String {
        "\(Escaping.line(name)): \(value(before)) → \(value(after))"
    }

    private static func value(_ value: AnswerValue?) -> String {
        guard let value, value.kind != .null else { return absent }
        return Fitting.truncate(Escaping.line(value.text), to: maxCells)
    }
}
