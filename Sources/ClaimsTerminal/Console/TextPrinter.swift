// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// `table` and `wide`: labels, local times, and columns that fit the terminal.
final class TextPrinter: Printer {
    private let console: Console
    private let options: TextOptions
    private let time: () -> LocalTime
    /// Whether `detail` shows the upstream's object.
    private let wantsUpstream: Bool
    private var list: RecordList?
    private var renderer: ListRenderer?
    private var facets: AnswerValue?
    /// The number of records that the facets count.
    private var facetTotal: Int64?
    /// The parts that wait for the one after them; of a list under headings all, as the totals come with the result.
    private var waiting: [AnswerValue] = []
    private var recordCount = 0

    init(
        _ console: Console, isWide: Bool, time: @escaping () -> LocalTime, wantsUpstream: Bool, messages: Messages,
        wantsPlot: Bool = false
    ) {
        self.console = console
        self.time = time
        self.wantsUpstream = wantsUpstream
        options = TextOptions(
            width: isWide ? nil : console.width, lineWidth: console.width, isColored: console.isColored,
            isWide: isWide, messages: messages, plot: console.plot(isAsked: wantsPlot))
    }

    var need: DescriptionNeed { .always }
    var onlyFields: [String]? { nil }
    var canShowFacets: Bool { true }

    func print(_ presentation: Presentation) throws(OutputError) {
        let rows = presentation.rows
        let text = presentation.text?(options) ?? rows?.text(width: options.width, isColored: options.isColored)
        try console.show(text ?? "")
    }

    func printPart(_ presentation: Presentation, isFirst: Bool) throws(OutputError) {
        let text = presentation.rows?.text(width: options.width, isColored: options.isColored, hasHeadings: isFirst)
        try console.show(text ?? "")
    }

    func begin(_ list: RecordList) throws(OutputError) {
        self.list = list
        facets = nil
        waiting = []
        renderer = ListRenderer(
            collections: list.collections, single: list.single, fields: list.fields, isWide: options.isWide,
            showsArchived: list.showsArchived, width: console.width, isColored: options.isColored, time: time())
    }

    func printPage(_ answer: AnswerValue) throws(OutputError) {
        guard let total = answer[SearchResult.total] else { return try printPart(answer) }
        facets = answer[SearchResult.facets]
        facetTotal = total
        renderer?.note(answer)
        let goesOn = waiting.count > 1 || answer[SearchResult.next] != nil
        for part in waiting + [answer] { try show(part, goesOn: goesOn) }
        waiting = []
    }

    /// Prints the part before this one, which is not the last: the last one decides with the result how wide columns are.
    private func printPart(_ part: AnswerValue) throws(OutputError) {
        if list?.isGrouped == true || list?.isOverAll == true { return waiting.append(part) }
        for part in waiting { try show(part, goesOn: true) }
        waiting = [part]
    }

    private func show(_ part: AnswerValue, goesOn: Bool) throws(OutputError) {
        try console.show(renderer?.render(part, isGrouped: list?.isGrouped ?? false, goesOn: goesOn) ?? "")
    }

    func endList() throws(OutputError) {
        guard let facets else { return }
        let text = FacetText(facets, of: list?.single, total: facetTotal, messages: options.messages)
            .text(width: console.width, isColored: options.isColored, plot: options.plot)
        try console.show("\n" + text)
    }

    func printRecord(_ answer: AnswerValue, of collection: CollectionDescription?) throws(OutputError) {
        recordCount += 1
        guard let collection else { return }
        let maker = CellMaker(collection: collection, time: time())
        let text = DetailText(maker, width: console.width, isColored: options.isColored)
            .text(answer, withUpstream: wantsUpstream)
        try console.show((recordCount > 1 ? "\n\n" : "") + text)
    }

    func endRecords(isAlone: Bool) throws(OutputError) {}
}
