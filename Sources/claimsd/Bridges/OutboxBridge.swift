// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsRefresh
import ClaimsStore
import ClaimsUpstream
import Synchronization

/// Connects the outbox with the store, the refresher and the journal.
final class OutboxBridge: Sendable {
    /// The folder of kept files, in the state folder.
    static let filesFolder = "attachments"

    let outbox: OutboxSender
    let store: StateStore
    /// The thread on which decisions of people are carried out, because they wait for the store.
    let decisions: WorkerPool
    private let settings: SettingsInForce
    /// Tells what people should know.
    let report: @Sendable (OutboxEvent) -> Void

    init(
        _ store: StateStore, settings: Settings, refresher: Refresher, journal: Journal, files: String,
        access: UpstreamAccess
    ) throws(SystemError) {
        let operations = StoredOperations(store: store)
        let inForce = SettingsInForce(settings)
        decisions = try WorkerPool(name: "decisions", threads: 1)
        self.store = store
        self.settings = inForce
        report = { journal.tell($0) }
        store.settler = Settlement()
        outbox = OutboxSender(
            OutboxServices(
                store: operations,
                maker: DefinedRequests(operations.requestCatalog(limits: { inForce.current.transfer }, files: files)),
                writer: HTTPWriter(userAgent: "claimsd"), gate: access.gate,
                secrets: { need, refused, cancellation in
                    do throws(AccessFailure) {
                        return .success(try access.secrets(need, after: refused, cancellation: cancellation))
                    } catch { return .failure(error) }
                },
                refresh: { name in
                    // A source that fails keeps to its own backoff.
                    guard let view = store.catalog.current()[name], view.condition.source.lastError == nil else {
                        return
                    }
                    refresher.refresh(SourceID(name), RefreshOptions(force: false))
                }, report: report), warn: settings.outbox.warn.wholeMilliseconds)
    }

    /// Takes other settings into use, and looks at the definitions in the catalog again.
    func configure(_ settings: Settings) {
        self.settings.current = settings
        holdUnfitting()
        outbox.configure(warn: settings.outbox.warn.wholeMilliseconds)
    }

    /// Begins to send. Definitions may have changed while the daemon was down.
    func start() throws(OutboxError) {
        holdUnfitting()
        try outbox.start()
    }

    /// The guard against many deletes within a short time.
    func admission(at now: Int64) -> Submission.Admission {
        let settings = settings.current.outbox
        let deletes = DeleteGuard(maxDeletes: settings.deletes, span: settings.within.wholeMilliseconds)
        return Submission.Admission(start: deletes.start(now: now)) { operation, recent in
            deletes.admit(operation, recent: recent)
        }
    }

    /// Takes in that a refresh has ended.
    func take(_ report: RefreshReport) {
        guard report.outcome == .updated || report.outcome == .unchanged,
            let origin = store.catalog.current()[report.collection]?.definition.source.request.origin
        else { return }
        outbox.refreshSucceeded(at: origin)
    }

    /// Ends all requests, which have `grace` to be answered.
    func stop(grace: Duration) {
        decisions.stop()
        outbox.stop(grace: grace)
    }

    /// The settings that threads of the outbox read.
    private final class SettingsInForce: Sendable {
        private let settings: Mutex<Settings>

        init(_ settings: Settings) { self.settings = Mutex(settings) }

        var current: Settings {
            get { settings.withLock { $0 } }
            set { settings.withLock { $0 = newValue } }
        }
    }
}
