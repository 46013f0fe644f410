// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsRefresh
import ClaimsTestSupport
import ClaimsUpstream

@testable import ClaimsServer
@testable import ClaimsStore

/// The real parts of a daemon over a store. None of them is started, and nothing is configured.
struct ServedParts {
    let services: ServerServices
    /// The event loop of timers, which a test may run.
    let timers: EventLoop

    /// - Parameters:
    ///   - folder: the folder of files, which exists.
    ///   - folders: those whose sizes are told.
    init(
        _ store: StateStore, _ opener: CollectionOpener, in folder: String, attachments: AttachmentStore? = nil,
        folders: [String] = [], clock: WallClock = .system,
        report: @escaping @Sendable (ServerEvent) -> Void = { _ in },
        writeLooks: @escaping @Sendable (LookEntry) -> Bool = { _ in true }
    ) throws {
        let access = UpstreamAccess(credentials: CredentialReader(given: [:]))
        let fetcher = SourceFetcher(spoolDirectory: folder, access: access, clock: clock)
        let refresher = Refresher(
            RefreshContext(opener: opener, fetcher: fetcher, machine: "machine", clock: clock), settings: Settings())
        let attachments = try attachments ?? AttachmentStore(directory: folder, now: clock.now())
        timers = try EventLoop(name: "timers")
        services = ServerServices(
            store: store, refresher: refresher,
            outbox: try Outbox(
                store, settings: Settings(), access: access, refresher: Refreshes(refresher: refresher),
                files: attachments.directory,
                report: { _ in }),
            trials: try Trials(catalogs: store.catalog, fetcher: fetcher, loop: timers) {
                Configuration.load(
                    configDirectory: folder, dataDirectory: folder,
                    files: ConfigurationFiles(
                        read: { _ in .missing }, list: { _ in .names([]) }, obstacle: { _ in nil }))
            },
            attachments: attachments, sweep: FileSweep(timers, attachments), reloads: NoReloads(),
            accounts: FewAccounts(), timers: timers, folders: folders, report: report, writeLooks: writeLooks)
    }

    /// Passes requests of the outbox on, as the daemon does.
    private struct Refreshes: CollectionRefresher {
        let refresher: Refresher

        func refreshSoon(_ collection: String) { refresher.refreshSoon(collection) }
    }

    func stop() {
        services.trials.stop()
        services.refresher.stop()
        services.outbox.stop(grace: .zero)
    }

    /// The users `anna`, with number 1000, and `bert`, with number 1001 in group 100; a slow one is never found.
    private struct FewAccounts: AccountFinding {
        func find(_ user: String, _ receive: @escaping @Sendable (AccountAnswer) -> Void) {
            switch user {
            case "anna", "1000": receive(.found(UserAccount(name: "anna", user: 1000, group: 1000, groups: [1000])))
            case "bert", "1001": receive(.found(UserAccount(name: "bert", user: 1001, group: 101, groups: [101, 100])))
            case "slow": receive(.late)
            case "many": receive(.busy)
            default: receive(.unknown)
            }
        }
    }

    private struct NoReloads: ReloadAwaiting {
        func afterReloads(_ work: @escaping @Sendable () -> Void) { work() }
    }
}
