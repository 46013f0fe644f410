// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform
import Glibc

/// The terminal that a program has taken over: bytes of keys in, frames out. For one thread.
///
/// Nothing blocks: one frame is on its way at a time, and the next one is made when it is out.
///
/// ```swift
/// let terminal = try Terminal(name: environment("TERM"), isColored: true)
/// try terminal.enter()
/// while let bytes = try terminal.read() {
///     // …
///     if terminal.isIdle { terminal.show(frame) }
///     try terminal.send()
/// }
/// terminal.leave()
/// ```
public final class Terminal {
    /// Descriptors for poll(2): keys come from the first, and frames go to the second.
    public let input: Int32 = 0
    public var output: Int32 { outputFile.raw }

    private let outputFile: FileDescriptor
    private let writer: FrameWriter
    /// Whether there is another screen than that of the shell.
    private let hasOtherScreen: Bool
    /// The frame that the terminal shows, or will show when all is sent; nil for anything else.
    private var shown: Frame?
    private var isMouseOn = false
    private var queue = TerminalQueue()
    private var received = [UInt8](repeating: 0, count: 4096)

    /// Opens the terminal of standard output, and changes nothing of it yet.
    ///
    /// - Parameter name: the value of TERM.
    public init(name: String?, isColored: Bool) throws(SystemError) {
        writer = FrameWriter(isColored: isColored)
        hasOtherScreen = name != "linux"
        outputFile = try Self.open()
    }

    /// A descriptor of its own for the terminal: a nonblocking one must not be shared with the shell.
    private static func open() throws(SystemError) -> FileDescriptor {
        for path in ["/proc/self/fd/1", "/dev/tty"] {
            guard let file = try? FileDescriptor.open(path, .update), TerminalDevice.isTerminal(file.raw) else {
                continue
            }
            try file.setNonblocking(true)
            return file
        }
        // The terminal of another user cannot be opened. This descriptor is shared, so a slow terminal blocks.
        let copy = dup(1)
        guard copy >= 0 else { throw .last("open the terminal") }
        return FileDescriptor(owning: copy)
    }

    /// The present size.
    public var size: ScreenSize { ScreenSize(reported: TerminalDevice.size(output)) }

    /// Takes the screen over; the next frame is drawn from nothing.
    public func enter() throws(SystemError) {
        let leaving = hasOtherScreen ? ControlSequence.leaveOtherScreen : ControlSequence.leaveErasing
        try RawTerminal.enter(input: input, output: output, leaving: leaving)
        queue.restart(with: hasOtherScreen ? ControlSequence.enterOtherScreen : ControlSequence.enterErasing)
        if isMouseOn { queue.add(mouseMode: ControlSequence.mouseOn) }
        shown = nil
    }

    /// Gives the screen back; what is not sent yet is dropped.
    public func leave() {
        RawTerminal.leave()
        queue = TerminalQueue()
        shown = nil
    }

    /// Stops the process as ^Z does; returns when it goes on, and the screen is taken again.
    ///
    /// - Parameter wholeGroup: whether the other processes of the job are stopped too.
    public func stop(wholeGroup: Bool) throws(SystemError) {
        leave()
        RawTerminal.stop(wholeGroup: wholeGroup)
        try enter()
    }

    /// The bytes of keys that wait, some thousand at most; empty where none wait, nil if the terminal is gone.
    public func read() throws(SystemError) -> [UInt8]? {
        let keys = BorrowedDescriptor(input)
        do throws(SystemError) {
            guard try keys.wait(for: .read, before: 0) else { return [] }
            switch try keys.read(into: &received) {
            case .bytes(let count): return Array(received[..<count])
            case .wouldBlock: return []
            case .closed: return nil
            }
        } catch {
            // A terminal that has been closed gives EIO (tty_ioctl(4)).
            if error.errno == EIO { return nil }
            throw SystemError("read the terminal", errno: error.errno)
        }
    }
}

// Output.

extension Terminal {
    /// Whether all is sent, so that a frame can be shown.
    public var isIdle: Bool { queue.isEmpty }

    /// Draws the next frame from nothing.
    public func redraw() { shown = nil }

    /// Begins to show a frame; ``send()`` sends it. Nothing may be on its way.
    public func show(_ frame: Frame) {
        queue.add(frame: writer.bytes(from: shown, to: frame))
        shown = frame
    }

    /// Turns the reports of the mouse on or off.
    public func setMouse(isOn: Bool) {
        guard isOn != isMouseOn else { return }
        isMouseOn = isOn
        queue.add(mouseMode: isOn ? ControlSequence.mouseOn : ControlSequence.mouseOff)
    }

    /// Sends a text for the terminal's clipboard; a text that waits is replaced. Returns false for one that is too long.
    public func copy(_ text: String) -> Bool {
        guard let sequence = ControlSequence.clipboard(text) else { return false }
        queue.add(clipboard: sequence)
        return true
    }

    /// Sends what the terminal takes now.
    ///
    /// - Throws: the error of a terminal that is gone.
    public func send() throws(SystemError) {
        while !isIdle {
            let transfer: Transfer
            do throws(SystemError) {
                transfer = try BorrowedDescriptor(output).write(queue.bytes, in: queue.rest)
            } catch {
                throw SystemError("write to the terminal", errno: error.errno)
            }
            switch transfer {
            case .bytes(let count): queue.advance(by: count)
            case .wouldBlock: return
            case .closed: throw SystemError("write to the terminal", errno: EPIPE)
            }
        }
    }
}

/// The bytes on their way to a terminal, and the requests that follow them. Pure.
///
/// It holds one frame, the newest text for the clipboard and the newest mode of the mouse, so that a terminal that
/// takes nothing makes nothing grow.
struct TerminalQueue {
    /// The bytes under way.
    private(set) var bytes: [UInt8] = []
    /// The number of ``bytes`` that the terminal has taken.
    private(set) var sent = 0
    private var mouseMode: [UInt8] = []
    private var clipboard: [UInt8] = []

    /// The bytes that the terminal has still to take; none follow an empty range.
    var rest: Range<Int> { sent..<bytes.count }
    /// Whether all is sent, so that a frame can follow.
    var isEmpty: Bool { rest.isEmpty }

    /// Begins with other bytes, and drops all that was under way.
    mutating func restart(with bytes: [UInt8]) {
        self = TerminalQueue()
        self.bytes = bytes
    }

    /// Adds a frame; the queue is empty before.
    mutating func add(frame: [UInt8]) { restart(with: frame) }

    /// Adds the sequence that turns reports of the mouse on or off, in place of one that waits.
    mutating func add(mouseMode sequence: [UInt8]) {
        mouseMode = sequence
        advance()
    }

    /// Adds the sequence that copies a text, in place of one that waits.
    mutating func add(clipboard sequence: [UInt8]) {
        clipboard = sequence
        advance()
    }

    /// Records that the terminal has taken so many bytes.
    mutating func advance(by count: Int) {
        sent += count
        advance()
    }

    private mutating func advance() {
        guard isEmpty else { return }
        bytes = mouseMode + clipboard
        (mouseMode, clipboard, sent) = ([], [], 0)
    }
}
