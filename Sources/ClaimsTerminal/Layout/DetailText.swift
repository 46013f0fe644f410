// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel

/// The text that `claimsctl detail` prints about one record: its fields, its provenance and the upstream's object.
public struct DetailText {
    private let maker: CellMaker
    private let width: Int
    private let isColored: Bool

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
        for field in collection.fields where !field.isEmphasized {
            if let cell = maker.detail(field, of: record) { facts.append((Escaping.line(field.heading), cell)) }
        }
        text += lines(facts)
        let absent = collection.fields.filter { record[utf8: $0.key] == nil }.map { Escaping.line($0.heading) }
        if !absent.isEmpty {
            for line in Fitting.wrap("without: \(absent.joined(separator: ", "))", to: width) {
                text += Style.dim.apply(to: line, isColored: isColored) + "\n"
            }
        }
        text += "\n" + Style.heading.apply(to: "Provenance", isColored: isColored) + "\n"
        text += lines(provenance(answer["provenance"]))
        if withUpstream, let upstream = answer["upstream"] {
            text += "\n" + Style.heading.apply(to: "Upstream", isColored: isColored) + "\n"
            let json = JSONLayout.indented(JSONLayout.terminalSafe(Array(upstream.source.utf8)))
            text += String(decoding: json, as: UTF8.self) + "\n"
        }
        return text
    }

    private func provenance(_ provenance: AnswerValue?) -> [(name: String, cell: Cell)] {
        guard let provenance else { return [] }
        return provenance.members.map { name, value in
            let heading = Escaping.line(name.split(separator: "_").joined(separator: " "))
            let time = value.string.flatMap { Instant.parse($0) }.map { maker.time.long($0.ms) }
            return (heading, Cell(time ?? Escaping.line(value.text)))
        }
    }

    /// Names and values side by side, long values wrapped beside their names.
    private func lines(_ facts: [(name: String, cell: Cell)]) -> String {
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
