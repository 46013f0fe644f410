// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// The decisions of browse: an event changes the state and gives commands. No input, no output, no clock.
///
/// ```swift
/// var model = BrowseModel(BrowseState(person: person), start: start)
/// let commands = model.take(.input(.key(.down)), at: moment)
/// let frame = BrowseRenderer.frame(of: model.state)
/// ```
struct BrowseModel: Sendable {
    var state: BrowseState
    /// The time of the monotonic clock at which `BrowseEvent.woken` is due; nil for never.
    private(set) var wakeAt: UInt64?
    /// The collection and query to begin with; nil once they are shown.
    var start: BrowseStart?
    /// The requests under way that are not those of a layer.
    var pending: [BrowseRequest.Tag: RequestPurpose] = [:]
    /// The commands of the event that is being taken.
    var commands: [BrowseCommand] = []
    /// The keys that wait for rows.
    var keys = KeyQueue()
    /// Whether the last event has shown an error to a key, a question or a form: no key that was typed before that was
    /// seen may answer it.
    var hasInterrupted = false
    /// The time at which status is asked for again.
    var statusAt: UInt64 = 0
    /// Whether the description of the collections has to be asked for again.
    var isDescriptionDue = false
    /// The time from which on the next status asks for it.
    var describeAt: UInt64 = 0
    /// The answer that the collections were made of, as JSON.
    var describedSource = ""

    init(_ state: BrowseState, start: BrowseStart = BrowseStart()) {
        self.state = state
        self.start = start
    }

    /// Takes an event, and returns what is to be done, in its order.
    mutating func take(_ event: BrowseEvent, at moment: BrowseMoment) -> [BrowseCommand] {
        state.moment = moment
        hasInterrupted = false
        if case .input(let input) = event { take(input) } else { watch { $0.handle(event) } }
        obeyKeys()
        pursue()
        state.keepFit()
        wakeAt = nextWake
        defer { commands = [] }
        return commands
    }

    private mutating func handle(_ event: BrowseEvent) {
        switch event {
        case .input: break
        case .resized(let size):
            state.size = size
            revealSelection()
        case .woken: inform(.woken)
        case .connected: connect()
        case .lost: lose()
        case .silent(let since):
            keys.removeAll()
            if state.link == .connected { state.link = .silent(since: wallTime(of: since)) }
        case .answering: if case .silent = state.link { state.link = .connected }
        case .answered(let tag, let answer):
            if let purpose = pending.removeValue(forKey: tag) {
                take(answer, for: purpose)
            } else {
                inform(.answered(tag, answer))
            }
        case .refused(let tag, let refusal):
            if let purpose = pending.removeValue(forKey: tag) {
                take(refusal, for: purpose)
            } else {
                inform(.refused(tag, refusal))
            }
        case .notified(let line): take(notification: line)
        case .performed(let outcome): inform(.performed(outcome))
        }
    }

    /// Whether the shown list waits for the rows of its question.
    var areRowsAwaited: Bool { state.shownCollection.flatMap { state.lists[$0]?.work.waitingSince } != nil }

    /// Sends a request, whose answer comes back with its purpose.
    @discardableResult
    mutating func ask(
        _ method: Method, _ parameters: some MethodParameters, for purpose: RequestPurpose
    ) -> BrowseRequest.Tag {
        let request = state.requests.request(method, parameters)
        pending[request.tag] = purpose
        commands.append(.ask(request))
        return request.tag
    }

    /// Gives up a request that is under way.
    mutating func cancel(_ tag: BrowseRequest.Tag?) {
        guard let tag, pending.removeValue(forKey: tag) != nil else { return }
        commands.append(.cancel(tag))
    }

    private mutating func take(_ answer: AnswerValue, for purpose: RequestPurpose) {
        switch purpose {
        case .hello: state.roles = Set((answer[HelloResult.you]?["roles"]?.elements ?? []).compactMap(\.string))
        case .describe: takeDescription(answer)
        case .status: takeStatus(answer)
        case .jump(let name): jumpAnswered(name, answer)
        case .jumpBefore(let name): jumpCompleted(name, answer)
        case .forward(let name), .backward(let name): windowAnswered(name, answer, isForward: purpose == .forward(name))
        case .comparison(let name, let id): compared(name, answer, from: id)
        case .namesake(let name, let id): namesakeAnswered(name, id: id, answer[DetailResult.record])
        case .subscribe(let name, let question): subscribed(name, answer, question: question)
        case .unsubscribe: break
        case .refresh(let name, let isAsked): refreshed(name, answer, isAsked: isAsked)
        }
    }

    private mutating func take(_ refusal: Refusal, for purpose: RequestPurpose) {
        switch purpose {
        // The next status shows that the description is missing.
        case .hello, .unsubscribe, .describe: break
        case .status: statusAt = state.moment.monotonic + Self.statusInterval
        case .jump(let name), .jumpBefore(let name): jumpRefused(name, refusal)
        case .forward(let name), .backward(let name): windowRefused(name, refusal)
        case .comparison(let name, _): state[name].work.comparison = nil
        case .namesake(let name, let id): namesakeAnswered(name, id: id, nil)
        case .subscribe(let name, let question): subscriptionRefused(name, refusal, question: question)
        case .refresh(let name, let isAsked): refreshRefused(name, refusal, isAsked: isAsked)
        }
    }
}

extension BrowseState {
    /// The list of a collection; a new one where there is none.
    subscript(collection: String) -> ListState {
        get { lists[collection] ?? ListState(collection: collection) }
        _modify { yield &lists[collection, default: ListState(collection: collection)] }
    }

    /// The description of a collection; nil for one that the daemon does not have.
    func description(of collection: String) -> CollectionDescription? {
        collections.first { $0.name == collection }
    }

    /// The collection whose list is shown; nil on another tab.
    var shownCollection: String? {
        if case .collection(let name) = tab { name } else { nil }
    }
}
