// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol
import ClaimsTerminal

/// All that a list reads for a decision, where its requests go, and what the decision means elsewhere.
struct ListContext: Sendable {
    /// The name of the list's collection.
    let name: String
    /// The collection; nil for one that the daemon does not have any more.
    let collection: CollectionDescription?
    let person: BrowsePerson
    let moment: BrowseMoment
    let regions: ScreenRegions
    let time: LocalTime
    /// Whether there is room for a detail beside the list.
    var isWide = false
    /// Whether the list is the one that is shown.
    var isShown = false
    /// Whether the line of input for the list's filter is open.
    var isTypingFilter = false
    var requests: RequestBook
    /// The consequences for the rest of the screen.
    var outcome = ListOutcome()

    var messages: Messages { time.messages }

    /// Sends a request of the list, whose answer comes back with its question.
    mutating func ask(
        _ method: Method, _ parameters: some MethodParameters, for question: ListQuestion
    ) -> BrowseRequest.Tag {
        requests.ask(method, parameters, for: .list(name, question))
    }
}

/// The consequences of a list's decision for the rest of the screen.
struct ListOutcome: Sendable {
    var notice: Notice?
    /// Whether the detail beside the list, or over it, shows the selected record now.
    var followsSelection = false
    /// Whether the description of the collections has to be asked for again.
    var needsDescription = false
    /// Whether the keys that wait for rows are dropped.
    var dropsKeys = false
    /// Whether no key that was typed before the outcome is seen may answer it.
    var interruptsKeys = false
    /// The mistake in the filter that is being typed.
    var inputProblem: InputProblem?
    /// Whether the refresh of the collection is to be joined, which brings its first records.
    var joinsRefresh = false
    /// The ids of records that have changed, by the feed.
    var changedIDs: [String] = []
}

/// A change of records that was made here.
enum LocalChange: Sendable {
    /// They were archived, or taken out of the archive.
    case archived([String], isArchived: Bool)
    case deleted([String])
    /// A record was made or changed; a made one is selected if it is in the list.
    case written(String, isNew: Bool)
}
