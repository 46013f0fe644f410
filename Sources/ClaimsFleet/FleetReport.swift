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
        public var isOwn: Bool
        /// The time of its last good head; nil: there was none.
        public var readAt: Int64?
        /// The failure of the last look; nil after a good one.
        public var failure: Failure?
    }

    /// A source that is shared.
    public struct Source: Sendable {
        public var id: SourceID
        /// The host that asks; nil where none is known.
        public var leader: String?
        public var asOf: Int64?
        public var issuedAt: Int64?
        public var next: Int64?
        /// The parts of the definition that are others there: `request`, `definition`, `access`.
        public var differs: [String] = []
        /// The failure for which the data here is not newer.
        public var failure: Failure?
    }

    /// The archive marks that are shared through a database.
    public struct Marks: Sendable {
        /// The time of the last good poll; nil: there was none.
        public var contactAt: Int64?
        /// The number of marks that the database may not have.
        public var queued = 0
        /// The number of marks that stay here, because their ids are too long.
        public var unshared = 0
        /// The clock of the database less this one, in milliseconds; nil before the first poll.
        public var clockDifference: Int64?
        /// The failure of the last poll; nil after a good one.
        public var failure: Failure?

        public init() {}
    }

    public var name: String
    public var host: String
    public var addresses: [Address]
    public var sources: [Source]
    /// nil where marks are each host's own.
    public var marks: Marks?
}

extension FleetReport {
    /// - Parameters:
    ///   - looks: the time of the last good head and the failure of each address, in the order of the leaders.
    ///   - newest: the newest head entry of each source.
    ///   - accessHashes: the hashes of the rules of access here, by collection.
    init(
        _ definition: FleetDefinition, host: String, looks: [(readAt: Int64?, failure: Failure?)],
        _ newest: [SourceID: NewestEntry], _ catalog: Catalog, _ accessHashes: [String: String]
    ) {
        name = definition.name
        self.host = host
        addresses = zip(definition.leaders, looks).map { leader, look in
            Address(
                host: leader.host, url: HTTPURL.withoutSecrets(leader.request.url ?? ""), isOwn: leader.host == host,
                readAt: look.readAt, failure: look.failure)
        }
        sources = []
        for view in definition.collections.compactMap({ catalog[$0] }) {
            for id in view.definition.sources {
                var source = Source(id: id)
                source.failure = view.condition.source(of: id.site).lastError
                if let newest = newest[id] {
                    let entry = newest.entry
                    source.leader = newest.issuer.host
                    (source.asOf, source.issuedAt, source.next) = (entry.asOf, entry.issuedAt, entry.nextRefresh)
                    source.differs = Self.differences(
                        entry, view.definition, id, access: accessHashes[id.collection] ?? "")
                }
                sources.append(source)
            }
        }
    }

    /// The parts of a definition that are others on the host that asks.
    private static func differences(
        _ entry: HeadEntry, _ definition: Definition, _ source: SourceID, access: String
    ) -> [String] {
        var names: [String] = []
        if entry.request != RequestHash.of(definition, site: source.site) { names.append("request") }
        if entry.definition != RequestHash.ofDecoding(definition) { names.append("definition") }
        if entry.access != access { names.append("access") }
        return names
    }
}
