// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The list of each collection that was shown, by the collection's name, and the changes to the query of the shown one.
struct BrowseLists: Sendable {
    private var states: [String: ListState]
    private var editing = QueryEditing()

    init(_ states: [String: ListState] = [:]) { self.states = states }

    /// The list of a collection; nil for one that was not shown.
    subscript(name: String) -> ListState? { states[name] }

    /// The names of the collections.
    var names: [String] { states.keys.sorted() }

    /// The collection whose list has the subscription of a number.
    func name(ofSubscription number: Int64) -> String? {
        states.first { $0.value.subscriptionNumber == number }?.key
    }

    /// Has a list decide something; a new list where there is none.
    mutating func decide<Result>(
        _ context: inout ListContext, _ body: (inout QueryEditing, inout ListState, inout ListContext) -> Result
    ) -> Result {
        body(&editing, &states[context.name, default: ListState(collection: context.name)], &context)
    }

    /// Forgets the list of a collection that is gone.
    mutating func remove(_ name: String) { states[name] = nil }

    /// Forgets what led to the query of the shown list: another one is shown.
    mutating func endEditing() { editing.end() }

    /// Forgets what was under way on a lost connection.
    mutating func lose() {
        for name in states.keys { states[name]?.lose() }
    }

    // MARK: - Refreshes

    /// Sends a refresh, and shows that it runs.
    ///
    /// - Parameters:
    ///   - name: the collection; nil for all.
    ///   - isAsked: whether a notice reports the outcome.
    ///   - isAccepted: whether what the guard holds is accepted.
    mutating func askRefresh(
        _ name: String?, isAsked: Bool, isAccepted: Bool, by person: BrowsePerson, at moment: BrowseMoment,
        _ requests: inout RequestBook
    ) {
        var parameters = RefreshParameters()
        parameters.collection = name
        parameters.isWaiting = true
        parameters.isWatching = true
        parameters.isAccepted = isAccepted
        parameters.language = person.language
        requests.ask(.refresh, parameters, for: .refresh(name, isAsked: isAsked))
        for name in name.map({ [$0] }) ?? names {
            states[name, default: ListState(collection: name)].condition.refreshAsked(at: moment.wall)
        }
    }

    /// Shows how far the refresh of a collection is.
    mutating func refreshed(_ name: String, to progress: RefreshProgress) {
        states[name]?.condition.refreshed(to: progress)
    }

    /// Shows that the refresh of a collection is done; nil for all.
    mutating func endRefresh(_ name: String?) {
        for name in name.map({ [$0] }) ?? names { states[name]?.condition.endRefresh() }
    }
}
