// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsPlatform
public import ClaimsRefresh
import ClaimsStore
import ClaimsUpstream

/// The fleet that this host belongs to, as `fleet.json5` defines it: hosts that share sources, so that one of them asks
/// an upstream for all. Without the file nothing is loaded, and no source is shared.
///
///     let fleet = Fleet(services)
///     context.shared = fleet
///     fleet.configure(definition, accessTexts: [:])
///
/// Every call may be made on any thread; calls that change or stop it wait for its threads.
public final class Fleet: SharedSources {
    /// The basis of a member: a change of it makes another member.
    private struct Configuration: Equatable {
        var definition: FleetDefinition
        var accessHashes: [String: String]
        /// The SHA-256 of the private key's file; nil if this host has none.
        var key: String?
    }

    private struct State {
        var configuration: Configuration?
        /// The shared collections, also before their member exists.
        var collections: Set<String> = []
        /// Whether the member that the configuration requires exists.
        var isSettled = false
        var member: FleetMember?
        var marks: FleetMarks?
    }

    private let services: FleetServices
    private let state = Monitor(State())

    public init(_ services: FleetServices) {
        self.services = services
        services.store.catalog.observe { [weak self] in self?.member?.changed($0) }
    }

    /// The longest time for which a refresh waits for the member.
    private static let settling = Duration.seconds(10)

    private var member: FleetMember? { state.read { $0.member } }

    /// Marks the sources that a definition names as shared; their refreshes wait for ``configure(_:accessTexts:)``.
    /// Otherwise a refresh at the start would ask the upstream beside another host.
    public func prepare(_ definition: FleetDefinition?) {
        state.update { $0.collections = Set(definition?.collections ?? []) }
    }

    /// Puts a definition into force; nil: this host shares nothing.
    ///
    /// - Parameter accessTexts: the rules of access of the collections, as the definitions have them.
    public func configure(_ definition: FleetDefinition?, accessTexts: [String: String]) {
        var next: Configuration?
        var obstacle: String?
        if let definition {
            let texts = accessTexts.filter { definition.collections.contains($0.key) }
            next = Configuration(definition: definition, accessHashes: texts.mapValues(RequestHash.ofRules))
            if definition.leaders.contains(where: { $0.host == services.host }) {
                do throws(AccessFailure) {
                    let pem = try services.daemon.fleetKey()
                    next?.key = SHA256.hexadecimal(of: pem.rawSpan)
                } catch {
                    obstacle =
                        "this host is one of 'leaders', and never asks without the credential '\(FleetDefinition.keyCredential)'"
                }
            }
        }
        guard next != state.read({ $0.configuration }) || !state.read({ $0.isSettled }) else { return }
        // The folder of the member before is free once it has stopped.
        let before = state.update { state in
            state.configuration = next
            state.collections = Set(next?.definition.collections ?? [])
            state.isSettled = false
            return (member: state.member.take(), marks: state.marks.take())
        }
        before.member?.stop()
        share(next?.definition, instead: before.marks)
        defer { state.update { $0.isSettled = true } }
        guard let next else { return services.daemon.report(fleetObstacle: nil) }
        do throws(FleetError) {
            let member = try make(next, obstacle)
            state.update { $0.member = member }
            member.start()
        } catch {
            services.daemon.report(fleetObstacle: error.message)
        }
        services.daemon.wakeSchedule()
    }

    /// Shares the marks that a definition names from now on.
    private func share(_ definition: FleetDefinition?, instead before: FleetMarks?) {
        before?.stop()
        services.store.marks.configure(host: services.host, collections: [], onOwn: nil)
        guard let definition, let marks = definition.marks else { return }
        do throws(SystemError) {
            let shared = try FleetMarks(definition, marks, services)
            state.update { $0.marks = shared }
            shared.start()
        } catch { services.daemon.report(fleetObstacle: "archive marks are not shared: \(error.message)") }
    }

    private func make(_ configuration: Configuration, _ obstacle: String?) throws(FleetError) -> FleetMember {
        try FleetLibraries.load()
        var (folder, obstacle) = (FleetFolder?.none, obstacle)
        if configuration.key != nil,
            let leader = configuration.definition.leaders.first(where: { $0.host == services.host })
        {
            do throws(FleetError) {
                guard leader.keys.contains(try Self.signingKey(services).publicKey) else {
                    throw FleetError("it is not the key that 'leaders' has of this host")
                }
                folder = try FleetFolder(services.folder)
            } catch { obstacle = "this host is one of 'leaders', and never asks: \(error.message)" }
        }
        let key: @Sendable () throws(FleetError) -> SigningKey = { [services] () throws(FleetError) in
            try Self.signingKey(services)
        }
        do throws(SystemError) {
            return try FleetMember(
                configuration.definition, services, folder: folder, key: folder == nil ? nil : key,
                obstacle: obstacle, accessHashes: configuration.accessHashes)
        } catch { throw FleetError(error.message) }
    }

    /// Reads the private key, which is in memory while it is used.
    private static func signingKey(_ services: FleetServices) throws(FleetError) -> SigningKey {
        let pem: [UInt8]
        do throws(AccessFailure) { pem = try services.daemon.fleetKey() } catch {
            throw FleetError("the credential '\(FleetDefinition.keyCredential)' cannot be read")
        }
        return try SigningKey(pem: pem)
    }

    /// Ends all threads. The sources stay shared: while refreshes end, this host asks nothing of its own.
    public func stop() {
        let (member, marks) = state.update { ($0.member.take(), $0.marks.take()) }
        member?.stop()
        marks?.stop()
    }

    /// The state of the fleet; nil if this host belongs to none.
    public var report: FleetReport? {
        let (member, marks) = state.read { ($0.member, $0.marks) }
        guard var report = member?.report else { return nil }
        report.marks = marks?.report
        return report
    }

    /// The host that asks for a collection; nil if this host asks, or if no host is known.
    public func otherLeader(of collection: String) -> String? { member?.otherLeader(of: collection) }

    /// Removes erased records from what this host publishes.
    public func forgot(in collection: String) { member?.forgot(in: collection) }

    public func postponed(_ ids: [[UInt8]], of source: SourceID) { member?.postponed(ids, of: source) }

    /// Handles the end of a refresh: the records that this host has asked for are published.
    public func ended(_ report: RefreshReport) { member?.ended(report) }

    /// Sources stay shared even if the member cannot do its part: otherwise each host would ask, and no host would
    /// notice.
    public func shares(_ source: SourceID) -> Bool {
        state.read { $0.collections.contains(source.collection) }
    }

    public func permission(toAsk source: SourceID, now: Int64) -> AskPermission {
        member?.permission(toAsk: source) ?? .never
    }

    public func step(for question: SharedQuestion) -> SharedStep {
        let member = state.wait(upTo: Self.settling) { $0.isSettled ? .some($0.member) : nil } ?? nil
        return member?.step(for: question) ?? .nothing(question.known.lastError)
    }

    public func accepts(_ permit: AskPermit, of source: SourceID) -> Bool {
        member?.accepts(permit, of: source) ?? false
    }
}
