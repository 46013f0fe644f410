// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The tab of operations that are not settled.
struct OutboxState: LayerMachine {
    /// The operations of the newest answer, the newest first; nil before the first.
    private(set) var operations: [AnswerValue]?
    /// The titles of their records, by operation.
    private(set) var titles: [String: String]
    /// The number of operations, of which the first ones are held here.
    private(set) var total: Int64
    /// The origins that nothing is sent to now.
    private(set) var paused: [AnswerValue]
    /// The index of the selected operation; nil if there is none.
    private(set) var selected: Int?
    private(set) var refusal: Refusal?
    private var isShown = false
    private var areTitlesOld = false
    /// The listing under way, with the request for its next state.
    private var listing: OutboxListing?
    private var listTag: BrowseRequest.Tag?
    private var titleTag: BrowseRequest.Tag?
    private(set) var wakeAt: UInt64?

    private typealias Operation = OutboxResult.Operation

    /// The maximum number of operations whose titles are asked for at once.
    static let maxTitles = 200
    /// The time between two questions while the tab is shown, in nanoseconds.
    private static let pace: UInt64 = 5_000_000_000

    init(
        _ operations: [AnswerValue]? = nil, titles: [String: String] = [:], total: Int64 = 0,
        paused: [AnswerValue] = [], selected: Int? = nil
    ) {
        self.operations = operations
        self.titles = titles
        self.total = total
        self.paused = paused
        self.selected = selected
    }

    /// The selected operation; nil if there is none.
    var selectedOperation: AnswerValue? { selected.flatMap { index in operations.map { $0[index] } } }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .opened:
            isShown = true
            return ask(&context)
        case .hidden:
            isShown = false
            wakeAt = nil
            return .stay
        case .connected: return isShown ? ask(&context) : .stay
        case .lost:
            (listTag, titleTag, wakeAt) = (nil, nil, nil)
            listing = nil
            return .stay
        case .woken:
            guard let time = wakeAt, time <= context.moment.monotonic else { return .unhandled }
            return ask(&context)
        case .answered(let tag, let value): return read(value, of: tag, &context)
        case .refused(let tag, let refusal):
            guard tag == listTag || tag == titleTag else { return .unhandled }
            if tag == listTag { self.refusal = refusal }
            settle(context)
            return .stay
        case .wheel(let step): return select((selected ?? 0) + step)
        case .key(let key): return handle(key, &context)
        case .paste, .performed, .changed: return .unhandled
        }
    }

    /// Asks anew where the tab is shown, for titles too: operations may have other values now.
    mutating func reload(_ context: inout LayerContext) -> LayerOutcome {
        areTitlesOld = true
        return isShown ? ask(&context) : .stay
    }

    private mutating func ask(_ context: inout LayerContext) -> LayerOutcome {
        wakeAt = nil
        guard context.isConnected else { return .stay }
        let listing = OutboxListing(language: context.messages.language)
        self.listing = listing
        return listing.next.map { ask($0, &context) } ?? .stay
    }

    private mutating func ask(_ parameters: OutboxParameters, _ context: inout LayerContext) -> LayerOutcome {
        let request = context.requests.request(.outbox, parameters)
        listTag = request.tag
        return .commands(.ask(request))
    }

    private mutating func settle(_ context: LayerContext) {
        (listTag, titleTag) = (nil, nil)
        listing = nil
        wakeAt = isShown ? context.moment.monotonic + Self.pace : nil
    }

    private mutating func read(
        _ value: AnswerValue, of tag: BrowseRequest.Tag, _ context: inout LayerContext
    ) -> LayerOutcome {
        if tag == titleTag {
            learnTitles(value[OutboxResult.operations], context)
            settle(context)
            return .stay
        }
        guard tag == listTag, var listing else { return .unhandled }
        listing.read(value)
        self.listing = listing
        paused = value[OutboxResult.paused]
        if let next = listing.next { return ask(next, &context) }
        let before = selectedOperation?[Operation.op]
        let listed = listing.operations
        self.listing = nil
        operations = listed
        total = listing.total
        refusal = nil
        let same = before.flatMap { op in listed.firstIndex { $0[Operation.op] == op } }
        selected = listed.isEmpty ? nil : same ?? min(selected ?? 0, listed.count - 1)
        let ops = listed.compactMap { $0[Operation.op] }
        titles = titles.filter { ops.contains($0.key) }
        let unknown = Array(ops.filter { areTitlesOld || titles[$0] == nil }.prefix(Self.maxTitles))
        areTitlesOld = false
        guard !unknown.isEmpty else {
            settle(context)
            return .stay
        }
        var parameters = OutboxParameters()
        parameters.action = .get
        parameters.ops = NameList(unknown)
        let request = context.requests.request(.outbox, parameters)
        (listTag, titleTag) = (nil, request.tag)
        return .commands(.ask(request))
    }

    /// The title of a record is a value that the operation gives or finds, else the one in a list, else the id.
    private mutating func learnTitles(_ answers: [AnswerValue], _ context: LayerContext) {
        for operation in answers {
            guard let op = operation[Operation.op], let collection = operation[Operation.collection] else { continue }
            let id = operation[Operation.id] ?? op
            titles[op] =
                context.collection(collection)?.shortTitle(ofOperation: operation)
                ?? (id == op ? context.messages.newRecord : context.title(of: id, in: collection))
        }
    }

    // MARK: - Keys

    private mutating func handle(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        let index = selected ?? 0
        switch BrowseKeys.action(of: key, in: .outbox) {
        case .nextRecord?: return select(index + 1)
        case .previousRecord?: return select(index - 1)
        case .nextPage?: return select(index + context.pageLines)
        case .previousPage?: return select(index - context.pageLines)
        case .first?: return select(0)
        case .last?: return select(Int.max)
        case .refresh?: return ask(&context)
        case .open?:
            guard let operation = selectedOperation else { return .stay }
            return .open(OperationLayer(operation))
        case .actions?:
            guard let operation = selectedOperation else { return .stay }
            return .open(SheetState.verbs(operation, title: title(of: operation), &context))
        case .copyID?:
            return selectedOperation?[Operation.id].map { .commands(.copy($0)) } ?? .stay
        case .copyRecord?: return selectedOperation.map { .commands(.copy($0.source)) } ?? .stay
        default: return .unhandled
        }
    }

    /// Selects the operation nearest to an index.
    @discardableResult
    mutating func select(_ index: Int) -> LayerOutcome {
        let count = operations?.count ?? 0
        selected = count == 0 ? nil : max(0, min(index, count - 1))
        return .stay
    }

    /// The title of an operation's record, as far as it is known.
    func title(of operation: AnswerValue) -> String {
        operation[Operation.op].flatMap { titles[$0] } ?? Escaping.line(operation[Operation.id] ?? "")
    }
}

/// The operations in which something is still to happen: asked for state by state, and then one list. Pure.
///
/// ```swift
/// var listing = OutboxListing(language: "en")
/// while let parameters = listing.next { listing.read(try call(.outbox, parameters)) }
/// show(listing.operations)
/// ```
struct OutboxListing: Sendable {
    private typealias Operation = OutboxResult.Operation

    /// The states that are still to be asked for.
    private var waiting = OutboxListing.states[...]
    private var coming: [AnswerValue] = []
    private var comingTotal: Int64 = 0
    private let language: String?

    /// The maximum number of operations of a state that are shown.
    private static let maxOperations: Int64 = 200
    /// The states that are asked for: all in which something is still to happen.
    private static let states = [
        OutboxParameters.stuck, OperationState.sending.rawValue, OperationState.queued.rawValue,
        OperationState.accepted.rawValue,
    ]

    /// - Parameter language: the language of the answers; nil for the daemon's own.
    init(language: String?) { self.language = language }

    /// The request for the operations of the next state; nil once all have come.
    var next: OutboxParameters? {
        guard let state = waiting.first else { return nil }
        var parameters = OutboxParameters()
        parameters.state = state
        parameters.limit = Self.maxOperations
        parameters.language = language
        return parameters
    }

    /// Reads the answer to ``next``.
    mutating func read(_ answer: AnswerValue) {
        waiting = waiting.dropFirst()
        let page = answer[OutboxResult.operations]
        coming += page
        comingTotal += answer[OutboxResult.total] ?? Int64(page.count)
    }

    /// The operations that have come, the newest first. One whose state changed in between comes twice, and counts as
    /// the later answer has it.
    var operations: [AnswerValue] {
        var seen: Set<String> = []
        let distinct = coming.reversed().filter { seen.insert($0[Operation.op] ?? "").inserted }
        return distinct.sorted { first, second in
            let (newer, older) = (
                first[Operation.submittedAt]?.string ?? "", second[Operation.submittedAt]?.string ?? ""
            )
            return newer == older
                ? first[Operation.op] ?? "" < second[Operation.op] ?? "" : newer > older
        }
    }

    /// The number of operations, of which the first ones of each state have come.
    var total: Int64 { max(comingTotal, Int64(operations.count)) }
}

extension CollectionDescription {
    /// The title of the record that an operation is about, by a value that the operation gives or finds; nil if there is
    /// none.
    func shortTitle(ofOperation operation: AnswerValue) -> String? {
        let versions = [operation[OutboxResult.Operation.values], operation[OutboxResult.Operation.before]]
        return versions.lazy.compactMap(\.self).compactMap(shortTitle(of:)).first
    }
}
