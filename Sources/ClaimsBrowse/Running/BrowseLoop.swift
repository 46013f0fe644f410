// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsScreen
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
    private var pace = FramePace()
    private var lastWake: UInt64 = 0
    /// The shortest time between two times of the model, in nanoseconds.
    private static let minWakeInterval: UInt64 = 10_000_000
    /// The code to end with; nil as long as it runs.
    private var exitCode: ExitCode?

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
            let isReadable = wait()
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

    /// The time at which the model wants to be woken; nil for never.
    private var wakeAt: UInt64? { model.wakeAt.map { max($0, lastWake + Self.minWakeInterval) } }

    /// Gives an event to the model, and does what it wants.
    func take(_ event: BrowseEvent) {
        pace.eventTaken()
        let moment = BrowseMoment(wall: wallTime(), monotonic: SystemClock.monotonic)
        let wereAwaited = model.areRowsAwaited
        for command in model.take(event, at: moment) { perform(command) }
        // Rows that somebody waits for are drawn at once: they are the end of what a key began.
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
        // The one that let it go on, and any change of the size.
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
            take(.input(key))
            pace.keyTaken(at: SystemClock.monotonic)
        } while exitCode == nil && !pace.mustDraw(at: SystemClock.monotonic)
    }

    private func draw() throws(SystemError) {
        let now = SystemClock.monotonic
        if terminal.isIdle, exitCode == nil, let dueAt = pace.dueAt, now >= dueAt {
            pace.drawn(at: now)
            terminal.show(BrowseRenderer.frame(of: model.state))
        }
        try terminal.send()
    }

    /// Waits until something happens or a time has come.
    ///
    /// - Returns: whether the daemon has sent something.
    private func wait() -> Bool {
        let watched = link.watched
        var entries = [
            pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.raw, events: Int16(POLLIN), revents: 0),
            // A descriptor below 0 is passed over.
            pollfd(fd: terminal.isIdle ? -1 : terminal.output, events: Int16(POLLOUT), revents: 0),
            pollfd(
                fd: watched?.descriptor ?? -1,
                events: Int16(watched?.hasUnsent == true ? POLLIN | POLLOUT : POLLIN), revents: 0),
        ]
        entries += programs.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let times = [decoder.deadline, wakeAt, link.nextTime, terminal.isIdle ? pace.dueAt : nil]
        let next = link.hasLines || !keys.isEmpty ? 0 : times.compactMap(\.self).min()
        let now = SystemClock.monotonic
        var milliseconds: Int32 = -1
        if let next, next < .max {
            milliseconds = now >= next ? 0 : Int32(clamping: (next - now + 999_999) / 1_000_000)
        }
        _ = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
        return entries[3].revents & ~Int16(POLLOUT) != 0
    }
}
