// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// The reason of a request of the model, by which its answer finds the right decision.
enum RequestPurpose: Equatable, Sendable {
    case hello
    case describe
    case status
    /// A request of the list of a collection.
    case list(String, ListQuestion)
    case unsubscribe
    /// A refresh of a collection, or of all; `isAsked` is whether a notice reports its outcome.
    case refresh(String?, isAsked: Bool)
}

/// The reason of a request of a list.
enum ListQuestion: Equatable, Sendable {
    /// The records that the list jumps to.
    case jump
    /// The page before these, so that the selection can stay on its line.
    case pageBeforeJump
    /// The page after the rows.
    case pageAfter
    /// The page before them.
    case pageBefore
    /// The rows once more, from the one of an id on.
    case comparison(from: String)
    /// The record whose id the list was searched for in vain.
    case namesake(id: String)
    /// The changes of the list, for the query of that number.
    case subscription(Int)
}

/// The requests of the model that are under way, by their purpose, and the commands of the present event.
struct RequestBook: Sendable {
    /// The source of tags and UUIDs, which the layers use for requests of their own.
    var source: RequestSource
    private var pending: [BrowseRequest.Tag: RequestPurpose] = [:]
    private var commands: [BrowseCommand] = []

    init(_ source: RequestSource) { self.source = source }

    /// Sends a request, whose answer comes back with its purpose.
    @discardableResult
    mutating func ask(
        _ method: Method, _ parameters: some MethodParameters, for purpose: RequestPurpose
    ) -> BrowseRequest.Tag {
        let request = source.request(method, parameters)
        pending[request.tag] = purpose
        commands.append(.ask(request))
        return request.tag
    }

    /// Gives up a request that is under way.
    mutating func cancel(_ tag: BrowseRequest.Tag?) {
        guard let tag, pending.removeValue(forKey: tag) != nil else { return }
        commands.append(.cancel(tag))
    }

    /// Ends the request of a tag, which was answered.
    ///
    /// - Returns: its purpose; nil for a request of a layer.
    mutating func close(_ tag: BrowseRequest.Tag) -> RequestPurpose? { pending.removeValue(forKey: tag) }

    /// Whether a request of that purpose is under way.
    func isAsking(_ purpose: RequestPurpose) -> Bool { pending.values.contains(purpose) }

    /// Forgets the requests of a lost connection.
    mutating func lose() { pending = [:] }

    /// Adds commands that are no requests of the model.
    mutating func add(_ commands: BrowseCommand...) { self.commands += commands }
    mutating func add(_ commands: [BrowseCommand]) { self.commands += commands }

    /// The commands since the last call, in their order.
    mutating func drainCommands() -> [BrowseCommand] {
        defer { commands = [] }
        return commands
    }
}
