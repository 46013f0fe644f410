// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// A record with all its fields.
struct DetailState: LayerMachine {
    private(set) var target: RecordTarget
    /// The answer of detail; nil until it comes.
    private(set) var answer: AnswerValue?
    /// The answer of history, the newest version first; nil until it comes.
    private(set) var history: AnswerValue?
    /// The reason why there is no answer.
    private(set) var refusal: Refusal?
    /// Whether the upstream's own object is shown in place of the fields.
    private(set) var showsUpstream = false
    /// The first line that is shown.
    private(set) var scroll = 0
    private var detailTag: BrowseRequest.Tag?
    private var historyTag: BrowseRequest.Tag?

    var collection: String { target.collection }
    var id: String { target.id }

    /// The maximum number of versions that are asked for.
    static let maxVersions: Int64 = 50

    init(
        _ target: RecordTarget, answer: AnswerValue? = nil, history: AnswerValue? = nil, showsUpstream: Bool = false
    ) {
        self.target = target
        self.answer = answer
        self.history = history
        self.showsUpstream = showsUpstream
    }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .opened, .connected: return ask(&context)
        case .changed(let collection, let id):
            guard collection == target.collection, id == target.id else { return .unhandled }
            return ask(&context)
        case .answered(let tag, let value): return read(value, of: tag)
        case .refused(let tag, let refusal): return read(refusal, of: tag)
        case .wheel(let step): scroll = context.scrolled(scroll, by: step * LayerContext.wheelLines)
        case .key(let key):
            switch BrowseKeys.action(of: key, in: .detail) {
            case .back?, .leave?: return LayerOutcome(closes: 1, commands: cancelled)
            case .followingRecord?: return .effect(.step(1))
            case .precedingRecord?: return .effect(.step(-1))
            case .upstream?:
                showsUpstream.toggle()
                scroll = 0
            // Beside the list, where the cursor stands, the keys move there unless there is something to scroll.
            case .nextRecord? where context.isSplit && context.maxScroll == 0: return .effect(.step(1))
            case .previousRecord? where context.isSplit && context.maxScroll == 0: return .effect(.step(-1))
            case let action?:
                guard let line = context.scrolled(scroll, by: action) else { return .unhandled }
                scroll = line
            case nil: return .unhandled
            }
        case .paste, .performed, .lost, .woken, .hidden: break
        }
        return .stay
    }

    /// Shows another record.
    mutating func follow(_ target: RecordTarget, _ context: inout LayerContext) -> LayerOutcome {
        let commands = cancelled
        let showsUpstream = showsUpstream
        self = DetailState(target)
        self.showsUpstream = showsUpstream
        var outcome = ask(&context)
        outcome.commands = commands + outcome.commands
        return outcome
    }

    private var cancelled: [BrowseCommand] { [detailTag, historyTag].compactMap(\.self).map(BrowseCommand.cancel) }

    private mutating func ask(_ context: inout LayerContext) -> LayerOutcome {
        guard context.isConnected else { return .stay }
        let commands = cancelled
        var detail = DetailParameters()
        detail.collection = target.collection
        detail.id = RecordID(target.id)
        detail.language = context.messages.language
        var history = HistoryParameters()
        history.collection = target.collection
        history.id = RecordID(target.id)
        history.limit = Self.maxVersions
        history.language = context.messages.language
        let requests = [
            context.requests.request(.detail, detail), context.requests.request(.history, history),
        ]
        (detailTag, historyTag) = (requests[0].tag, requests[1].tag)
        return LayerOutcome(commands: commands + requests.map(BrowseCommand.ask))
    }

    private mutating func read(_ value: AnswerValue, of tag: BrowseRequest.Tag) -> LayerOutcome {
        if tag == detailTag {
            detailTag = nil
            answer = value
            refusal = nil
            target.record = value[DetailResult.record]
            target.isWhole = true
            return .stay
        }
        guard tag == historyTag else { return .unhandled }
        historyTag = nil
        history = value
        return .stay
    }

    /// A record that has gone stays as it was, and its history shows what became of it.
    private mutating func read(_ refusal: Refusal, of tag: BrowseRequest.Tag) -> LayerOutcome {
        if tag == detailTag {
            detailTag = nil
            self.refusal = refusal
            return .stay
        }
        guard tag == historyTag else { return .unhandled }
        historyTag = nil
        return .stay
    }
}
