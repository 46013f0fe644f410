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
    /// The daemon that the member is a part of.
    public var daemon: any FleetDaemon
    /// Random, new with each start.
    let epoch = RandomBytes.hexadecimal(8)

    public init(
        store: StateStore, access: UpstreamAccess, spool: String, folder: String, host: String, version: String,
        daemon: any FleetDaemon, clock: WallClock = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.store = store
        self.access = access
        self.spool = spool
        self.folder = folder
        self.host = host
        self.version = version
        self.clock = clock
        self.random = random
        self.daemon = daemon
    }
}

/// The daemon that a fleet is a part of; the fleet needs it for refreshes, for secrets, and to inform people. What refreshes
/// need of a fleet is ``SharedSources``.
public protocol FleetDaemon: AnyObject, Sendable {
    /// Reads the private key with which this host signs.
    func fleetKey() throws(AccessFailure) -> [UInt8]

    /// Reads a password of the database of marks.
    ///
    /// - Parameter credential: its name.
    func fleetPassword(_ credential: String) throws(AccessFailure) -> [UInt8]

    /// Requests a refresh of a source.
    func refresh(_ source: SourceID)

    /// Requests a comparison of a collection's data with its definition.
    func settle(_ collection: String)

    /// Makes the schedule of refreshes run one round.
    func wakeSchedule()

    /// Reports the obstacle to this host's part in the fleet, for people; nil: there is none.
    func report(fleetObstacle: String?)

    /// Records a change that people are informed of.
    func record(_ event: FleetEvent)
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
