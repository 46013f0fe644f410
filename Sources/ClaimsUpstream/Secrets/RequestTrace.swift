// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsPlatform
import Synchronization

/// Remembers the requests of one refresh or trial, and the secrets that they carried. Safe on any thread.
public final class RequestTrace: Sendable {
    /// One request and its answer.
    public struct Entry: Sendable, Equatable {
        public let method: HTTPMethod
        public let url: String
        /// The status of the answer; nil if there was none.
        public let status: Int?
        public let duration: Duration
        /// The size of the answer as received, in bytes.
        public let bytes: Int
        /// Whether a body came that can be read, and that is no token.
        public let isGood: Bool

        public init(
            method: HTTPMethod, url: String, status: Int?, duration: Duration, bytes: Int, isGood: Bool
        ) {
            self.method = method
            self.url = url
            self.status = status
            self.duration = duration
            self.bytes = bytes
            self.isGood = isGood
        }
    }

    /// The maximal number of requests that are remembered.
    public static let maxEntries = 20

    private struct State {
        var entries: [Entry] = []
        var count = 0
        var secrets: Set<[UInt8]> = []
    }

    private let state = Mutex(State())
    /// The body of the last request that was refused.
    public let refusal = RefusedBody()
    /// Whether the bodies of refusals are read. A trial shows them.
    let keepsRefusals: Bool

    public init(keepsRefusals: Bool = true) {
        self.keepsRefusals = keepsRefusals
    }

    /// The first requests, in the order of their ends.
    public var entries: [Entry] { state.withLock { $0.entries } }
    /// The number of all requests.
    public var count: Int { state.withLock { $0.count } }
    /// The secrets, which are never shown.
    public var secrets: Set<[UInt8]> { state.withLock { $0.secrets } }

    /// Remembers a request that has ended.
    public func record(_ entry: Entry) {
        state.withLock { state in
            state.count += 1
            if state.entries.count < Self.maxEntries { state.entries.append(entry) }
        }
    }

    /// Remembers a secret that a request carries.
    public func record(secret: [UInt8]) {
        guard !secret.isEmpty else { return }
        state.withLock { _ = $0.secrets.insert(secret) }
    }

    /// Remembers a request of this method and address.
    ///
    /// - Parameter start: its begin, in nanoseconds of the monotonic clock.
    func record(_ request: HTTPRequest, from start: UInt64, status: Int?, bytes: Int = 0, isGood: Bool = false) {
        record(
            Entry(
                method: request.method, url: request.url, status: status,
                duration: .nanoseconds(Int64(clamping: SystemClock.monotonic &- start)), bytes: bytes, isGood: isGood))
    }

    /// Remembers a request for a token.
    ///
    /// - Parameter start: its begin, in nanoseconds of the monotonic clock.
    func record(tokenFrom url: String, from start: UInt64, _ outcome: HTTPWriteOutcome) {
        let (status, bytes): (Int?, Int) =
            switch outcome {
            case .unsent(let error), .unanswered(let error): (error.status, 0)
            case .answered(let answer): (answer.status, answer.body.count)
            }
        record(
            Entry(
                method: .post, url: url, status: status,
                duration: .nanoseconds(Int64(clamping: SystemClock.monotonic &- start)), bytes: bytes, isGood: false))
    }
}
