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
    var line: EditedLine
    /// A mistake in the filter: the message and the bytes it is about.
    var problem: InputProblem?
    /// Completions of the term before the cursor, while they are shown.
    var completions: [String] = []
    /// The text when it opened.
    private let original: String

    /// The maximum size of a filter or an id, in bytes; the daemon takes no more.
    static let maxFilterBytes = 4096

    init(_ purpose: Purpose, collection: String, text: String = "") {
        self.purpose = purpose
        self.collection = collection
        line = EditedLine(text)
        original = text
    }

    private var maxBytes: Int { purpose == .search ? ListQuery.maxSearchBytes : Self.maxFilterBytes }

    mutating func take(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .key(let key): return take(key, context)
        case .paste(let text): return finish(line.insert(text, maxBytes: maxBytes), context)
        default: return .stay
        }
    }

    private mutating func take(_ key: Key, _ context: LayerContext) -> LayerOutcome {
        switch key {
        case .enter: return enter(context)
        case .escape:
            var outcome = LayerOutcome.close
            if let change = change(to: original) { outcome.effects = [.restored(collection: collection, change)] }
            return outcome
        case .tab:
            return purpose == .filter ? .effect(.complete(collection: collection, line: line)) : .stay
        // The list moves under the line.
        case .up, .down, .pageUp, .pageDown: return purpose.isQuery ? .unhandled : .stay
        default: return finish(line.take(key, maxBytes: maxBytes), context)
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

    /// Shows candidates for the term before the cursor.
    ///
    /// - Parameters:
    ///   - range: the characters that are replaced.
    ///   - replacement: what all candidates begin with.
    mutating func complete(_ range: Range<Int>, with replacement: String, candidates: [String]) {
        line.replace(range, with: replacement)
        completions = candidates.count > 1 ? candidates : []
        problem = nil
    }
}

extension InputState.Purpose {
    fileprivate var isQuery: Bool { self == .search || self == .filter }
}

/// A mistake in a line of input.
struct InputProblem: Equatable, Sendable {
    var message: String
    var hint: String?
    /// The bytes of the line that are wrong; nil where it is the whole.
    var range: Range<Int>?
}
