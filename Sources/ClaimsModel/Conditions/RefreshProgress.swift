// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The progress of a refresh, for the clients that wait for it.
public struct RefreshProgress: Sendable, Equatable {
    /// The part of a refresh that is under way. The raw value is its name in the protocol; a newer daemon may have others.
    public struct Phase: RawRepresentable, Sendable, Hashable, CaseIterable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another refresh of the collection, or a thread, is waited for.
        public static let queued = Self(rawValue: "queued")
        /// The upstream has not answered yet.
        public static let connect = Self(rawValue: "connect")
        public static let receive = Self(rawValue: "receive")
        /// The records are read.
        public static let read = Self(rawValue: "read")
        /// The records are written to disk.
        public static let write = Self(rawValue: "write")

        /// The phases in their order.
        public static let allCases: [Self] = [.queued, .connect, .receive, .read, .write]

        /// Whether the phase comes after another one; false for one that is not known.
        public func isAfter(_ other: Self) -> Bool { rank > other.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? -1 }
    }

    public var phase = Phase.queued
    /// The bytes of bodies that have come, as received.
    public var bytes = 0
    /// The total number of bytes; nil if the upstream does not announce it.
    public var expected: Int?
    /// The number of whole pages that have come.
    public var pages = 0
    /// The number of elements that have been read.
    public var records = 0
    /// The wait of the next request for its host; nil while a request is under way.
    public var wait: HostWait?

    public init() {}
}

/// The outcome of the refresh of one source. The raw value is its name in the protocol, and in the log of refreshes.
public enum RefreshOutcome: String, Sendable, CaseIterable {
    /// The refresh began, and the answer does not wait for its end.
    case started
    /// There is a new generation.
    case updated
    /// The upstream confirmed the data.
    case unchanged
    case failed
    /// The guard holds the body back; the earlier data is still served.
    case held
    /// No request was made: the host wants none yet, the daemon is stopping, or there is no such source any more.
    case skipped

    /// Whether the upstream has answered, and the answer was taken.
    public var isSuccess: Bool { self == .updated || self == .unchanged }

    /// Whether the request to the upstream brought nothing: the data is not newer.
    public var isFailure: Bool { self == .failed || self == .held }
}

/// The outcome of trying a definition: the effect that a refresh would have. The raw value is its name in the protocol.
public enum TrialOutcome: String, Sendable, CaseIterable {
    case wouldUpdate = "would_update"
    case unchanged, held, failed
    /// The files have mistakes, so that no request was made.
    case invalid
}
