// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsStore
import ClaimsUpstream

/// The state of a fleet as a host of it sees it. Times are in milliseconds since 1970.
public struct FleetReport: Sendable {
    /// A host that may ask.
    public struct Address: Sendable {
        public var host: String
        /// Without secrets.
        public var url: String
        /// The time of its last good head; nil: there was none.
        public var contactAt: Int64?
        /// The failure of the last read; nil after a good one.
        public var failure: Failure?
        /// The clock of the address minus this one, in milliseconds; nil if the address does not give it.
        public var clockDifference: Int64?
    }

    /// The part of this host for a source.
    public enum Role: String, Sendable {
        case leads, may, follows
        /// The records are written on this host.
        case home
    }

    /// A part of a definition, compared with the same part on the host that asks.
    public enum Comparison: String, Sendable {
        case same, differs

        init(_ isSame: Bool) { self = isSame ? .same : .differs }
    }

    /// A source that is shared.
    public struct Source: Sendable {
        public var id: SourceID
        /// The host that asks; nil if none is known.
        public var leader: String?
        public var asOf: Int64?
        public var issuedAt: Int64?
        public var next: Int64?
        public var role: Role
        /// Whether the leader is silent for longer than it announced.
        public var isOverdue = false
        /// Names the records of the leader.
        public var state: String?
        public var request: Comparison?
        public var definition: Comparison?
        public var access: Comparison?
        /// The failure for which the data here is not newer.
        public var failure: Failure?
    }

    public var name: String
    public var host: String
    public var addresses: [Address]
    public var sources: [Source]
    /// nil if marks are each host's own.
    public var marks: MarkReport?
}

extension FleetReport {
    /// - Parameters:
    ///   - states: the states of the addresses, in the order of the leaders, and the time of the last good read of each.
    ///   - newest: the newest head entry of each source, with the time by this clock when it was read.
    ///   - accessHashes: the hashes of the rules of access here, by collection.
    init(
        _ definition: FleetDefinition, host: String, addresses states: [(state: AddressState, contactAt: Int64?)],
        newest: [SourceID: NewestEntry], leadership: Leadership, catalog: Catalog, accessHashes: [String: String],
        now: Int64
    ) {
        name = definition.name
        self.host = host
        addresses = zip(definition.leaders, states).map { leader, address in
            Address(
                host: leader.host, url: HTTPURL.withoutSecrets(leader.request.url ?? ""), contactAt: address.contactAt,
                failure: address.state.failure, clockDifference: address.state.clockDifference)
        }
        sources = []
        for view in definition.collections.compactMap({ catalog[$0] }) {
            for id in view.definition.sharedSources {
                var source = Source(id: id, role: leadership.rank == nil ? .follows : .may)
                if view.definition.isLocal { source.role = .home }
                if view.definition.home != nil { source.role = .follows }
                source.failure = view.condition.source(of: id.site).lastError
                if let newest = newest[id] {
                    let entry = newest.entry
                    source.leader = newest.issuer.host
                    if newest.issuer.host == host, !view.definition.isLocal { source.role = .leads }
                    (source.asOf, source.issuedAt, source.next) = (entry.asOf, entry.issuedAt, entry.nextRefresh)
                    source.isOverdue = leadership.due(newest) < now
                    source.state = entry.state
                    source.request = Comparison(entry.request == RequestHash.of(view.definition, site: id.site))
                    source.definition = Comparison(entry.definition == RequestHash.ofDecoding(view.definition))
                    source.access = Comparison(entry.access == accessHashes[id.collection] ?? "")
                }
                sources.append(source)
            }
        }
    }
}
