// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore
import Synchronization

/// The records of a collection that answers, or a part of an answer, have shown.
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

/// The ids of records that were shown, in their order, including repeated ones. Their bytes are kept in one array,
/// because an answer may have ten thousand.
struct ShownIDs: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// The number of records.
    var count: Int { ends.count }

    /// Adds a record. The id of a record that was just created is not known, so it is empty.
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
    /// The known facts about the process.
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

    /// The known facts; nil before ``find()``.
    var facts: Facts? { state.withLock { $0.facts } }

    /// Whether this is the first call, so that the caller has to examine the process.
    func claim() -> Bool {
        state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
    }

    /// Looks at the process, if it still runs.
    func find() {
        let facts = Facts(unit: ProcessUnit.name(of: process), login: ProcessLogin.user(of: process))
        // The process may have ended and its number been given to a new one. A process that started before the
        // connection is the peer.
        let isPeer = ProcessState(process)?.hasStarted(before: connectedAt) ?? false
        state.withLock { $0.facts = isPeer ? facts : Facts() }
    }
}
