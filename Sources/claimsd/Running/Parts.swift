// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsFleet
import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsProtocol
import ClaimsRefresh
import ClaimsServer
import ClaimsStore
import ClaimsSystemd
import ClaimsUpstream

/// The parts of the daemon, made and connected. None of them serves or fetches yet.
struct Parts {
    let opener: CollectionOpener
    let refresher: Refresher
    let outbox: Outbox
    let server: Server
    let cursorKey: (UInt64, UInt64)
    let attachments: AttachmentStore
    let sweep: FileSweep
    /// Gives the secrets of all requests to upstreams.
    let access: UpstreamAccess
    let trials: Trials
    let fleet: Fleet

    /// Maps every snapshot, and prepares the server.
    ///
    /// - Parameter keeper: the configuration in force; it is stored once it is being served.
    init(
        _ folders: Folders, store: StateStore, keeper: ConfigurationKeeper, journal: Journal, control: EventLoop,
        reloads: ReloadQueue
    ) throws(StartFailure) {
        let settings = keeper.current.settings
        do throws(StoreError) {
            opener = CollectionOpener(
                store: store, directory: folders.cache, bundleDirectory: folders.data,
                report: { [problems = keeper.problems] name, event in
                    journal.log(event, of: name)
                    switch event {
                    case .badBundle(let path, let detail): problems.record(bundleOf: name, at: path, unusable: detail)
                    case .bundled: problems.record(bundleOf: name, at: "", unusable: nil)
                    default: break
                    }
                })
            opener.apply(settings.history)
            opener.apply(settings.outbox, maxPending: settings.limits.pending)
            let loaded = try opener.open(keeper.current.definitions, sparing: keeper.current.spared)
            cursorKey = Self.key(loaded.cursorSecret)
            attachments = try AttachmentStore(directory: folders.state, now: SystemClock.wall)
            if store.database.recovery != nil || store.database.restoration != nil {
                try attachments.holdFiles(now: SystemClock.wall)
            }
        } catch {
            throw StartFailure(error)
        }
        let link = RefresherLink(folders: folders, opener: opener, problems: keeper.problems, journal: journal)
        let gate = Self.gate(settings, store, journal, link)
        let access = UpstreamAccess(
            credentials: CredentialReader(folders),
            tokens: TokenStore(
                directory: Paths.join(folders.state, TokenStore.folder),
                report: { journal.logTokens(unwritten: $0) }), gate: gate)
        self.access = access
        let fetcher = SourceFetcher(spoolDirectory: folders.cache, access: access)
        let machine = (MachineIdentity.bytes() ?? []).map { String($0, radix: 16) }.joined()
        let fleet = Fleet(
            FleetServices(
                store: store, access: access, spool: folders.cache, folder: folders.fleet, host: HostName.current,
                version: Product.version, daemon: link))
        self.fleet = fleet
        var context = RefreshContext(opener: opener, fetcher: fetcher, machine: machine)
        context.shared = fleet
        let refresher = Refresher(context, settings: settings)
        self.refresher = refresher
        link.join(refresher)
        let outbox: Outbox
        do throws(SystemError) {
            outbox = try Outbox(
                store, settings: settings, access: access, refresher: refresher, files: attachments.directory,
                report: { journal.log($0) })
        } catch {
            throw StartFailure(error)
        }
        self.outbox = outbox
        refresher.observe { [weak outbox] event in
            journal.log(event, in: store.catalog.current())
            if case .ended(let report) = event, report.outcome.isSuccess, !report.isShared {
                outbox?.refreshSucceeded(of: report.collection)
            }
        }
        let attachments = attachments
        let sweep = FileSweep(control, attachments)
        self.sweep = sweep
        store.catalog.observe { [weak sweep] catalog in sweep?.inspect(catalog) }
        let trials: Trials
        do throws(SystemError) {
            trials = try Trials(catalogs: store.catalog, fetcher: fetcher, loop: control) {
                ConfigurationReader.read(folders)
            }
        } catch {
            throw StartFailure(error)
        }
        self.trials = trials
        let services = ServerServices(
            store: store, refresher: refresher, outbox: outbox, trials: trials, fleet: fleet, attachments: attachments,
            sweep: sweep,
            reloads: reloads, accounts: AccountFinder(control), timers: control,
            folders: [folders.state, folders.cache],
            report: { journal.log($0) }, writeLooks: { journal.log($0) })
        do throws(SystemError) {
            server = try Server(ServerConfiguration(keeper, cursorKey: cursorKey), services)
        } catch {
            throw StartFailure(error)
        }
    }

    /// The gate of all requests to upstreams, which remembers what hosts have demanded over restarts.
    private static func gate(
        _ settings: Settings, _ store: StateStore, _ journal: Journal, _ link: RefresherLink
    ) -> HostGate {
        var floors: [HostFloor] = []
        do throws(StoreError) { floors = try store.database.hostFloors() } catch {
            journal.log(unknownFloors: error)
        }
        return HostGate(settings.hosts, maxFetches: settings.fetching.fetches, floors: floors) { floor in
            journal.log(floor)
            link.wakeSchedule()
            // On a full disk it is in force until a restart.
            do throws(StoreError) { try store.database.keep(floor, now: SystemClock.wall) } catch {
                journal.log(error, notKeeping: floor)
            }
        }
    }

    /// The two halves of the secret's first sixteen bytes.
    private static func key(_ secret: [UInt8]) -> (UInt64, UInt64) {
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return (half(secret.prefix(8)), half(secret.dropFirst(8).prefix(8)))
    }
}
