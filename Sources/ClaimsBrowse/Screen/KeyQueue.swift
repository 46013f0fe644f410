// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The keys that wait for the rows they are about, in the order in which they were typed.
struct KeyQueue: Sendable {
    /// The maximum number of keys that wait; further ones are dropped.
    static let maxKeys = 64

    private var inputs: [InputEvent] = []
    /// The time of the monotonic clock at which the oldest key came, in nanoseconds; nil if none waits.
    private(set) var since: UInt64?

    var isEmpty: Bool { inputs.isEmpty }
    /// The oldest key; nil if none waits.
    var first: InputEvent? { inputs.first }

    mutating func append(_ input: InputEvent, at now: UInt64) {
        guard inputs.count < Self.maxKeys else { return }
        inputs.append(input)
        since = since ?? now
    }

    mutating func removeFirst() {
        inputs.removeFirst()
        if inputs.isEmpty { since = nil }
    }

    mutating func removeAll() { self = KeyQueue() }
}

extension InputEvent {
    /// Whether it means the same everywhere, also where text is typed, and never waits.
    var isImmediate: Bool {
        switch self {
        case .key(.control("c")), .key(.control("l")), .key(.control("z")): true
        default: false
        }
    }
}
