// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// The connection to the daemon, as a person sees it.
enum LinkState: Equatable, Sendable {
    case connecting
    case connected
    /// The daemon does not answer since a time, in milliseconds since 1970. The connection stands, and what was asked
    /// for may still come.
    case silent(since: Int64)
    /// As ``silent(since:)``, and there is no connection.
    case lost(since: Int64)
}

/// The known state of the daemon: its connection, collections and status, and the times of the next questions.
struct DaemonView: Sendable {
    private(set) var link: LinkState
    /// The roles that the daemon grants, from hello.
    private(set) var roles: Set<String>
    /// The collections in the order of their tabs.
    private(set) var collections: [CollectionDescription]
    /// The newest answer of status; nil before the first.
    private(set) var status: AnswerValue?
    /// Whether the description of the collections has to be asked for again.
    private var isDescriptionDue = false
    /// The time at which the status is asked for again; `.max` while it is.
    private var statusAt: UInt64 = 0
    /// The time from which on the next status asks for the description.
    private var describeAt: UInt64 = 0
    /// The answer that the collections were made of, as JSON.
    private var describedSource = ""

    /// The time between two requests for the status, in nanoseconds.
    private static let statusInterval: UInt64 = 5_000_000_000
    /// The time between two requests for the description, in nanoseconds: a reload may change labels or what can be
    /// written, and nothing reports it.
    private static let descriptionInterval: UInt64 = 30_000_000_000

    init(
        link: LinkState = .connecting, roles: Set<String> = [], collections: [CollectionDescription] = [],
        status: AnswerValue? = nil
    ) {
        self.link = link
        self.roles = roles
        self.collections = collections
        self.status = status
    }

    // MARK: - The connection

    /// Asks for all that is needed on a new connection.
    ///
    /// - Parameter language: the language of the answers; nil for the daemon's own.
    mutating func connect(language: String?, _ requests: inout RequestBook) {
        link = .connected
        var hello = HelloParameters()
        hello.client = "claimsctl browse"
        requests.ask(.hello, hello, for: .hello)
        askDescription(language, &requests)
        askStatus(language, &requests)
    }

    /// Shows that the connection is lost, at a time in milliseconds since 1970.
    mutating func lose(at time: Int64) {
        switch link {
        case .lost: break
        case .silent(let since): link = .lost(since: since)
        case .connecting, .connected: link = .lost(since: time)
        }
    }

    /// Shows that the daemon is silent since a time, in milliseconds since 1970.
    mutating func silent(since time: Int64) {
        if link == .connected { link = .silent(since: time) }
    }

    /// Shows that it has sent something again.
    mutating func answering() {
        if case .silent = link { link = .connected }
    }

    // MARK: - Requests

    /// The time of the next request for the status; nil while one is under way.
    var nextTime: UInt64? { statusAt < .max ? statusAt : nil }

    /// Asks for what is due.
    mutating func pursue(at now: UInt64, language: String?, _ requests: inout RequestBook) {
        if isDescriptionDue { askDescription(language, &requests) }
        if now >= statusAt { askStatus(language, &requests) }
    }

    private mutating func askStatus(_ language: String?, _ requests: inout RequestBook) {
        statusAt = .max
        var parameters = StatusParameters()
        parameters.language = language
        requests.ask(.status, parameters, for: .status)
    }

    private mutating func askDescription(_ language: String?, _ requests: inout RequestBook) {
        isDescriptionDue = false
        guard !requests.isAsking(.describe) else { return }
        var parameters = DescribeParameters()
        parameters.language = language
        requests.ask(.describe, parameters, for: .describe)
    }

    /// Asks for the status at once: something has changed.
    mutating func hurryStatus(at now: UInt64) { statusAt = min(statusAt, now) }

    /// Asks for the description again.
    mutating func needDescription() { isDescriptionDue = true }

    // MARK: - Answers

    mutating func read(hello answer: AnswerValue) {
        roles = Set((answer[HelloResult.you]?["roles"]?.elements ?? []).compactMap(\.string))
    }

    /// Reads the status.
    ///
    /// - Returns: the states of the collections that it names.
    mutating func read(status answer: AnswerValue, at now: UInt64) -> [(name: String, meta: AnswerMeta)] {
        status = answer
        statusEnded(at: now)
        let entries = answer[StatusResult.collections]
        // A reload shows here first.
        let names = Set(entries.compactMap { $0[StatusResult.Collection.name] })
        if names != Set(collections.map(\.name)) || now >= describeAt { isDescriptionDue = true }
        return entries.compactMap { entry in
            guard let name = entry[StatusResult.Collection.name],
                let meta = AnswerMeta(entry[StatusResult.Collection.meta])
            else { return nil }
            return (name, meta)
        }
    }

    /// The status was answered or refused.
    mutating func statusEnded(at now: UInt64) { statusAt = now + Self.statusInterval }

    /// Reads the description of the collections.
    ///
    /// - Returns: whether it differs from the one before; the collections are made of it then, or if `isFirst`.
    mutating func read(description answer: AnswerValue, isFirst: Bool, at now: UInt64) -> Bool {
        describeAt = now + Self.descriptionInterval
        let source = answer.source
        guard source != describedSource || isFirst else { return false }
        describedSource = source
        collections = answer[DescribeResult.collections].compactMap { CollectionDescription($0) }
        return true
    }
}
