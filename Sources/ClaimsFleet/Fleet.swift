// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
public import ClaimsRefresh
public import ClaimsStore
public import ClaimsUpstream
import Synchronization

/// The fleet that this host belongs to, as `fleet.json5` says it: hosts that share sources, so that one of them asks an
/// upstream for all. Without the file nothing is loaded, and no source is shared.
///
///     let fleet = Fleet(services)
///     context.shared = fleet
///     fleet.configure(definition, accessTexts: [:])
///
/// Every call may be made on any thread; those that change or stop it wait for its threads.
public final class Fleet: SharedSources {
    /// The means of a member.
    public struct Services: Sendable {
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
        /// From 0 to below 1.
        public var random: @Sendable () -> Double
        /// Reads the private key by which this host signs.
        public var key: @Sendable () throws(AccessFailure) -> [UInt8]
        /// Has a source refreshed.
        public var refresh: @Sendable (SourceID) -> Void
        /// Has the schedule go round once.
        public var wake: @Sendable () -> Void
        /// Called with what keeps this host from publishing; nil: nothing does.
        public var report: @Sendable (String?) -> Void
        /// Random, new with each start.
        let epoch = RandomBytes.hexadecimal(8)

        public init(
            store: StateStore, access: UpstreamAccess, spool: String, folder: String, host: String, version: String,
            clock: WallClock = .system, random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
            key: @escaping @Sendable () throws(AccessFailure) -> [UInt8],
            refresh: @escaping @Sendable (SourceID) -> Void, wake: @escaping @Sendable () -> Void,
            report: @escaping @Sendable (String?) -> Void
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
            self.refresh = refresh
            self.wake = wake
            self.report = report
        }
    }

    /// The credential that holds the private key.
    public static let keyName = "fleet-key"

    /// What a member is made of: another one makes another member.
    private struct Configuration: Equatable {
        var definition: FleetDefinition
        var accessHashes: [String: String]
        var key: [UInt8]?
    }

    private struct State {
        var configuration: Configuration?
        var member: FleetMember?
    }

    private let services: Services
    private let state = Mutex(State())

    public init(_ services: Services) {
        self.services = services
    }

    private var member: FleetMember? { state.withLock { $0.member } }

    /// Puts a definition into force; nil: this host shares nothing.
    ///
    /// - Parameter accessTexts: the rules of access of the collections, as the definitions have them.
    public func configure(_ definition: FleetDefinition?, accessTexts: [String: String]) {
        var next: Configuration?
        var obstacle: String?
        if let definition {
            next = Configuration(definition: definition, accessHashes: accessTexts.mapValues(RequestHash.ofRules))
            if definition.leaders.contains(where: { $0.host == services.host }) {
                do throws(AccessFailure) { next?.key = try services.key() } catch {
                    obstacle = "this host is one of 'leaders', and never asks without the credential '\(Self.keyName)'"
                }
            }
        }
        guard next != state.withLock({ $0.configuration }) else { return }
        // The folder of the member before is free once it has stopped.
        let before = state.withLock { state in
            state.configuration = next
            return state.member.take()
        }
        before?.stop()
        guard let next else { return services.report(nil) }
        do throws(FleetError) {
            let member = try make(next, obstacle)
            state.withLock { $0.member = member }
            member.start()
        } catch {
            services.report(error.message)
        }
        services.wake()
    }

    private func make(_ configuration: Configuration, _ obstacle: String?) throws(FleetError) -> FleetMember {
        try FleetLibraries.load()
        var (key, folder, obstacle) = (SigningKey?.none, FleetFolder?.none, obstacle)
        if let pem = configuration.key,
            let leader = configuration.definition.leaders.first(where: { $0.host == services.host })
        {
            do throws(FleetError) {
                let own = try SigningKey(pem: pem)
                guard leader.keys.contains(own.publicKey) else {
                    throw FleetError("it is not the key that 'leaders' has of this host")
                }
                folder = try FleetFolder(services.folder)
                key = own
            } catch { obstacle = "this host is one of 'leaders', and never asks: \(error.message)" }
        }
        do throws(SystemError) {
            return try FleetMember(
                configuration.definition, services, key: key, folder: folder, obstacle: obstacle,
                accessHashes: configuration.accessHashes)
        } catch { throw FleetError(error.message) }
    }

    /// Ends all threads.
    public func stop() {
        state.withLock { state in
            state.configuration = nil
            return state.member.take()
        }?.stop()
    }

    /// How the fleet is; nil where this host belongs to none.
    public var report: FleetReport? { member?.report }

    /// The host that asks for a collection; nil where this one does, or none is known.
    public func otherLeader(of collection: String) -> String? { member?.otherLeader(of: collection) }

    /// Has nothing left of erased records in what this host publishes.
    public func forgot(in collection: String) { member?.forgot(in: collection) }

    /// Takes note of the end of a refresh: what this host has asked for is published.
    public func ended(_ report: RefreshReport) { member?.ended(report) }

    /// Also while the member cannot do its part: else each host would ask, and nobody would know.
    public func shares(_ source: SourceID) -> Bool {
        state.withLock { $0.configuration?.definition.collections.contains(source.collection) ?? false }
    }

    public func permission(toAsk source: SourceID, now: Int64) -> AskPermission {
        member?.permission(toAsk: source) ?? .never
    }

    public func step(for question: SharedQuestion) -> SharedStep { member?.step(for: question) ?? .nothing }

    public func accepts(_ permit: AskPermit, of source: SourceID) -> Bool {
        member?.accepts(permit, of: source) ?? false
    }
}
