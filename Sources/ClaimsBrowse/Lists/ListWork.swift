// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

/// The requests of a list that are under way, and what it waits for.
struct ListWork: Sendable {
    /// The records that are to replace the rows; nil for none.
    var jump: ListJump?
    /// The request of the jump; nil before it is sent, and between two tries.
    var jumpTag: BrowseRequest.Tag?
    /// The question that the jump was sent with.
    var askedQuery = ListQuery()
    /// The page of the jump that waits for the page before it.
    var staged: ListPage?
    /// The request for the page after the rows.
    var forward: BrowseRequest.Tag?
    /// The request for the page before the rows.
    var backward: BrowseRequest.Tag?
    /// The request for the rows once more, after a subscription.
    var comparison: BrowseRequest.Tag?
    /// The request whether the text that no record has is the id of one.
    var namesake: BrowseRequest.Tag?
    /// The filter that was typed and is asked for with Enter, as its last term is a lone name so far.
    var heldFilter: String?
    /// The rows that were shown before the line of input changed the question; nil before it does.
    var lineReturn: ListJump?
    /// The rows that were shown before the search and the filter; nil where there is neither.
    var queryReturn: ListJump?
    /// The time of the last jump that was sent, in nanoseconds of the monotonic clock.
    var lastAsked: UInt64?
    /// The time since which a question has no answer.
    var waitingSince: UInt64?
    /// The time before which nothing is asked again, after a refusal that passes.
    var retryAt: UInt64?

    /// The number of the question, which rises with each that has another set.
    var question = 0
    /// The time at which a subscription is asked for; nil where none is wanted.
    var subscribeAt: UInt64?
    var subscribing: BrowseRequest.Tag?
    /// The number of the subscription; nil without one.
    var subscription: Int64?
    /// The clock of the rows with their marks, from which a subscription can go on; nil where there was none.
    var clock: String?
    /// The sequence up to which the rows and the total have all changes.
    var knownSequence: Int64 = 0
    /// The entries since the oldest request that is under way was sent, by id.
    var recent: [String: RecentEntry] = [:]
    /// The ids that were changed here, whose entries are no news.
    var own: Set<String> = []
    /// The ids that records have now, by those they had.
    var renamed: [String: String] = [:]
    /// The rows that a move still has to go, as they were not there; negative: upwards.
    var owed = 0

    /// The maximum number of entries that are kept for requests under way.
    static let maxRecent = 4096
    /// The maximum number of own and renamed ids that are remembered.
    static let maxRemembered = 1000

    /// Whether rows are on their way.
    var awaitsRows: Bool { jumpTag != nil || forward != nil || backward != nil || comparison != nil }

    /// The tags of all requests under way.
    var tags: [BrowseRequest.Tag] {
        [jumpTag, forward, backward, comparison, namesake, subscribing].compactMap(\.self)
    }

    /// Forgets the requests of a lost connection. The jump and the typed filter stay.
    mutating func lost() {
        (jumpTag, staged, forward, backward, comparison, subscribing) = (nil, nil, nil, nil, nil, nil)
        (namesake, subscription, subscribeAt, retryAt) = (nil, nil, nil, nil)
        recent = [:]
    }
}

/// The records that are to replace the rows of a list.
struct ListJump: Equatable, Sendable {
    enum Target: Equatable, Sendable {
        /// The first records; the first one is selected.
        case start
        /// The last records; the last one is selected.
        case end
        /// The records around one, which is selected, on a line counted from the top of the list, from 0.
        case record(String, line: Int)
        /// The records from a rank on, the first of which is selected.
        case rank(Int)
    }

    var target: Target
    /// The ids that followed the record, in their order: if it is gone, the first that is found takes its place.
    var followers: [String] = []
    /// Whether it comes from a key in a line of input; such requests have a shortest interval.
    var isTyped = false
    /// Whether a further move takes its place: it only goes elsewhere in the same list.
    var isMove = false

    /// The maximum number of followers that are looked for.
    static let maxFollowers = 8
}

/// An entry of the feed that rows under way may not have.
struct RecentEntry: Sendable {
    let sequence: Int64
    /// The record as it is now; nil for one that left the set.
    let record: AnswerValue?
    /// The reason why it left; empty for one that is in the set.
    let reason: String
    /// Whether it came into the set.
    let isAddition: Bool
}
