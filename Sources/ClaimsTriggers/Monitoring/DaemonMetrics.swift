// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// The metrics of the daemon. Unknown values have no sample.
struct DaemonMetrics {
    /// The number of records in a view of a collection.
    struct ViewCount {
        let collection: String
        let view: String
        let total: Int64
    }

    private let status: AnswerValue
    private let fleet: AnswerValue?
    private let views: [ViewCount]
    private let collections: [Collection]

    /// A collection of `status`, with the label that its samples have.
    private struct Collection {
        let name: String
        let entry: AnswerValue
        let meta: AnswerMeta
    }

    /// - Parameters:
    ///   - status: the answer of `status`.
    ///   - fleet: the answer of `fleet`; nil if there is none.
    ///   - views: the totals of the views.
    init(_ status: AnswerValue, fleet: AnswerValue?, views: [ViewCount]) {
        self.status = status
        self.fleet = fleet
        self.views = views
        collections = status[StatusResult.collections].compactMap { entry in
            guard let meta = AnswerMeta(entry[StatusResult.Collection.meta]) else { return nil }
            return Collection(name: entry[StatusResult.Collection.name] ?? meta.collection, entry: entry, meta: meta)
        }
    }

    func write(to text: inout ExpositionText) {
        writeDaemon(to: &text)
        writeRecords(to: &text)
        writeAges(to: &text)
        writeFleet(to: &text)
    }

    private func writeDaemon(to text: inout ExpositionText) {
        text.add(.buildInfo) { family in
            if let version = status[StatusResult.version] { family.add(["version": version], 1) }
        }
        text.add(.uptime) { $0.add(ms: status[StatusResult.uptime]) }
        text.add(.requests) { $0.add(status[StatusResult.requests]) }
        text.add(.clients) { $0.add(status[StatusResult.clients]) }
        text.add(.memory) { $0.add(status[StatusResult.memory]) }
        text.add(.disk) { $0.add(status[StatusResult.disk]) }
        text.add(.problems) { $0.add(status[StatusResult.problemsTotal]) }
        text.add(.pendingOperations) { family in
            guard let outbox = status[StatusResult.outbox] else { return }
            typealias Outbox = StatusResult.Outbox
            family.add(["state": "queued"], outbox[Outbox.queued])
            family.add(["state": "accepted"], outbox[Outbox.accepted])
            family.add(["state": "stuck"], outbox[Outbox.stuck])
        }
    }

    private func writeFleet(to text: inout ExpositionText) {
        guard let fleet, fleet[FleetResult.name] != nil else { return }
        text.add(.fleetContact) { family in
            for address in fleet[FleetResult.addresses] {
                let contact = Instant.parse(address[FleetResult.Address.contact]?.string ?? "")
                family.add(["host": address[FleetResult.Address.host] ?? ""], ms: contact?.ms)
            }
        }
        text.add(.fleetLeads) { family in
            typealias Source = FleetResult.SharedSource
            for source in fleet[FleetResult.sources] {
                family.add(["source": source[Source.source] ?? ""], source[Source.role] == "leads" ? 1 : 0)
            }
        }
        guard let marks = fleet[FleetResult.marks] else { return }
        text.add(.marksQueued) { $0.add(marks[FleetResult.SharedMarks.queued]) }
    }

    private func writeRecords(to text: inout ExpositionText) {
        typealias Entry = StatusResult.Collection
        /// A family with a sample for each collection whose data is known.
        func add(_ family: MetricFamily, _ value: (Collection) -> Int64?) {
            text.add(family) { samples in
                for collection in collections where collection.meta.hasData {
                    samples.add(["collection": collection.name], value(collection))
                }
            }
        }
        add(.records) { $0.entry[Entry.total] }
        add(.archivedRecords) { $0.entry[Entry.archived] }
        add(.quarantinedRecords) { $0.entry[Entry.meta]?[Meta.quarantined] }
        text.add(.viewRecords) { family in
            for view in views { family.add(["collection": view.collection, "view": view.view], view.total) }
        }
    }

    private func writeAges(to text: inout ExpositionText) {
        text.add(.condition) { family in
            for collection in collections {
                let condition = Condition(collection.meta)
                for one in Condition.allCases {
                    family.add(
                        ["collection": collection.name, "condition": one.rawValue], one == condition ? 1 : 0)
                }
            }
        }
        func add(_ family: MetricFamily, _ ms: (Collection) -> Int64?) {
            text.add(family) { samples in
                for collection in collections { samples.add(["collection": collection.name], ms: ms(collection)) }
            }
        }
        add(.asOf) { $0.meta.asOf }
        add(.nextRefresh) { $0.meta.nextRefresh }
        add(.ttl) {
            Self.finite($0.entry[StatusResult.Collection.ttl])
        }
        add(.expires) {
            Self.finite($0.entry[StatusResult.Collection.expires])
        }
    }

    /// A span; nil for one without an end.
    private static func finite(_ ms: Int64?) -> Int64? {
        ms.flatMap { $0 < TimeSpan.infinity.wholeMilliseconds ? $0 : nil }
    }
}
