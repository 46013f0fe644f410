// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// The decisions of browse: an event changes the state, and asks for commands. It reads no clock and touches nothing.
///
/// ```swift
/// var model = BrowseModel(BrowseState(person: person), start: start)
/// let commands = model.take(.input(.key(.down)), at: moment)
/// let frame = BrowseRenderer.frame(of: model.state)
/// ```
struct BrowseModel: Sendable {
    var state: BrowseState
    /// The time of the monotonic clock at which the model wants `BrowseEvent.woken`; nil for never.
    var wakeAt: UInt64?

    init(_ state: BrowseState) { self.state = state }

    /// Takes an event, and returns what is to be done, in its order.
    mutating func take(_ event: BrowseEvent, at moment: BrowseMoment) -> [BrowseCommand] {
        state.moment = moment
        if case .resized(let size) = event { state.size = size }
        return []
    }
}
