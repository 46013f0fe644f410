// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import ClaimsUpstream

@testable import ClaimsFleet

/// A host with the collection `units`, whose archive marks it shares through a database.
final class MarkHost: Sendable {
    let name: String
    let folder: TemporaryFolder
    let store: StateStore
    private let marks: FleetMarks

    /// - Parameters:
    ///   - other: a host whose state to go on with, as after a restart.
    ///   - units: the number of records, named from 1 on.
    init(
        _ name: String, _ address: String, ca: String? = nil, password: String = PostgresServer.password,
        after other: MarkHost? = nil, fleet: String = "north", units: Int = 10, poll: Duration = .milliseconds(20)
    ) throws {
        self.name = name
        folder = try other?.folder ?? TemporaryFolder(prefix: "claims-marks")
        let records = (1...units).map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
        try folder.write("data/units.json", "[\(records)]")
        try Directory.create(folder("state"))
        store = try StateStore(directory: folder("state"))
        let definition = Definition(
            name: "units", source: Source(ReadRequest(root: try JSONPointer(""))), bundle: "units.json",
            fields: [Field(name: "id", type: .id, from: [try JSONPointer("/id")])], isArchivable: true)
        let opener = CollectionOpener(
            store: store, directory: folder("cache"), bundleDirectory: folder("data"), report: { _, _ in })
        try opener.open([definition])
        guard let address = FleetMarksDefinition.Address(address) else { throw TestFailure("no address: \(address)") }
        let shared = FleetMarksDefinition(
            address: address, schema: "claims", credential: ca == nil ? nil : "fleet-marks", ca: ca,
            collections: ["units"])
        let services = FleetServices(
            store: store, access: UpstreamAccess(credentials: CredentialReader(given: [:])), spool: folder.path,
            folder: folder("fleet"), host: name, version: "1",
            daemon: Daemon(password: password))
        marks = try FleetMarks(
            FleetDefinition(name: fleet, collections: ["units"], leaders: [], poll: poll, marks: shared), shared,
            services)
    }

    /// A daemon that knows one password, and refreshes nothing.
    private final class Daemon: FleetDaemon {
        private let password: String

        init(password: String) {
            self.password = password
        }

        func fleetKey() throws(AccessFailure) -> [UInt8] { [] }
        func fleetPassword(_ credential: String) throws(AccessFailure) -> [UInt8] { Array(password.utf8) }
        func refresh(_ source: SourceID) {}
        func settle(_ collection: String) {}
        func wakeSchedule() {}
        func report(fleetObstacle: String?) {}
        func record(_ event: FleetEvent) {}
    }

    /// Begins to share.
    func start() { marks.start() }

    /// Stops all, as the end of the daemon does.
    func stop() {
        marks.stop()
        store.close()
    }

    var report: MarkReport { marks.report }

    func archive(_ ids: [String], _ isArchiving: Bool = true, at: Int64 = SystemClock.wall) throws {
        let answer = Monitor<Result<ArchiveChange.Outcome, StoreError>?>(nil)
        let change = ArchiveChange(
            collection: "units", ids: ids.map { Array($0.utf8) }, isArchiving: isArchiving, uid: 0, at: at)
        store.archive(change) { result in answer.update { $0 = result } }
        guard let result = answer.wait(upTo: LineClient.timeout, { $0 }), try result.get().missing.isEmpty else {
            throw TestFailure("\(name): not archived: \(ids)")
        }
    }

    func isArchived(_ id: Int) -> Bool { mark(id) != nil }

    func mark(_ id: Int) -> ArchiveMark? {
        store.catalog.current()["units"]?.archive.mark(Array("\(id)".utf8))
    }

    /// The numbers of the archived records, of those with the numbers from 1 on.
    func archived(upTo count: Int = 10) -> [Int] { (1...count).filter(isArchived) }

    /// Waits until something is so that nobody tells of.
    func wait(_ reason: String, until isSo: () throws -> Bool) throws {
        let deadline = SystemClock.monotonic(after: LineClient.timeout)
        while try !isSo() {
            guard SystemClock.monotonic < deadline else {
                throw TestFailure("\(name): no \(reason): \(report), archived: \(archived())")
            }
            _ = Monitor(false).wait(upTo: .milliseconds(10)) { $0 ? true : nil }
        }
    }

    /// Waits until all that was set here is in the database.
    func waitUntilSent() throws {
        try wait("empty queue") {
            try store.marks.counts().queued == 0 && report.queued == 0 && report.contactAt != nil
                && report.failure == nil
        }
    }
}
