// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// A choice among entries.
struct SheetState: LayerMachine {
    enum Purpose: Sendable {
        case view, order, actions, verbs, files
    }

    /// The consequence of taking an entry.
    enum Choice: Sendable {
        case view(String?)
        /// An order, and the same one backwards.
        case order(String?, reversed: String)
        /// Another layer opens: a form, an operation, a question or a line of input.
        case layer(any LayerMachine)
        case task(RecordTask)
        case open(OpenTarget)
    }

    struct Entry: Sendable {
        let choice: Choice
        var title: String
        /// The text behind the title, such as the keys of an order.
        var note: String?
        /// The reason why it cannot be chosen; nil if it can.
        var obstacle: String?
        /// The filter that the record must match; nil if any record will do.
        var condition: RecordCondition?
        /// The request that asks whether it does; nil if none is under way.
        var question: BrowseRequest.Tag?
    }

    let purpose: Purpose
    /// The collection that it is about.
    let collection: String
    let title: String
    /// The entries: those that can be chosen, then the rest.
    private(set) var entries: [Entry]
    private(set) var selected: Int
    /// Whether a key or the wheel has chosen an entry, so that all stay where they are.
    private var isTouched = false
    /// How often entries have got other numbers.
    private(set) var reorders = 0
    /// Whether the selected order is taken backwards.
    private(set) var isReversed: Bool

    init(
        _ purpose: Purpose, collection: String, title: String, entries: [Entry], selected: Int = 0,
        isReversed: Bool = false
    ) {
        self.purpose = purpose
        self.collection = collection
        self.title = title
        self.isReversed = isReversed
        self.entries = Self.possibleFirst(entries) { $0.obstacle == nil }
        self.selected = max(0, min(selected, entries.count - 1))
    }

    private static func possibleFirst<Element>(_ elements: [Element], _ isPossible: (Element) -> Bool) -> [Element] {
        elements.filter(isPossible) + elements.filter { !isPossible($0) }
    }

    /// The lines of the sheet: an empty one where there is room, the title, and as many entries as fit.
    struct Layout {
        let lines: Int
        /// The line of the title, from 0.
        let title: Int
        /// The first entry that is shown.
        let first: Int

        /// The entry on a line; it may be beyond the last one, or below 0 for the title.
        func entry(at line: Int) -> Int { line > title ? first + line - title - 1 : -1 }
    }

    /// The layout in so many lines at most.
    func layout(in limit: Int) -> Layout {
        let lines = min(limit, entries.count + 2)
        let title = lines > entries.count + 1 ? 1 : 0
        let shown = max(1, lines - title - 1)
        return Layout(lines: lines, title: title, first: max(0, min(selected - shown + 1, entries.count - shown)))
    }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .opened: return ask(&context)
        case .key(let key):
            isTouched = true
            var outcome = handle(key, context)
            // Nobody waits for the answers any more.
            if outcome.closes > 0 { outcome.commands += entries.compactMap(\.question).map { .cancel($0) } }
            return outcome
        case .wheel(let step):
            isTouched = true
            return select(selected + step)
        case .answered(let tag, let value): return answered(tag, value, context)
        case .refused(let tag, _): return answered(tag, nil, context)
        default: return .stay
        }
    }

    /// Asks whether the record matches the conditions of the entries.
    private mutating func ask(_ context: inout LayerContext) -> LayerOutcome {
        var outcome = LayerOutcome.stay
        guard context.isConnected else { return outcome }
        for (index, entry) in entries.enumerated() where entry.obstacle == nil {
            guard let condition = entry.condition else { continue }
            let request = context.requests.request(.count, condition.parameters(zone: context.person.zoneName))
            entries[index].question = request.tag
            outcome.commands.append(.ask(request))
        }
        return outcome
    }

    /// Reads the answer whether the record matches the condition of an entry; after the last one, what can be done
    /// stands first.
    ///
    /// - Parameter value: nil if the daemon did not say.
    private mutating func answered(
        _ tag: BrowseRequest.Tag, _ value: AnswerValue?, _ context: LayerContext
    ) -> LayerOutcome {
        guard let index = entries.firstIndex(where: { $0.question == tag }) else { return .unhandled }
        entries[index].question = nil
        if let value { entries[index].obstacle = entries[index].condition?.obstacle(value, context.messages) }
        if !isTouched, entries.allSatisfy({ $0.question == nil }) { reorder() }
        return .stay
    }

    /// Puts what can be done first. The selected entry stays selected as long as it can be done.
    private mutating func reorder() {
        let order = Self.possibleFirst(entries.indices.map { $0 }) { entries[$0].obstacle == nil }
        guard order != Array(entries.indices) else { return }
        let isPossible = entries[selected].obstacle == nil
        selected = isPossible ? order.firstIndex(of: selected) ?? 0 : 0
        entries = order.map { entries[$0] }
        reorders += 1
    }

    private mutating func handle(_ key: Key, _ context: LayerContext) -> LayerOutcome {
        switch key {
        case .up, .character("k"), .backTab: return select(selected - 1)
        case .down, .character("j"), .tab: return select(selected + 1)
        case .pageUp: return select(selected - context.pageLines)
        case .pageDown: return select(selected + context.pageLines)
        case .home, .character("g"): return select(0)
        case .end, .character("G"): return select(entries.count - 1)
        case .character("-"):
            if purpose == .order { isReversed.toggle() }
            return .stay
        case .enter, .right, .character("l"): return choose()
        case .escape, .left, .character("h"), .character("q"): return .close
        case .character(let scalar):
            // A digit takes the entry of that number.
            guard let digit = Int(String(Character(scalar))), entries.indices.contains(digit - 1) else { return .stay }
            select(digit - 1)
            return choose()
        default: return .stay
        }
    }

    /// Selects the entry nearest to an index.
    @discardableResult
    mutating func select(_ index: Int) -> LayerOutcome {
        selected = max(0, min(index, entries.count - 1))
        return .stay
    }

    private func choose() -> LayerOutcome {
        guard entries.indices.contains(selected) else { return .close }
        let entry = entries[selected]
        if let obstacle = entry.obstacle { return .notice(obstacle, .wrong) }
        switch entry.choice {
        case .view(let name):
            return LayerOutcome(closes: 1, effects: [.query(collection: collection, .view(name))])
        case .order(let order, let reversed):
            return LayerOutcome(
                closes: 1, effects: [.query(collection: collection, .order(isReversed ? reversed : order))])
        case .layer(let layer): return LayerOutcome(closes: 1, opens: layer)
        case .task(let task): return LayerOutcome(closes: 1, tasks: [task])
        case .open(let target): return LayerOutcome(closes: 1, commands: [.open(target)])
        }
    }
}

/// A filter of the definition that a record must match, so that an action can be done with it.
struct RecordCondition: Sendable {
    private let filter: String
    private let collection: String
    /// The same filter for this record alone.
    private let filterOfRecord: String

    /// The condition of an action; nil if any record will do.
    init?(of action: OfferedAction, id: String, in collection: CollectionDescription) {
        guard let filter = action.condition else { return nil }
        let idField = collection.fields.first { $0.type == .id }?.name ?? "id"
        self.filter = filter
        self.collection = collection.name
        filterOfRecord = "\(idField)=\(FilterComposer.quoted(id)) and (\(filter))"
    }

    /// The request that asks whether the record matches.
    func parameters(zone: String?) -> CountParameters {
        var parameters = CountParameters()
        parameters.collection = collection
        parameters.selection.filter = FilterValue(filterOfRecord)
        parameters.selection.archived = .include
        parameters.selection.timeZone = zone
        return parameters
    }

    /// The reason, by the answer, why the action cannot be done; nil if it can.
    func obstacle(_ answer: AnswerValue, _ messages: Messages) -> String? {
        answer[CountResult.total] == 0 ? messages.onlyWhere(Escaping.line(filter)) : nil
    }
}
