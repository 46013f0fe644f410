// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsFleet
import ClaimsModel
public import ClaimsOutbox
import ClaimsPlatform
public import ClaimsRefresh
import ClaimsServer
import ClaimsStore
import ClaimsUpstream
import Synchronization

/// Joins the fleet and the gate of hosts with the refresher, which is made after them, and with the rest of the daemon.
final class RefresherLink: FleetDaemon {
    private struct Reference: Sendable {
        /// It uses the fleet and the gate, so they do not hold it.
        weak var refresher: Refresher?
    }

    private let reference = Mutex(Reference())
    private let folders: Folders
    private let opener: CollectionOpener
    private let problems: CurrentProblems
    private let journal: Journal

    init(folders: Folders, opener: CollectionOpener, problems: CurrentProblems, journal: Journal) {
        self.folders = folders
        self.opener = opener
        self.problems = problems
        self.journal = journal
    }

    /// Passes requests on to a refresher from now on; until then they have no effect.
    func join(_ refresher: Refresher) {
        reference.withLock { $0.refresher = refresher }
    }

    private var refresher: Refresher? { reference.withLock { $0.refresher } }

    func wakeSchedule() { refresher?.wake() }

    func refresh(_ source: SourceID) { refresher?.refresh(source) }

    func settle(_ collection: String) { opener.settle(collection) }

    func fleetKey() throws(AccessFailure) -> [UInt8] {
        try CredentialReader(folders).bytes(FleetDefinition.keyCredential)
    }

    func fleetPassword(_ credential: String) throws(AccessFailure) -> [UInt8] {
        try CredentialReader(folders).bytes(credential)
    }

    func report(fleetObstacle message: String?) {
        let isNew = problems.record(fleet: message, at: Paths.join(folders.configuration, "fleet.json5"))
        if isNew, let message { journal.log(fleet: message) }
    }

    func record(_ event: FleetEvent) { journal.log(event) }
}

/// The outbox asks the refresher for refreshes.
extension Refresher: CollectionRefresher {}
