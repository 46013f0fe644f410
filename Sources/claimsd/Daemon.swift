// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsRefresh
import ClaimsServer
import ClaimsStore
import ClaimsSystemd
import Glibc

/// The daemon from start to stop: it wires the parts together and listens to signals, and does no work of its own.
///
/// Invariant behind the unchecked conformance: everything but the parts, which are safe on any thread, is touched on
/// the thread of the control loop only.
final class Daemon: EventHandler, @unchecked Sendable {
    private let folders: Folders
    private let log: Log
    private let store: StateStore
    private let opener: CollectionOpener
    private let refresher: Refresher
    private let server: Server
    private let control: EventLoop
    private let signals: SignalReader
    private var definitions: [Definition]
    private var cursorKey: (UInt64, UInt64)
    private var watch = LoopWatch()
    private var clock = ClockWatch(wall: Clocks.wall, sinceBoot: Clocks.sinceBoot)
    private let journal: Journal
    private var lastStatus = ""
    private var isStopping = false
    private var exitCode = Program.ExitCode.stopped
    private var verifier: WorkerPool?

    /// How long requests in flight may take once the daemon is told to stop, before what they wait for is given up.
    private static let grace: Duration = .milliseconds(3_500)
    /// How often the sentence of `systemctl status`, and the wall clock, are looked over.
    private static let statusInterval: Duration = .seconds(5)

    /// Runs until a signal ends it.
    ///
    /// - Returns: the exit code.
    static func run(_ folders: Folders) -> Int32 {
        let log = Log()
        ProcessMemory.limitArenas(2)
        let reading = ConfigurationReader.read(folders)
        guard reading.problems.isEmpty else {
            for problem in reading.problems {
                log.write(.error, "the configuration is not valid", .configurationInvalid, [.reason(problem)])
            }
            return Program.ExitCode.configuration
        }
        do throws(StartFailure) {
            let daemon = try Daemon(folders, reading.configuration, log)
            do throws(StartFailure) {
                try daemon.start()
            } catch {
                daemon.end(grace: .zero)
                throw error
            }
            daemon.control.run()
            return daemon.exitCode
        } catch {
            log.write(.critical, error.message, error.event, error.fields)
            return Program.ExitCode.failed
        }
    }

    private init(_ folders: Folders, _ configuration: Configuration, _ log: Log) throws(StartFailure) {
        self.folders = folders
        self.log = log
        definitions = configuration.definitions
        do throws(SystemError) {
            // Signals are blocked before there are threads, so that none of them is interrupted.
            signals = try SignalReader([SIGTERM, SIGINT, SIGHUP])
            control = try EventLoop(name: "control")
        } catch {
            throw StartFailure(error)
        }
        _ = try? ResourceLimits.raiseOpenFiles()
        try Self.prepare(folders)
        journal = Journal(log, folders)
        let parts = try Parts(folders, configuration, journal)
        store = parts.store
        opener = parts.opener
        refresher = parts.refresher
        server = parts.server
        cursorKey = parts.cursorKey
        if let recovery = store.recovery { tell(recovery) }
    }

    private static func prepare(_ folders: Folders) throws(StartFailure) {
        for folder in [folders.state, folders.cache] {
            do throws(SystemError) {
                try Directory.create(folder, permissions: 0o700)
                _ = try FileDescriptor.temporary(in: folder)
            } catch {
                throw StartFailure(error, folder: folder)
            }
        }
    }

    // MARK: - Start

    private func start() throws(StartFailure) {
        do throws(SystemError) {
            try listen()
            try server.start()
            try control.add(signals.raw, .read, handler: self)
        } catch {
            throw StartFailure(error)
        }
        let text = statusText()
        lastStatus = text
        ServiceManager.ready(status: text)
        log.write(.notice, "ready", .ready, [.version(Product.version), .path(folders.socket)])
        control.schedule(after: Self.statusInterval) { [self] in tellStatus() }
        do throws(SystemError) {
            try refresher.start()
            verifier = try WorkerPool(name: "verify", threads: 1, urgency: .background)
        } catch {
            throw StartFailure(error)
        }
        verify()
        if let interval = Watchdog.interval {
            feedWatchdog(every: .nanoseconds(Int64(interval.wholeNanoseconds / 3)))
        }
    }

    /// Takes the sockets that systemd hands over, or binds one.
    private func listen() throws(SystemError) {
        let inherited = InheritedDescriptor.all()
        let listeners = inherited.filter { $0.name == Self.unitName && $0.isListener }
        // A stored socket that no client would find any more is of no use.
        let stored = inherited.filter {
            $0.name == Self.storedName && listeners.isEmpty && $0.isListener(at: folders.socket)
                && UnixSocket.exists(at: folders.socket)
        }
        let used = listeners + stored.prefix(1)
        for descriptor in inherited {
            let socket = descriptor.take()
            guard used.contains(descriptor) else { continue }
            try socket.setNonblocking(true)
            server.listen(on: socket)
        }
        if stored.isEmpty, inherited.contains(where: { $0.name == Self.storedName }) {
            ServiceManager.forget(name: Self.storedName)
        }
        if !used.isEmpty { return }
        try Directory.create(Paths.parent(folders.socket))
        let group = getuid() == 0 ? NameService.group(Self.socketGroup) : nil
        let socket = try UnixSocket.listen(path: folders.socket, permissions: 0o660, group: group)
        ServiceManager.store(socket.raw, name: Self.storedName)
        server.listen(on: socket)
    }

    /// The names of descriptors that are our listening socket: of the socket unit, and in the descriptor store.
    private static let unitName = "claimsd.socket"
    private static let storedName = "listener"
    /// Who may open a socket that the daemon binds itself.
    private static let socketGroup = "claims"

    // MARK: - Signals

    func ready(_ events: EventMask, on loop: EventLoop) {
        while let signal = signals.next() {
            if signal == SIGHUP { reload() } else { stop() }
        }
    }

    private func reload() {
        ServiceManager.reloading()
        let reading = ConfigurationReader.read(folders)
        for problem in reading.problems {
            log.write(.error, "the old configuration stays in force", .reloadRejected, [.reason(problem)])
        }
        if reading.isComplete { apply(reading) }
        if reading.problems.isEmpty { log.write(.notice, "the configuration was reloaded", .reloaded) }
        ServiceManager.ready(status: statusText())
    }

    /// Puts into force what is sound; of what is not, the old stays.
    private func apply(_ reading: ConfigurationReader.Reading) {
        var newest = reading.sound
        for name in reading.configuration.names where !newest.contains(where: { $0.name == name }) {
            if let old = definitions.first(where: { $0.name == name }) { newest.append(old) }
        }
        do throws(StoreError) {
            try opener.reload(newest)
            definitions = newest
        } catch {
            log.write(.error, "the definitions could not be reloaded", .reloadRejected, [.reason(error.message)])
        }
        guard reading.areSettingsSound else { return }
        server.reconfigure(ServerConfiguration(reading.configuration.settings, cursorKey: cursorKey))
        refresher.configure(reading.configuration.settings)
    }

    /// Looks over the state database and the checksums of all snapshots, off every loop. A wrong snapshot is built again.
    private func verify() {
        let names = definitions.map(\.name)
        verifier?.post { [self] in
            if let damage = store.check() { control.post { [self] in restart(because: damage) } }
            for name in names { opener.verify(name) }
        }
    }

    /// Ends the daemon, to be started again, because a start recovers the state database.
    private func restart(because damage: StoreError) {
        log.write(
            .critical, "the state database is damaged, and is recovered by the next start", nil,
            [.path(store.path), .reason(damage.message)])
        let isSupervised = Environment.nonempty("NOTIFY_SOCKET") != nil
        exitCode = isSupervised ? Program.ExitCode.failed : Program.ExitCode.startAgain
        stop()
    }

    private func tell(_ recovery: StateRecovery) {
        var fields: [LogField] = [.path(recovery.movedTo), .reason(recovery.reason.message)]
        if !recovery.incomplete.isEmpty {
            fields.append(LogField("INCOMPLETE", recovery.incomplete.joined(separator: " ")))
        }
        log.write(
            .critical, "the state database was damaged, and what could be read of it was saved", .stateDamaged, fields)
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        ServiceManager.stopping(status: "stopping")
        log.write(.notice, "stopping", .stopping)
        end(grace: Self.grace)
    }

    /// Ends every thread, when requests in flight are answered or the time is up.
    private func end(grace: Duration) {
        server.stop(grace: grace, hurry: refresher.stop)
        refresher.stop()
        verifier?.stop()
        store.close()
        control.stop()
    }

    // MARK: - Telling how it fares

    private func statusText() -> String {
        StatusLine.text(store.catalog.current(), clients: server.clients, now: Clocks.wall)
    }

    private func tellStatus() {
        if let jump = clock.step(wall: Clocks.wall, sinceBoot: Clocks.sinceBoot) { journal.tellClockStep(jump) }
        if store.takeSuspicion() { verify() }
        let text = statusText()
        if text != lastStatus {
            lastStatus = text
            ServiceManager.status(text)
        }
        control.schedule(after: Self.statusInterval) { [self] in tellStatus() }
    }

    /// Tells systemd that the daemon is well, as long as the loops that serve, store and schedule all turn.
    private func feedWatchdog(every interval: Duration) {
        var subjects = server.eventLoops.map { LoopWatch.Subject(name: $0.name, progress: $0.turns) }
        subjects.append(LoopWatch.Subject(name: "state", progress: store.turns))
        subjects.append(LoopWatch.Subject(name: "schedule", progress: refresher.turns))
        let stalled = watch.stalled(subjects)
        if stalled.isEmpty {
            ServiceManager.alive()
        } else {
            log.write(.critical, "no progress", .loopStalled, [.reason(stalled.joined(separator: ", "))])
        }
        // Who is idle stands still until woken: by the next look each must have turned.
        for loop in server.eventLoops { loop.wake() }
        store.wake()
        refresher.wake()
        control.schedule(after: interval) { [self] in feedWatchdog(every: interval) }
    }
}
