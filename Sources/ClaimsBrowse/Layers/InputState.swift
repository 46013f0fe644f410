// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

/// A line of input. The list follows while it is typed; Enter keeps it, Esc brings back what was before.
struct InputState: LayerMachine {
    enum Purpose: Equatable, Sendable {
        case search, filter
        /// The id that an upstream has given to a new record, which ends the doubt about an operation.
        case recordID(op: String)
    }

    let purpose: Purpose
    /// The collection whose list it is about.
    let collection: String
    private(set) var line: EditedLine
    /// A mistake in the filter: the message and the bytes it is about.
    private(set) var problem: InputProblem?
    /// Completions of the term before the cursor, while they are shown.
    private(set) var completions: [String] = []
    /// The text when it opened.
    private let original: String

    /// The maximum size of a filter or an id, in bytes; the daemon takes no more.
    static let maxFilterBytes = 4096

    init(
        _ purpose: Purpose, collection: String, text: String = "", problem: InputProblem? = nil,
        completions: [String] = []
    ) {
        self.purpose = purpose
        self.collection = collection
        self.problem = problem
        self.completions = completions
        line = EditedLine(text)
        original = text
    }

    private var maxBytes: Int { purpose == .search ? ListQuery.maxSearchBytes : Self.maxFilterBytes }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .key(let key): return handle(key, context)
        case .paste(let text): return finish(line.insert(text, maxBytes: maxBytes), context)
        default: return .stay
        }
    }

    private mutating func handle(_ key: Key, _ context: LayerContext) -> LayerOutcome {
        switch key {
        case .enter: return enter(context)
        case .escape:
            var outcome = LayerOutcome.close
            if let change = change(to: original) { outcome.effects = [.restored(collection: collection, change)] }
            return outcome
        case .tab:
            return purpose == .filter ? complete(context) : .stay
        // The list moves under the line.
        case .up, .down, .pageUp, .pageDown: return purpose.isQuery ? .unhandled : .stay
        default: return finish(line.apply(key, maxBytes: maxBytes), context)
        }
    }

    private mutating func enter(_ context: LayerContext) -> LayerOutcome {
        switch purpose {
        // The message about the mistake stays until it is mended.
        case .search, .filter:
            guard problem == nil else { return .stay }
            return LayerOutcome(closes: 1, effects: [.entered(collection: collection)])
        case .recordID(let op):
            guard !line.text.isEmpty else { return .close }
            var parameters = OutboxParameters(.resolveDone, about: [op])
            parameters.id = RecordID(line.text)
            return LayerOutcome(closes: 1, tasks: [.outbox(parameters)])
        }
    }

    private mutating func finish(_ result: EditedLine.Result, _ context: LayerContext) -> LayerOutcome {
        switch result {
        case .edited:
            completions = []
            problem = nil
            return change(to: line.text).map { .effect(.query(collection: collection, $0)) } ?? .stay
        case .full: return .notice(context.messages.textIsFull(maxBytes), .wrong)
        case .moved, .unhandled: return .stay
        }
    }

    private func change(to text: String) -> QueryChange? {
        switch purpose {
        case .search: .search(text)
        case .filter: .filter(text)
        case .recordID: nil
        }
    }

    /// Completes the term before the cursor of the filter, and shows the candidates if there are several.
    private mutating func complete(_ context: LayerContext) -> LayerOutcome {
        guard let description = context.collection(collection),
            let completion = FilterCompletion(line.text, cursor: line.cursor, description)
        else { return .stay }
        line.replace(completion.range, with: completion.replacement)
        completions = completion.candidates.count > 1 ? completion.candidates : []
        problem = nil
        // The completed text is asked for like a typed one.
        guard line.text != context.lists[collection]?.query.filter ?? "" else { return .stay }
        return .effect(.query(collection: collection, .filter(line.text)))
    }

    /// Shows a mistake in the line.
    mutating func report(_ problem: InputProblem) { self.problem = problem }
}

extension InputState.Purpose {
    fileprivate var isQuery: Bool { self == .search || self == .filter }
}
