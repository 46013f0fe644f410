// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsTerminal
import Glibc

/// The receiver of an answer.
enum BrowseRecipient: Hashable {
    case model(BrowseRequest.Tag)
    case file(TransferNumber)
}

/// The connection of `browse`.
typealias BrowseLink = FollowedConnection<BrowseRecipient>

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
        handle(.resized(terminal.size))
        handle(.connected)
        while true {
            try draw()
            if let exitCode { return exitCode }
            let isReadable = try wait()
            try readSignals()
            try readKeys()
            let now = SystemClock.monotonic
            for arrival in link.exchange(at: now, canRead: isReadable) { receive(arrival) }
            for arrival in link.tend(at: now) { receive(arrival) }
            for outcome in programs.ended() { handle(.performed(outcome)) }
            if let wakeAt, SystemClock.monotonic >= wakeAt {
                lastWake = SystemClock.monotonic
                handle(.woken)
            }
        }
    }

    /// The time at which `BrowseEvent.woken` is due; nil for never.
    private var wakeAt: UInt64? { model.wakeAt.map { max($0, lastWake + Self.minWakeInterval) } }

    /// Gives an event to the model, and performs its commands.
    func handle(_ event: BrowseEvent) {
        pace.eventHandled()
        let moment = BrowseMoment(wall: wallTime(), monotonic: SystemClock.monotonic)
        let wereAwaited = model.state.areRowsAwaited
        let commands = model.handle(event, at: moment)
        if model.hasInterrupted { sight = .unseen }
        for command in commands { perform(command) }
        // Rows that a key has asked for are drawn as soon as the key itself.
        if wereAwaited, !model.state.areRowsAwaited { pace.keyHandled(at: moment.monotonic) }
    }

    func quit(_ code: ExitCode) { exitCode = exitCode ?? code }

    /// Draws the screen from nothing, as soon as that can be.
    func redraw() {
        terminal.redraw()
        pace.keyHandled(at: SystemClock.monotonic)
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
        handle(.resized(terminal.size))
        redraw()
    }

    private func readSignals() throws(SystemError) {
        while let signal = signals.next() {
            switch signal {
            case SIGTSTP: suspend(wholeGroup: false)
            case SIGWINCH: handle(.resized(terminal.size))
            default:
                // It was stopped by force, and others have used the terminal meanwhile.
                link.restartSilence()
                try terminal.enter()
                handle(.resized(terminal.size))
                redraw()
            }
        }
    }

    /// Handles all keys that wait, or those of the time after which a frame is made.
    private func readKeys() throws(SystemError) {
        repeat {
            if keys.isEmpty {
                guard let bytes = try terminal.read() else { return quit(.failure) }
                let now = SystemClock.monotonic
                keys = (bytes.isEmpty ? decoder.expire(at: now) : decoder.read(bytes, at: now))[...]
                if bytes.isEmpty, keys.isEmpty { return }
            }
            guard let key = keys.popFirst() else { continue }
            // No key answers what its typist has not seen.
            guard sight == .seen || key.isImmediate else { continue }
            handle(.input(key))
            pace.keyHandled(at: SystemClock.monotonic)
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

// The commands of the model, and their outcomes.

extension BrowseLoop {
    private var messages: Messages { Messages(model.state.person.language) }

    func perform(_ command: BrowseCommand) {
        switch command {
        case .ask(let request): link.ask(request.method, request.parameters, for: .model(request.tag))
        case .cancel(let tag): link.cancel(.model(tag))
        case .copy(let text): copy(text)
        case .open(let target): open(target)
        case .upload(let number, let path, let collection): upload(number, path: path, collection: collection)
        case .redraw: redraw()
        case .suspend: suspend(wholeGroup: true)
        case .mouse(let isOn): terminal.setMouse(isOn: isOn)
        case .quit(let code): quit(code)
        }
    }

    func receive(_ arrival: BrowseLink.Arrival) {
        switch arrival {
        case .connected: handle(.connected)
        case .lost:
            for (number, transfer) in transfers {
                transfers[number] = nil
                handle(.performed(transfer.failure(messages.connectionLost)))
            }
            handle(.lost)
        case .silent(let since): handle(.silent(since: since))
        case .answering: handle(.answering)
        case .notification(let line): handle(.notified(line))
        case .answer(.model(let tag), .success(let result)): handle(.answered(tag, result))
        case .answer(.model(let tag), .failure(let refusal)): handle(.refused(tag, refusal))
        case .answer(.file(let number), let answer): handle(answer, for: number)
        }
    }
}

// Copying and opening.

extension BrowseLoop {
    private func copy(_ text: String) {
        let isSent = terminal.copy(text)
        let otherwise: CommandOutcome =
            isSent ? .copied(text) : .notCopied(text, reason: messages.tooLongToCopy)
        guard desktop.isTmux else { return handle(.performed(otherwise)) }
        let messages = messages
        do throws(SystemError) {
            try programs.start("tmux", ["load-buffer", "-w", "-"], input: Array(text.utf8)) { status in
                status == .exited(0)
                    ? .copied(text) : .notCopied(text, reason: messages.programFailed("tmux", code: status.code))
            }
        } catch {
            handle(.performed(otherwise))
        }
    }

    private func open(_ target: OpenTarget) {
        switch target {
        case .address(let address): open(target, desktop.way(toOpen: address), text: address)
        case .attachment(let collection, let id, let file):
            do throws(SystemError) {
                let language = model.state.person.language
                begin(
                    try FetchTransfer(
                        target, of: (collection, id), file, language: language, environment: environment))
            } catch {
                handle(.performed(.notOpened(target, reason: messages.text(error.reasonText))))
            }
        }
    }

    private func open(_ target: OpenTarget, _ way: Desktop.Way, text: String) {
        switch way {
        case .refused: handle(.performed(.notOpened(target, reason: messages.isNoAddress)))
        case .copying: copy(text)
        case .program(let name, let arguments):
            let messages = messages
            do throws(SystemError) {
                try programs.start(name, arguments) { status in
                    // A program that was ended by a signal has not failed.
                    guard case .exited(let code) = status, code != 0 else { return nil }
                    return .notOpened(target, reason: messages.programFailed(name, code: code))
                }
                handle(.performed(.opened(target)))
            } catch {
                handle(.performed(.notOpened(target, reason: messages.text(error.text))))
            }
        }
    }
}

// Files.

extension BrowseLoop {
    private func upload(_ number: SentFile.Number, path: String, collection: String) {
        do throws(SystemError) {
            let language = model.state.person.language
            begin(try UploadTransfer(number, path: path, collection: collection, language: language))
        } catch {
            handle(.performed(.notUploaded(number, reason: messages.text(error.reasonText))))
        }
    }

    private func begin(_ transfer: any AttachmentTransfer) {
        guard link.isConnected else { return handle(.performed(transfer.failure(messages.connectionLost))) }
        lastTransfer += 1
        let number = TransferNumber(value: lastTransfer)
        transfers[number] = transfer
        follow(transfer.begin(), of: number)
    }

    private func handle(_ answer: Result<AnswerValue, Refusal>, for number: TransferNumber) {
        guard let transfer = transfers[number] else { return }
        switch answer {
        case .success(let result): follow(transfer.handle(result), of: number)
        case .failure(let refusal): follow(.failed(reason: messages.transferRefused(refusal)), of: number)
        }
    }

    private func follow(_ step: TransferStep, of number: TransferNumber) {
        switch step {
        case .ask(let method, let parameters): link.ask(method, parameters, for: .file(number))
        case .report(let outcome, let method, let parameters):
            link.ask(method, parameters, for: .file(number))
            handle(.performed(outcome))
        case .finished(let outcome):
            transfers[number] = nil
            handle(.performed(outcome))
        case .fetched(let target, let path):
            transfers[number] = nil
            open(target, desktop.way(toOpenFile: path), text: path)
        case .failed(let reason):
            guard let transfer = transfers.removeValue(forKey: number) else { return }
            handle(.performed(transfer.failure(reason)))
        }
    }
}

/// The times at which frames are made: at once after a key, and not too often after events. Pure.
///
/// Keys that wait are all taken before a frame is made. While a key is held down, one is made every ``maxKeyDelay``.
struct FramePace {
    /// The shortest time between frames that no key asks for, in nanoseconds: 20 a second.
    static let minInterval: UInt64 = 50_000_000
    /// The maximum time for which keys are taken without a frame, in nanoseconds.
    static let maxKeyDelay: UInt64 = 100_000_000

    private var lastFrame: UInt64 = 0
    private var firstKey: UInt64?
    private var hasNews = true

    /// Records that a key has changed what is shown.
    mutating func keyHandled(at now: UInt64) { firstKey = firstKey ?? now }

    /// Records that something else has.
    mutating func eventHandled() { hasNews = true }

    /// Whether no more keys are to be taken before a frame is made.
    func mustDraw(at now: UInt64) -> Bool { firstKey.map { now >= $0 + Self.maxKeyDelay } ?? false }

    /// The time at which a frame is due; nil if nothing has changed.
    var dueAt: UInt64? {
        if firstKey != nil { return 0 }
        return hasNews ? (lastFrame == 0 ? 0 : lastFrame + Self.minInterval) : nil
    }

    /// Records that a frame was made.
    mutating func drawn(at now: UInt64) {
        lastFrame = now
        firstKey = nil
        hasNews = false
    }
}

// The texts of the loop: copying, opening, sending files.

extension Messages {
    func fileChanged(_ name: String) -> String {
        text(en: "\(name) has changed while it was read", pl: "plik \(name) zmienił się podczas odczytu")
    }

    var connectionLost: String {
        text(en: "claimsd does not answer", pl: "claimsd nie odpowiada")
    }

    var tooLongToCopy: String {
        text(en: "it is too long for the terminal", pl: "tekst jest za długi dla terminala")
    }

    var isNoAddress: String {
        text(en: "only http and https addresses are opened", pl: "otwierane są tylko adresy http i https")
    }

    func programFailed(_ program: String, code: Int32) -> String {
        text(en: "\(program) ended with code \(code)", pl: "program \(program) zakończył się z kodem \(code)")
    }
}
