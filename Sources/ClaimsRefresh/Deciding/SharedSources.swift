// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsModel
public import ClaimsStore
public import ClaimsUpstream

/// The sources that several hosts share, so that one of them asks the upstream for all. It decides for each of them
/// whether this host asks, and gives the data of the host that did.
public protocol SharedSources: AnyObject, Sendable {
    /// Whether a source is shared. All other calls concern shared sources.
    func shares(_ source: SourceID) -> Bool

    /// The time from which this host may ask the upstream. The schedule uses it.
    ///
    /// - Parameter now: milliseconds since 1970.
    func permission(toAsk source: SourceID, now: Int64) -> AskPermission

    /// Decides where the answer of a refresh comes from, and fetches it if it comes from another host. It may wait for
    /// the network.
    func step(for question: SharedQuestion) -> SharedStep

    /// Records erased records of another host that cannot be erased here yet: they come again with the next answer.
    func postponed(_ ids: [[UInt8]], of source: SourceID)

    /// Records that records of a collection were erased: nothing that this host publishes has them after that.
    func forgot(in collection: String)

    /// Handles the end of a refresh, before the next one of its source begins: the records that this host has asked for
    /// are published.
    func ended(_ report: RefreshReport)

    /// Whether the upstream's answer counts. It does not count if another host has published something meanwhile.
    func accepts(_ permit: AskPermit, of source: SourceID) -> Bool
}

/// The right of a host to ask the upstream of a shared source.
public enum AskPermission: Sendable, Equatable {
    /// Whenever the source is due: this host asks for all.
    case bySchedule
    /// This host may ask from that time on, in milliseconds since 1970, because nothing was heard of the host that
    /// asks.
    case from(Int64)
    case never
}

/// A refresh of a shared source.
public struct SharedQuestion: Sendable {
    public let source: SourceID
    public let definition: Definition
    /// The source as it is known.
    public let known: SourceRow
    /// Whether there is data to compare with.
    public let hasData: Bool
    public let options: RefreshOptions
    /// Whether this host's own last request lets it ask the upstream again by now.
    public let isFreeToAsk: Bool
    public let cancellation: HTTPCancellation
    /// Milliseconds since 1970.
    public let now: Int64
}

/// The permit to ask an upstream once.
public struct AskPermit: Sendable, Equatable {
    /// Identifies it.
    public let number: UInt64
    /// The time after which the request counts as begun, in milliseconds since 1970: the time of the newest data of all
    /// hosts.
    public let floor: Int64

    public init(number: UInt64, floor: Int64) {
        self.number = number
        self.floor = floor
    }
}

/// The source of a refresh's answer.
public enum SharedStep: Sendable {
    /// The upstream, which this host asks.
    case ask(AskPermit)
    /// There is nothing new, because of a failure; nil: the data here is the newest.
    case nothing(Failure?)
    /// Another host confirms the data here, or names the reason why there is none newer.
    case confirmed(SharedState)
    /// Another host, whose records are here.
    case answer(SharedAnswer)
    /// The data stays as it is, for that reason; nil: an earlier reason holds no more.
    case failed(Failure?)
    case cancelled
}

/// The state of a source as another host has published it.
public struct SharedState: Sendable {
    /// The name of the state, so that later answers can give the changes since.
    public var position: SourceRow.Position
    /// Names the records.
    public var records: String
    /// The time at which the upstream confirmed the data, in milliseconds since 1970.
    public var asOf: Int64
    public var fullAsOf: Int64?
    /// The time of the next request to the upstream, in milliseconds since 1970.
    public var next: Int64?
    /// The failure for which the data is not newer.
    public var error: Failure?
    /// Names the values that records are joined with; nil without a join.
    public var join: String?

    public init(
        position: SourceRow.Position, records: String, asOf: Int64, fullAsOf: Int64?, next: Int64?, error: Failure?,
        join: String?
    ) {
        self.position = position
        self.records = records
        self.asOf = asOf
        self.fullAsOf = fullAsOf
        self.next = next
        self.error = error
        self.join = join
    }
}

/// Records that another host has published.
public struct SharedAnswer: Sendable {
    public var state: SharedState
    /// Whether the answer has only the changes since the state here.
    public var isIncremental: Bool
    /// Objects with the members `records` and `deleted`.
    public var pages: [FetchedBody]
    /// The number of records of an answer with all; another number is a fault.
    public var records: Int?
    /// The values that records are joined with, in the form of `JoinTable.stored`; nil if they have not changed.
    public var joined: [UInt8]?
    /// The ids of records that were erased there, and are erased here before the answer is taken in.
    public var forgotten: [[UInt8]]

    public init(
        state: SharedState, isIncremental: Bool, pages: [FetchedBody], records: Int?, joined: [UInt8]?,
        forgotten: [[UInt8]] = []
    ) {
        self.state = state
        self.isIncremental = isIncremental
        self.pages = pages
        self.records = records
        self.joined = joined
        self.forgotten = forgotten
    }

    /// The pointer to the records in a page.
    static let root = JSONPointer(tokens: [Array("records".utf8)])
    /// The rule for the ids of gone records in a page.
    static let deleted = DeletionRule.ids(JSONPointer(tokens: [Array("deleted".utf8)]))
}

extension SourceUpdate {
    /// Returns the row after another host has said how the source is.
    ///
    /// - Parameter isNew: whether it brought records.
    func row(after state: SharedState, isNew: Bool) -> SourceRow {
        var row = known
        row.endedAt = now
        // A host whose own request has failed waits for its next one, if the host that asks has failed as well.
        if isNew || state.error == nil || known.failures == 0 {
            (row.triedKey, row.failures, row.retryAfter, row.freshUntil) = (0, 0, nil, nil)
            row.due = state.next
        }
        row.origin = requests.records.origin
        row.asOf = state.asOf
        if isNew { row.fetchedAt = now }
        row.held = nil
        row.bodyHash = nil
        // An own answer that is older than this data is refused.
        row.validators = SourceRow.Validators(key: requests.records.key)
        (row.joinHash, row.joinValidators) = (state.join, SourceRow.Validators())
        row.lastError = state.error
        row.position = state.position
        row.full = SourceRow.FullRequests()
        row.full.asOf = state.fullAsOf
        return row
    }

    /// Returns the row after an answer of another host could not be taken: it is tried again as soon as there is another.
    func untaken(_ failure: Failure?) -> SourceRow {
        var row = known
        row.lastError = failure
        row.lastError?.site = row.site
        return row
    }
}
