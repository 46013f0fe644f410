// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The lines of the status tab: a row a collection with the plots of its refreshes, then problems, errors and hints.
struct StatusContent {
    let status: AnswerValue?
    let health: HealthState
    let collections: [CollectionDescription]
    let time: LocalTime
    let plots: PlotStyle

    private typealias Entry = StatusResult.Collection
    private var messages: Messages { time.messages }

    private static let plotLabelCells = 12

    /// All lines, and those at which collections begin, in the order of the collections.
    func lines(width: Int) -> (lines: [StyledLine], starts: [Int]) {
        guard let status else { return ([StyledLine(messages.loadingRecord)], []) }
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
        lines += advice(ordered, width: width)
        lines += problems(status, width: width)
        return (lines, starts)
    }

    private var columns: [TableColumn] {
        [
            TableColumn(heading: messages.collectionHeading, isElastic: true, isEmphasized: true),
            TableColumn(heading: messages.recordsHeading, isRight: true),
            TableColumn(heading: messages.freshnessHeading, kind: .code),
            TableColumn(heading: messages.nextRefreshHeading),
        ]
    }

    private func cells(_ entry: AnswerValue) -> [Cell] {
        let meta = CollectionMeta(entry[Entry.meta])
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

    private func advice(_ entries: [AnswerValue], width: Int) -> [StyledLine] {
        entries.flatMap { entry -> [StyledLine] in
            let failure = CollectionMeta(entry[Entry.meta])?.failure
            let parts = [failure.map(\.clause), entry[Entry.hint].map { Escaping.line($0) }]
            let text = parts.compactMap(\.self).joined(separator: "; ")
            if text.isEmpty { return [] }
            let title = Escaping.line(entry[Entry.title] ?? "")
            return [StyledLine()] + Fitting.wrap("\(title): \(text)", to: width).map { StyledLine($0, .warning) }
        }
    }

    private func problems(_ status: AnswerValue, width: Int) -> [StyledLine] {
        typealias Problem = StatusResult.Problem
        let problems = status[StatusResult.problems]
        if problems.isEmpty { return [] }
        let lines = problems.flatMap { problem -> [String] in
            let line = problem[Problem.line].map { ":\($0)" } ?? ""
            let location = "\(problem[Problem.file] ?? "")\(line)"
            return Fitting.wrap(Escaping.line("\(location): \(problem[Problem.message] ?? "")"), to: width)
        }
        return [StyledLine(), StyledLine(messages.problemsHeading, .bold)] + lines.map { StyledLine($0, .warning) }
    }
}

extension Messages {
    fileprivate var collectionHeading: String { text(en: "COLLECTION", pl: "KOLEKCJA") }
    fileprivate var recordsHeading: String { text(en: "RECORDS", pl: "REKORDY") }
    fileprivate var freshnessHeading: String { text(en: "FRESHNESS", pl: "AKTUALNOŚĆ") }
    fileprivate var nextRefreshHeading: String { text(en: "NEXT", pl: "NASTĘPNE") }
    fileprivate var recordsRow: String { text(en: "records", pl: "rekordy") }
    fileprivate var durationsRow: String { text(en: "duration", pl: "czas") }
    fileprivate var problemsHeading: String {
        text(en: "Mistakes in the configuration", pl: "Błędy w konfiguracji")
    }

    /// The state and freshness of data in a term or two.
    fileprivate func condition(_ state: String, _ freshness: String?) -> String {
        switch (state, freshness) {
        case ("loading", _): text(en: "loading", pl: "wczytywanie")
        case ("failed", _): text(en: "FAILED", pl: "NIEUDANE")
        case ("withheld", _): text(en: "WITHHELD", pl: "WSTRZYMANE")
        case ("unconfigured", _): text(en: "no upstream", pl: "brak serwera")
        case (_, "fresh"?): text(en: "fresh", pl: "aktualne")
        case (_, "stale"?): text(en: "STALE", pl: "NIEAKTUALNE")
        case (_, "expired"?): text(en: "EXPIRED", pl: "PRZETERMINOWANE")
        case (_, "bundle"?): text(en: "BUILT-IN", pl: "WBUDOWANE")
        default: Escaping.line(state)
        }
    }
}
