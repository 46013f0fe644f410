// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The pauses between attempts to reach a daemon that has gone away: each is twice the last one, up to the longest.
///
/// ```swift
/// var pace = ReconnectionPace(.daemon)
/// while !isConnected() { sleep(pace.next()) }
/// pace.succeeded()
/// ```
package struct ReconnectionPace: Sendable {
    /// The shortest and the longest pause.
    package struct Bounds: Sendable {
        package let min: Duration
        package let max: Duration

        /// A daemon of this host.
        package static let daemon = Bounds(min: .milliseconds(50), max: .seconds(2))
        /// A daemon of another host: each attempt is a login there.
        package static let host = Bounds(min: .milliseconds(250), max: .seconds(30))
        /// A daemon that a person looks at: the screen shows the loss meanwhile.
        package static let person = Bounds(min: .milliseconds(200), max: .seconds(5))
    }

    private let bounds: Bounds
    /// The next pause.
    package private(set) var pause: Duration

    package init(_ bounds: Bounds) {
        self.bounds = bounds
        pause = bounds.min
    }

    /// The pause before the next attempt; the one after it is longer.
    package mutating func next() -> Duration {
        defer { pause = min(pause * 2, bounds.max) }
        return pause
    }

    /// Begins with the shortest pause again: the daemon has answered.
    package mutating func succeeded() { pause = bounds.min }
}
