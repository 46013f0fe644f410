// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A disturbance of a fleet. Times are in milliseconds since 1970.
struct SoakEvent {
    enum Kind: String, CaseIterable {
        /// A leader is killed, and started later.
        case killed
        /// A leader gets SIGSTOP, and SIGCONT later.
        case stopped
        /// A leader is killed, and started with an older copy of its state, and at times of the files that it serves.
        case restored
        /// A leader reaches the upstream no more.
        case cut
        /// A leader gets no answer from the upstream.
        case stalled
        /// The web server of a leader does not run.
        case unserved
        /// The address of a leader has an old copy of its folder.
        case frozen
        /// Another host is killed, and started at once.
        case restarted
        /// The upstream refuses all.
        case refusing
    }

    let kind: Kind
    /// Empty where it is of all.
    let host: String
    let began: Int64
    /// nil while it goes on.
    var ended: Int64?

    /// Whether a kind is between one leader and the upstream.
    static func isOfUpstream(_ kind: Kind) -> Bool { kind == .cut || kind == .stalled }

    /// Whether it goes on, or ended less than so many milliseconds ago.
    func isFelt(at now: Int64, for time: Int64) -> Bool { ended.map { now - $0 < time } ?? true }

    /// Whether a leader may not do its part.
    var isOfLeader: Bool { kind != .restarted && kind != .refusing }

    /// Whether another host may not see the leader's head.
    var isOfAddress: Bool { kind == .unserved || kind == .frozen }

    /// Whether the leader's process does not go on as it was.
    var isOfProcess: Bool { kind == .killed || kind == .stopped || kind == .restored || kind == .restarted }
}

/// All disturbances of a fleet so far.
struct SoakHistory {
    private(set) var events: [SoakEvent] = []

    mutating func begin(_ kind: SoakEvent.Kind, _ host: String, at now: Int64) {
        events.append(SoakEvent(kind: kind, host: host, began: now))
    }

    mutating func end(_ kind: SoakEvent.Kind, _ host: String, at now: Int64) {
        for index in events.indices where events[index].kind == kind && events[index].host == host {
            if events[index].ended == nil { events[index].ended = now }
        }
    }

    var active: [SoakEvent] { events.filter { $0.ended == nil } }

    /// Whether something of these kinds has happened to a host, or to all, in the last so many milliseconds.
    func has(_ kinds: [SoakEvent.Kind], _ host: String?, at now: Int64, for time: Int64) -> Bool {
        events.contains { event in
            kinds.contains(event.kind) && (host == nil || event.host == host || event.host.isEmpty)
                && event.isFelt(at: now, for: time)
        }
    }

    /// Whether a leader has been able to do all its part for so many milliseconds.
    func isAble(_ leader: String, at now: Int64, for time: Int64) -> Bool {
        !has(SoakEvent.Kind.allCases, leader, at: now, for: time)
    }
}
