// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The lines of the status tab: a row a collection with the plots of its refreshes, then failures, hints and mistakes.
struct StatusContent {
    let status: AnswerValue?
    let health: HealthState
    let collections: [CollectionDescription]
    let time: LocalTime
    let plots: PlotStyle
    /// The systemd unit of the daemon, for its commands; nil if it is not known.
    var unit: DaemonUnit?

    private typealias Entry = StatusResult.Collection
    private var messages: Messages { time.messages }

    private static let plotLabelCells = 12

    /// All lines, those at which collections begin, in the order of the collections, and the one after the last of them.
    func lines(width: Int) -> (lines: [StyledLine], starts: [Int], rowsEnd: Int) {
        guard let status else { return ([StyledLine(messages.loadingRecord)], [], 0) }
        let entries = status[StatusResult.collections]
        let ordered = collections.compactMap { collection in entries.first { $0[Entry.name] == collection.name } }
        var lines: [StyledLine] = []
        var starts: [Int] = []
        let layout = ListLayout(columns: columns, rows: ordered.map(cells), width: width, indent: 0)
        lines += layout.headings
        for entry in ordered {
            starts.append(lines.count)
            lines += layout.lines(cells(entry))
            lines += plot(entry[Entry.name] ?? "", width: width)
        }
        let rowsEnd = lines.count
        lines += remarks(status, width: width)
        return (lines, starts, rowsEnd)
    }

    private var columns: [LayoutColumn] {
        [
            LayoutColumn(heading: messages.collectionHeading, isElastic: true, isEmphasized: true),
            LayoutColumn(heading: messages.recordsHeading, isRight: true),
            LayoutColumn(heading: messages.freshnessHeading, kind: .code),
            LayoutColumn(heading: messages.nextRefreshHeading),
        ]
    }

    private func cells(_ entry: AnswerValue) -> [Cell] {
        let meta = AnswerMeta(entry[Entry.meta])
        let age = meta?.asOf.map { messages.age(time.now - $0) }
        let state = messages.condition(meta?.state ?? "", meta?.freshness)
        let isWell = meta?.freshness == "fresh" && meta?.hasData == true
        return [
            Cell(Escaping.line(entry[Entry.title] ?? ""), style: .bold),
            Cell(messages.number(entry[Entry.total] ?? 0)),
            Cell([state, age].compactMap(\.self).joined(separator: " · "), style: isWell ? .plain : .warning),
            Cell((meta?.nextRefresh).map { time.clock($0) } ?? ""),
        ]
    }

    /// The two rows of a collection's refreshes; none before they are known.
    private func plot(_ name: String, width: Int) -> [StyledLine] {
        let slots = min(RefreshPlot.maxSlots, width - 2 * Self.plotLabelCells)
        let moment = BrowseMoment(wall: time.now, monotonic: 0)
        guard slots > 0, let plot = health.plot(of: name, at: moment, slots: slots) else { return [] }
        if plot.isEmpty, plot.lastRecords == nil { return [] }
        let records = plot.lastRecords.map { messages.number($0) } ?? "–"
        let duration = plot.lastDuration.map { messages.shortSpan($0) } ?? "–"
        return [
            row(messages.recordsRow, plot.records(plots), records),
            row(messages.durationsRow, plot.durations(plots), duration),
        ]
    }

    private func row(_ label: String, _ plot: String, _ last: String) -> StyledLine {
        var line = StyledLine(label)
        line.pad(to: Self.plotLabelCells)
        line.append(plot)
        line.append(" \(last)")
        return line
    }

    /// The verdict about all collections, as plain `status` begins with it, and whether all is well; nil before the
    /// first answer.
    var verdict: (text: String, isWell: Bool)? {
        guard let verdict = status.map({ summary(of: $0, width: .max).verdict }) else { return nil }
        return (Escaping.line(verdict.text), verdict.isWell)
    }

    private func summary(of status: AnswerValue, width: Int) -> StatusSummary {
        StatusSummary(status, time: time, unit: unit, width: width)
    }

    /// The remarks that plain `status` has below its table.
    private func remarks(_ status: AnswerValue, width: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        for text in summary(of: status, width: width).remarks {
            // The names before the first colon of a paragraph are bold.
            let isFirst = lines.last?.text.isEmpty ?? true
            let indent = text.prefix { $0 == " " }.count
            for piece in Fitting.wrapWhole(String(text.dropFirst(indent)), to: width - indent) {
                var line = StyledLine()
                line.pad(to: indent)
                let colon = isFirst ? piece.firstIndex(of: ":") ?? piece.startIndex : piece.startIndex
                line.append(String(piece[..<colon]), .bold)
                line.append(String(piece[colon...]))
                lines.append(line)
            }
        }
        return lines
    }
}

extension Messages {
    fileprivate var collectionHeading: String { text(en: "COLLECTION", pl: "KOLEKCJA") }
    fileprivate var recordsHeading: String { text(en: "RECORDS", pl: "REKORDY") }
    fileprivate var freshnessHeading: String { text(en: "FRESHNESS", pl: "AKTUALNOŚĆ") }
    fileprivate var nextRefreshHeading: String { text(en: "NEXT", pl: "NASTĘPNE") }
    fileprivate var recordsRow: String { text(en: "records", pl: "rekordy") }
    fileprivate var durationsRow: String { text(en: "duration", pl: "czas") }

    /// The state and freshness of data in a term or two.
    fileprivate func condition(_ state: String, _ freshness: String?) -> String {
        switch (state, freshness) {
        case ("loading", _): text(en: "loading", pl: "wczytywanie")
        case ("failed", _): text(en: "FAILED", pl: "NIEUDANE")
        case ("withheld", _): text(en: "WITHHELD", pl: "NIEPOKAZYWANE")
        case ("unconfigured", _): text(en: "no upstream", pl: "brak serwera")
        case (_, "fresh"?): text(en: "fresh", pl: "aktualne")
        case (_, "stale"?): text(en: "STALE", pl: "NIEAKTUALNE")
        case (_, "expired"?): text(en: "EXPIRED", pl: "PRZETERMINOWANE")
        case (_, "bundle"?): text(en: "BUILT-IN", pl: "WBUDOWANE")
        default: Escaping.line(state)
        }
    }
}
