// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a client may ask for at most.
public struct ServingLimits: Sendable, Hashable {
    /// Bytes of a request line, without its newline.
    public var line: Int
    /// Containers that may be open at once in a request or a record.
    public var depth: Int
    /// Bytes of a filter.
    public var filter: Int
    /// Terms of a filter; each value of a list is one.
    public var terms: Int
    /// Parentheses and `not`s that may be open at once in a filter.
    public var filterDepth: Int
    public var clients: Int
    public var clientsPerUser: Int
    /// Requests of one connection being worked on.
    public var inFlight: Int
    /// Bytes that wait to be sent on one connection before no further request of it is started.
    public var unsent: Int
    /// Subscriptions of one connection.
    public var subscriptions: Int
    /// How long a query may run.
    public var request: Duration
    /// Bytes of an answer; a page that would be larger ends early.
    public var answer: Int

    public init(
        line: Int = 1 << 20, depth: Int = 64, filter: Int = 4096, terms: Int = 256, filterDepth: Int = 32,
        clients: Int = 1024, clientsPerUser: Int = 128, inFlight: Int = 32, unsent: Int = 1 << 20,
        subscriptions: Int = 64, request: Duration = .seconds(10), answer: Int = 16 << 20
    ) {
        self.line = line
        self.depth = depth
        self.filter = filter
        self.terms = terms
        self.filterDepth = filterDepth
        self.clients = clients
        self.clientsPerUser = clientsPerUser
        self.inFlight = inFlight
        self.unsent = unsent
        self.subscriptions = subscriptions
        self.request = request
        self.answer = answer
    }
}
