// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsTerminal
import Glibc

/// The loop of `browse`: keys, answers, signals and times go into the model, and frames out. One thread, which waits in
/// poll(2) only.
final class BrowseLoop {
    let terminal: Terminal
    let link: BrowseLink
    let desktop: Desktop
    let programs = BackgroundPrograms()
    let environment: (String) -> String?
    /// The files under way.
    var transfers: [TransferNumber: any AttachmentTransfer] = [:]
    var lastTransfer = 0
    private let signals: SignalReader
    private let wallTime: () -> Int64
    private(set) var model: BrowseModel
    private var decoder = KeyDecoder()
    /// The keys of one reading that have not been taken yet.
    private var keys: ArraySlice<InputEvent> = []
    /// How far the person sees what the model has interrupted the keys for.
    private var sight = Sight.seen
    private var pace = FramePace()
    private var lastWake: UInt64 = 0
    /// The shortest time between two times of the model, in nanoseconds.
    private static let minWakeInterval: UInt64 = 10_000_000
    /// The code to end with; nil as long as it runs.
    private var exitCode: ExitCode?

    /// The way of an error, a question or a form to the screen.
    private enum Sight {
        case unseen, underWay, seen
    }

    /// - Parameters:
    ///   - signals: collects SIGTSTP, SIGCONT and SIGWINCH.
    ///   - wallTime: returns the time of day, in milliseconds since 1970.
    init(
        _ model: BrowseModel, terminal: Terminal, link: BrowseLink, signals: consuming SignalReader,
        environment: @escaping (String) -> String?, wallTime: @escaping () -> Int64
    ) {
        self.model = model
        self.terminal = terminal
        self.link = link
        self.signals = signals
        self.environment = environment
        self.wallTime = wallTime
        desktop = Desktop(environment: environment)
    }

    /// Runs until the person leaves, and returns the exit code. The terminal is given back in every case.
    ///
    /// - Throws: the error of a terminal that is gone.
    func run() throws(SystemError) -> ExitCode {
        defer { terminal.leave() }
        try terminal.enter()
        take(.resized(terminal.size))
        take(.connected)
        while true {
            try draw()
            if let exitCode { return exitCode }
            let isReadable = try wait()
            try takeSignals()
            try takeKeys()
            let now = SystemClock.monotonic
            for arrival in link.exchange(at: now, canRead: isReadable) { receive(arrival) }
            for arrival in link.tend(at: now) { receive(arrival) }
            for outcome in programs.ended() { take(.performed(outcome)) }
            if let wakeAt, SystemClock.monotonic >= wakeAt {
                lastWake = SystemClock.monotonic
                take(.woken)
            }
        }
    }

    /// The time at which `BrowseEvent.woken` is due; nil for never.
    private var wakeAt: UInt64? { model.wakeAt.map { max($0, lastWake + Self.minWakeInterval) } }

    /// Gives an event to the model, and performs its commands.
    func take(_ event: BrowseEvent) {
        pace.eventTaken()
        let moment = BrowseMoment(wall: wallTime(), monotonic: SystemClock.monotonic)
        let wereAwaited = model.areRowsAwaited
        let commands = model.take(event, at: moment)
        if model.hasInterrupted { sight = .unseen }
        for command in commands { perform(command) }
        // Rows that a key has asked for are drawn as soon as the key itself.
        if wereAwaited, !model.areRowsAwaited { pace.keyTaken(at: moment.monotonic) }
    }

    func quit(_ code: ExitCode) { exitCode = exitCode ?? code }

    /// Draws the screen from nothing, as soon as that can be.
    func redraw() {
        terminal.redraw()
        pace.keyTaken(at: SystemClock.monotonic)
    }

    /// Stops as any program does at ^Z; returns when it goes on.
    ///
    /// - Parameter wholeGroup: whether the other programs of the job are stopped too.
    func suspend(wholeGroup: Bool) {
        do throws(SystemError) {
            try terminal.stop(wholeGroup: wholeGroup)
        } catch {
            return quit(.failure)
        }
        link.restartSilence()
        // SIGCONT and SIGWINCH, to which the next lines respond.
        while signals.next() != nil {}
        take(.resized(terminal.size))
        redraw()
    }

    private func takeSignals() throws(SystemError) {
        while let signal = signals.next() {
            switch signal {
            case SIGTSTP: suspend(wholeGroup: false)
            case SIGWINCH: take(.resized(terminal.size))
            default:
                // It was stopped by force, and others have used the terminal meanwhile.
                link.restartSilence()
                try terminal.enter()
                take(.resized(terminal.size))
                redraw()
            }
        }
    }

    /// Takes all keys that wait, or those of the time after which a frame is made.
    private func takeKeys() throws(SystemError) {
        repeat {
            if keys.isEmpty {
                guard let bytes = try terminal.read() else { return quit(.failure) }
                let now = SystemClock.monotonic
                keys = (bytes.isEmpty ? decoder.expire(at: now) : decoder.take(bytes, at: now))[...]
                if bytes.isEmpty, keys.isEmpty { return }
            }
            guard let key = keys.popFirst() else { continue }
            // No key answers what its typist has not seen.
            guard sight == .seen || key.isImmediate else { continue }
            take(.input(key))
            pace.keyTaken(at: SystemClock.monotonic)
        } while exitCode == nil && !pace.mustDraw(at: SystemClock.monotonic)
    }

    private func draw() throws(SystemError) {
        let now = SystemClock.monotonic
        if terminal.isIdle, exitCode == nil, let dueAt = pace.dueAt, now >= dueAt {
            pace.drawn(at: now)
            terminal.show(BrowseRenderer.frame(of: model.state))
            if sight == .unseen { sight = .underWay }
        }
        try terminal.send()
        if terminal.isIdle, sight == .underWay { sight = .seen }
    }

    /// Waits until something happens or a time has come.
    ///
    /// - Returns: whether the daemon has sent something.
    private func wait() throws(SystemError) -> Bool {
        let watched = link.watched
        var entries = [
            Readiness.entry(terminal.input, .read), Readiness.entry(signals.raw, .read),
            Readiness.entry(terminal.isIdle ? -1 : terminal.output, .write),
            Readiness.entry(watched?.descriptor ?? -1, watched?.hasUnsent == true ? [.read, .write] : .read),
        ]
        entries += programs.descriptors.map { Readiness.entry($0, .read) }
        let times = [decoder.deadline, wakeAt, link.nextTime, terminal.isIdle ? pace.dueAt : nil]
        let next = link.hasLines || !keys.isEmpty ? 0 : times.compactMap(\.self).min()
        _ = try Readiness.wait(for: &entries, before: next)
        return entries[3].revents & ~Int16(POLLOUT) != 0
    }
}
