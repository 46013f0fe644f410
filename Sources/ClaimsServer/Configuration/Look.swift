// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore
import Synchronization

/// What answers, or a part of one, have shown of a collection.
struct Look {
    let method: Method
    /// The number of requests; 0 for a later part of an answer.
    var requests = 1
    var shown = ShownIDs()
    /// The number of ids that were asked for and are not there.
    var misses = 0
    /// The number of refusals by rules.
    var refused = 0

    init(_ method: Method, requests: Int = 1, shown: ShownIDs = ShownIDs(), misses: Int = 0, refused: Int = 0) {
        self.method = method
        self.requests = requests
        self.shown = shown
        self.misses = misses
        self.refused = refused
    }

    /// A look at one record.
    init(_ method: Method, at id: RawSpan) {
        self.init(method)
        shown.append(id)
    }
}

/// The ids of records that were shown, in their order, repeated ones too. They lie one after the other, because an answer
/// may have ten thousand.
struct ShownIDs: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// The number of records.
    var count: Int { ends.count }

    /// Adds a record. Nothing is known of the id of one that was just created, so that it is empty.
    mutating func append(_ id: RawSpan) {
        bytes.append(bytes: id)
        ends.append(bytes.count)
    }

    mutating func append(_ others: ShownIDs) {
        let start = bytes.count
        bytes += others.bytes
        for end in others.ends { ends.append(start + end) }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    func forEach(_ body: (RawSpan) -> Void) {
        var start = 0
        for end in ends {
            body(bytes.rawSpan.extracting(start..<end))
            start = end
        }
    }
}

/// The process that has made a connection, as the journal names it: its unit, and who logged in before any sudo.
///
/// ``find()`` reads files of the kernel, which may wait for its locks; no loop calls it. Safe on any thread.
final class PeerOrigin: Sendable {
    /// What is known of the process.
    struct Facts: Hashable, Sendable {
        /// The system's unit that the process belongs to.
        var unit: String?
        /// The number of the user who logged in.
        var login: UInt32?
    }

    private struct State {
        var isAsked = false
        var facts: Facts?
    }

    private let process: Int32
    /// The time when it was connected, in nanoseconds since the boot.
    private let connectedAt: UInt64
    private let state = Mutex(State())

    init(process: Int32, connectedAt: UInt64 = SystemClock.sinceBoot) {
        self.process = process
        self.connectedAt = connectedAt
    }

    /// What is known; nil before ``find()``.
    var facts: Facts? { state.withLock { $0.facts } }

    /// Whether nobody has called this before, so that the caller has the process looked at.
    func claim() -> Bool {
        state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
    }

    /// Looks at the process, if it still runs.
    func find() {
        let facts = Facts(unit: ProcessUnit.name(of: process), login: ProcessLogin.user(of: process))
        // It may have ended, and its number be another's, who began later. One that still runs is the one that was read.
        let isPeer = ProcessState(process)?.hasStarted(before: connectedAt) ?? false
        state.withLock { $0.facts = isPeer ? facts : Facts() }
    }
}
