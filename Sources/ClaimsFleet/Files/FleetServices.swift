// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
public import ClaimsStore
public import ClaimsUpstream

/// The means of a member.
public struct FleetServices: Sendable {
    public var store: StateStore
    /// Makes requests to the addresses of leaders.
    public var access: UpstreamAccess
    /// The folder of the unnamed files that hold large bodies.
    public var spool: String
    /// The folder that a web server serves.
    public var folder: String
    /// The name of this host, as `uname -n` prints it.
    public var host: String
    /// The version of the program.
    public var version: String
    public var clock: WallClock
    /// A random number from 0 to below 1.
    public var random: @Sendable () -> Double
    /// Reads the private key with which this host signs.
    public var key: @Sendable () throws(AccessFailure) -> [UInt8]
    /// Reads the password of the database of marks.
    public var password: @Sendable (String) throws(AccessFailure) -> [UInt8]
    /// Requests a refresh of a source.
    public var refresh: @Sendable (SourceID) -> Void
    /// Requests a comparison of a collection's data with its definition.
    public var settle: @Sendable (String) -> Void
    /// Makes the schedule run one round.
    public var wake: @Sendable () -> Void
    /// Called with the obstacle to this host's part in the fleet, for people; nil: there is none.
    public var report: @Sendable (String?) -> Void
    /// Called with each change that people are informed of.
    public var journal: @Sendable (FleetEvent) -> Void
    /// Random, new with each start.
    let epoch = RandomBytes.hexadecimal(8)

    public init(
        store: StateStore, access: UpstreamAccess, spool: String, folder: String, host: String, version: String,
        clock: WallClock = .system, random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        key: @escaping @Sendable () throws(AccessFailure) -> [UInt8],
        password: @escaping @Sendable (String) throws(AccessFailure) -> [UInt8],
        refresh: @escaping @Sendable (SourceID) -> Void,
        settle: @escaping @Sendable (String) -> Void = { _ in }, wake: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (String?) -> Void, journal: @escaping @Sendable (FleetEvent) -> Void
    ) {
        self.store = store
        self.access = access
        self.spool = spool
        self.folder = folder
        self.host = host
        self.version = version
        self.clock = clock
        self.random = random
        self.key = key
        self.password = password
        self.refresh = refresh
        self.settle = settle
        self.wake = wake
        self.report = report
        self.journal = journal
    }
}

/// A change in a fleet that people are informed of.
public enum FleetEvent: Sendable {
    /// This host asks for a source from now on.
    case leads(SourceID)
    /// Another host asks for a source from now on.
    case follows(SourceID, host: String)
    /// The records of a collection are written on this host, and nobody is asked for them.
    case isHome(SourceID)
    /// The records of a collection are written on another host, its home.
    case isFromHome(SourceID, host: String)
    /// The head of a leader is not one of its, is damaged, or is dated ahead. Once until the next good one.
    case headRefused(String, Failure)
    /// The address of a leader does not answer.
    case addressGone(String, Failure)
    case addressBack(String)
    /// Archive marks of this host do not count, because another host has set later ones.
    case marksOverruled(String, Int)
    /// Archive marks have been waiting for the database for long.
    case marksWaiting(Int)
}
