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
import Dispatch
import Glibc
import Synchronization

/// The daemon from start to stop. It connects the parts and handles signals; the work is done in the parts.
///
/// Invariant behind the unchecked conformance: the parts are safe on any thread, and each member that changes is
/// touched on the thread of `control` only, or before it runs; parts that report something from other threads post it
/// there. An actor cannot own the thread on which signals are read.
final class Daemon: EventHandler, @unchecked Sendable {
    private let folders: Folders
    private let log: Log
    private let store: StateStore
    private let opener: CollectionOpener
    private let refresher: Refresher
    private let trials: Trials
    private let fleet: Fleet
    private let outbox: Outbox
    private let server: Server
    private let control: EventLoop
    private let signals: SignalReader
    private let keeper: ConfigurationKeeper
    private let attachments: AttachmentStore
    private let sweep: FileSweep
    private let tokens: TokenStore
    /// Invariant: confined to the control loop's thread.
    private var cursorKey: (UInt64, UInt64)
    /// Invariant: confined to the control loop's thread.
    private var watch = LoopWatch()
    /// Whether the files are being verified. A suspicion that comes meanwhile waits for the next check after it.
    /// Invariant: confined to the control loop's thread.
    private var isVerifying = false
    /// Invariant: confined to the control loop's thread.
    private var clock = ClockWatch(wall: SystemClock.wall, sinceBoot: SystemClock.sinceBoot)
    /// Goes off when the freshness of a collection changes, and when the clock is set.
    private let alarm: WallAlarm
    /// Invariant: confined to the control loop's thread.
    private var nextCheck: TimerID?
    private let journal: Journal
    /// Ended as soon as the daemon is ready.
    private let startExtension: StartExtension
    /// Invariant: confined to the control loop's thread.
    private var lastStatus = ""
    /// Whether an update of the status was requested and has not begun.
    private let isStatusDue = Atomic<Bool>(false)
    private let reloads: ReloadQueue
    /// Invariant: confined to the control loop's thread.
    private var isStopping = false
    /// Invariant: confined to the control loop's thread.
    private var exitCode = DaemonExitCode.stopped
    /// Invariant: confined to the control loop's thread.
    private var verifier: WorkerPool?
    /// Folds local writes into snapshots. Invariant: confined to the control loop's thread.
    private var folding: FoldingThread?
    /// Merges the files of collections. Invariant: confined to the control loop's thread.
    private var merging: FoldingThread?
    /// Whether the name service is being asked. Invariant: confined to the control loop's thread.
    private var isNaming = false

    /// The time for requests in flight after a signal to stop.
    private static let grace: Duration = .milliseconds(3_500)
    /// The time for requests to upstreams after that.
    private static let outboxGrace: Duration = .seconds(1)
    /// The interval between checks of conditions that cause no event.
    private static let checkInterval: Duration = .seconds(60)
    /// The interval at which it is looked at while something could not be done.
    private static let retryInterval: Duration = .seconds(2)
    /// The interval at which definitions are tried that a reload could not put into force.
    private static let finishInterval: Duration = .seconds(10)
    /// The number of watchdog messages after which idle threads are woken. A hanging thread is found before the next
    /// one.
    private static let checksPerCall = 3
    /// The interval at which files that nothing has are removed.
    private static let sweepInterval: Duration = .seconds(3600)

    /// The time for which changes are gathered before the status is updated.
    private static let statusDelay: Duration = .milliseconds(200)

    /// Runs until a signal ends it.
    ///
    /// - Returns: the exit code.
    static func run(_ folders: Folders) -> Int32 {
        let log = Log()
        catchBusErrors(log)
        ProcessMemory.limitArenas(2)
        do throws(StartFailure) {
            let daemon = try Daemon(folders, log)
            do throws(StartFailure) {
                try daemon.start()
            } catch {
                daemon.end(grace: .zero)
                throw error
            }
            daemon.control.run()
            return daemon.exitCode
        } catch {
            let isStopped = error.exitCode == DaemonExitCode.stopped
            log.write(isStopped ? .notice : .critical, error.message, event: error.event, fields: error.fields)
            return error.exitCode
        }
    }

    private init(_ folders: Folders, _ log: Log) throws(StartFailure) {
        self.folders = folders
        self.log = log
        do throws(SystemError) {
            // Signals are blocked before there are threads, so that none of them is interrupted.
            signals = try SignalReader([SIGTERM, SIGINT, SIGHUP])
            control = try EventLoop(name: "control")
            alarm = try WallAlarm()
            // The start may take long from here on: state.db may have to be migrated, and snapshots to be rebuilt.
            startExtension = try StartExtension(status: "starting: bringing state and snapshots up to date")
        } catch {
            throw StartFailure(error)
        }
        _ = try? ResourceLimits.raiseOpenFiles()
        var start = StartRetrier(log)
        try start.run(endedBy: signals) { () throws(StartFailure) in try folders.prepare() }
        let journal = Journal(log, folders)
        self.journal = journal
        // The store is opened before the decision about the configuration, because it keeps the configuration that was
        // in force.
        let store = try start.run(endedBy: signals) { () throws(StartFailure) in
            do throws(StoreError) {
                return try StateStore(directory: folders.state, cache: folders.cache)
            } catch { throw StartFailure(error, folder: folders.state) }
        }
        self.store = store
        let keeper = try start.run(endedBy: signals) { () throws(StartFailure) in
            do throws(StoreError) {
                return try ConfigurationKeeper(folders, store, journal)
            } catch { throw StartFailure(error, folder: folders.state) }
        }
        self.keeper = keeper
        if let recovery = store.database.recovery { journal.log(recovery) }
        if let restoration = store.database.restoration { journal.log(restoration, path: store.database.path) }
        try keeper.requireDefinition()
        let control = control
        let reloads = ReloadQueue(control)
        self.reloads = reloads
        let parts = try start.run(endedBy: signals) { () throws(StartFailure) in
            try Parts(folders, store: store, keeper: keeper, journal: journal, control: control, reloads: reloads)
        }
        keeper.begin()
        opener = parts.opener
        refresher = parts.refresher
        trials = parts.trials
        fleet = parts.fleet
        outbox = parts.outbox
        server = parts.server
        attachments = parts.attachments
        sweep = parts.sweep
        tokens = parts.access.tokens
        cursorKey = parts.cursorKey
        reloads.start { [weak self] in self?.settleReloads() }
    }

    // MARK: - Start

    /// Makes a snapshot that can be mapped, but not read, be removed before it ends the process.
    private static func catchBusErrors(_ log: Log) {
        BusErrors.catch(
            telling: BusErrors.Line(
                removed: log.beginningOfPath(
                    .critical, "a snapshot cannot be read; it was removed, and the next start makes it anew"),
                kept: log.beginningOfPath(
                    .critical, "a snapshot cannot be read; it could not be removed, and must be before the next start"),
                end: Log.endOfPath), on: 2)
    }

    private func start() throws(StartFailure) {
        fleet.prepare(keeper.current.fleet)
        do throws(SystemError) {
            try ListeningSockets.open(at: folders.socket) { server.listen(on: $0) }
            try server.start()
            try control.add(signals.raw, .read, handler: self)
            try alarm.watch(on: control)
        } catch {
            throw StartFailure(error)
        }
        lastStatus = statusText()
        startExtension.end()
        ServiceManager.ready(status: lastStatus)
        log.write(.notice, "ready", event: .ready, fields: [.version(Product.version), .path(folders.socket)])
        if let zone = Environment.nonempty("TZ"), !LocalTimeZone.isKnown(environment: zone) {
            journal.logUnknownZone(zone)
        }
        store.catalog.observe { [weak self] _ in self?.requestStatus() }
        server.observeClients { [weak self] in self?.requestStatus() }
        store.database.observeTrouble { [weak self] in self?.requestCheck() }
        alarm.onEvent = { [weak self] clockWasSet in self?.checkTimes(clockWasSet: clockWasSet) }
        do throws(SystemError) {
            // Before anything is asked: another host may ask for this one.
            configureFleet()
            try refresher.start()
            folding = try FoldingThread(opener)
            merging = try FoldingThread(opener, .merging)
            verifier = try WorkerPool(name: "verify", threads: 1, urgency: .background)
        } catch {
            throw StartFailure(error)
        }
        do throws(OutboxError) {
            try outbox.start()
        } catch {
            throw StartFailure(error)
        }
        verify()
        sweep.start { [weak self] in self?.sweepFiles() }
        sweepHourly()
        checkAll()
        if let interval = Watchdog.interval {
            feedWatchdog(every: .nanoseconds(Int64(interval.wholeNanoseconds / 3)))
        }
    }

    // MARK: - Signals

    func ready(_ events: EventMask, on loop: EventLoop) { handleSignals() }

    /// Completes the requested reloads: waits for one that is under way, handles a waiting signal, and tries again what
    /// a reload could not put into force.
    private func settleReloads() {
        handleSignals()
        if !isStopping, keeper.finish(opener) { obey() }
    }

    private func handleSignals() {
        while let signal = signals.next() {
            if signal != SIGHUP { stop() } else if !isStopping { reload() }
        }
    }

    private func reload() {
        ServiceManager.reloading()
        keeper.reload(opener) { server.reconfigure(ServerConfiguration(keeper, cursorKey: cursorKey)) }
        obey()
        lastStatus = statusText()
        ServiceManager.ready(status: lastStatus)
        // The configuration in force may not have been kept.
        checkAll(afterReload: true)
        requestNames(keeper.foreignNames)
    }

    /// Requests the numbers of names in rules of access from the name service. A later answer comes into force, too.
    private func requestNames(_ names: RoleSettings.Members) {
        guard !isNaming, !isStopping, names != RoleSettings.Members() else { return }
        isNaming = true
        // A thread of its own would be joined at the end, and a name service may never answer.
        DispatchQueue.global(qos: .utility).async { [control, weak self] in
            let found = AccountNumbers.asking(for: names)
            control.post { [weak self] in self?.adopt(found) }
        }
    }

    private func adopt(_ found: AccountNumbers) {
        isNaming = false
        guard !isStopping else { return }
        keeper.adopt(found, opener)
    }

    /// Makes all parts obey the configuration in force.
    private func obey() {
        server.reconfigure(ServerConfiguration(keeper, cursorKey: cursorKey))
        refresher.configure(keeper.current.settings)
        outbox.configure(keeper.current.settings)
        configureFleet()
        keeper.logReload()
    }

    private func configureFleet() {
        let current = keeper.current
        fleet.configure(current.fleet, accessTexts: current.accessTexts)
    }

    /// Checks the state database and the checksums of all snapshots on a thread of its own. A damaged snapshot is
    /// rebuilt.
    private func verify() {
        let names = keeper.current.definitions.map(\.name)
        isVerifying = verifier != nil
        verifier?.post { [self] in
            defer { control.post { [self] in isVerifying = false } }
            // Opening the records over the snapshots has used memory that is not needed any more. So has the check.
            ProcessMemory.trim()
            defer { ProcessMemory.trim() }
            if let damage = store.database.check() { control.post { [self] in restart(because: damage) } }
            for name in names { opener.verify(name) }
        }
    }

    /// Removes files that no record, operation or upload has, now and every hour.
    private func sweepHourly() {
        sweepFiles()
        control.schedule(after: Self.sweepInterval) { [self] in sweepHourly() }
    }

    /// Removes these files on the thread that verifies.
    private func sweepFiles() {
        verifier?.post { [store, attachments, tokens, log] in
            tokens.removeUnneeded(in: store.catalog.current())
            do throws(StoreError) {
                try store.sweep(attachments, now: SystemClock.wall)
            } catch {
                log.write(.warning, "files that nothing has could not be removed", fields: [.reason(error.message)])
            }
        }
    }

    /// Ends the daemon for a restart, because only a start recovers the state database.
    private func restart(because damage: StoreError) {
        log.write(
            .critical, "the state database is damaged, and is recovered by the next start",
            fields: [.path(store.database.path), .reason(damage.message)])
        let isSupervised = Environment.nonempty("NOTIFY_SOCKET") != nil
        exitCode = isSupervised ? DaemonExitCode.failed : DaemonExitCode.startAgain
        stop()
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        ServiceManager.stopping(status: "stopping")
        log.write(.notice, "stopping", event: .stopping)
        end(grace: Self.grace)
    }

    /// Ends every thread after the requests in flight are answered or `grace` is over.
    private func end(grace: Duration) {
        reloads.end()
        trials.cancel()
        server.stop(grace: grace, hurry: refresher.stop)
        trials.stop()
        fleet.stop()
        refresher.stop()
        outbox.stop(grace: min(grace, Self.outboxGrace))
        folding?.stop()
        merging?.stop()
        verifier?.stop()
        store.close()
        control.stop()
    }

    // MARK: - Telling how it fares

    private func statusText() -> String {
        StatusLine.text(
            store.catalog.current(), clients: server.clients, problems: keeper.current.problems, now: SystemClock.wall)
    }

    /// Requests an update of the status soon. Safe on any thread.
    private func requestStatus() {
        guard !isStatusDue.exchange(true, ordering: .relaxed) else { return }
        control.post { [self] in
            control.schedule(after: Self.statusDelay) { [self] in
                isStatusDue.store(false, ordering: .relaxed)
                reportStatus()
            }
        }
    }

    private func reportStatus() {
        let now = SystemClock.wall
        alarm.set(store.catalog.current().views.compactMap { $0.nextFreshnessChange(after: now) }.min())
        let text = statusText()
        guard text != lastStatus, !isStopping else { return }
        lastStatus = text
        ServiceManager.status(text)
    }

    /// Checks conditions that cause no event, again and again: soon after something has failed.
    private func checkAll(afterReload: Bool = false) {
        guard !isStopping else { return }
        if let jump = clock.step(wall: SystemClock.wall, sinceBoot: SystemClock.sinceBoot) {
            journal.logClockStep(jump)
        }
        if !isVerifying, store.database.takeSuspicion() { verify() }
        if let failure = store.database.takeReadFailure() { journal.log(failure, reading: store.database.path) }
        if !afterReload, keeper.finish(opener) { obey() }
        keeper.keep()
        attachments.expire(now: SystemClock.wall)
        let hasUnwritten = tokens.hasUnwritten
        if hasUnwritten { verifier?.post { [tokens] in tokens.writeUnwritten() } }
        let keptLog = store.database.keptLogSize
        journal.logLog(keptLog, path: store.database.path)
        reportStatus()
        requestNames(keeper.unknownNames)
        if let nextCheck { control.cancel(nextCheck) }
        let isDone = keeper.isKept && !hasUnwritten && keptLog == nil
        let rest = keeper.isUnfinished ? Self.finishInterval : Self.checkInterval
        nextCheck = control.schedule(after: isDone ? rest : Self.retryInterval) { [self] in checkAll() }
    }

    /// Requests a check of all conditions soon. Safe on any thread.
    private func requestCheck() {
        control.post { [weak self] in self?.checkAll() }
    }

    /// Handles what has become due, and wakes the schedules if the clock was set.
    private func checkTimes(clockWasSet: Bool) {
        checkAll()
        guard clockWasSet else { return }
        refresher.wake()
        outbox.wake()
    }

    /// Informs the watchdog of systemd (sd_notify(3)) that the daemon is alive, if every watched thread has made
    /// progress.
    private func feedWatchdog(every interval: Duration) {
        var subjects = server.eventLoops.map { LoopWatch.Subject(name: $0.name, progress: $0.ticks) }
        subjects.append(LoopWatch.Subject(name: "state", progress: store.database.ticks))
        subjects.append(LoopWatch.Subject(name: "schedule", progress: refresher.ticks))
        subjects.append(LoopWatch.Subject(name: "outbox", progress: outbox.ticks))
        let stalled = watch.stalled(subjects)
        if stalled.isEmpty {
            ServiceManager.alive()
        } else {
            log.write(.critical, "no progress", event: .loopStalled, fields: [.reason(stalled.joined(separator: ", "))])
        }
        // An idle loop does nothing until it is woken; each must have made progress by the next check.
        if watch.asks(subjects, every: interval * Self.checksPerCall, now: SystemClock.monotonic) {
            for loop in server.eventLoops { loop.wake() }
            store.database.wake()
            refresher.wake()
            outbox.wake()
        }
        control.schedule(after: interval) { [self] in feedWatchdog(every: interval) }
    }
}
