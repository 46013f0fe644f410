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
    private var unsent: [UInt8] = []
    private var sent = 0
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
        // It belongs to another user, and blocks where it is slow.
        let copy = dup(1)
        guard copy >= 0 else { throw .last("open the terminal") }
        return FileDescriptor(owning: copy)
    }

    /// The present size.
    public var size: ScreenSize { ScreenSize(told: TerminalDevice.size(output)) }

    /// Takes the screen over; the next frame is drawn from nothing.
    public func enter() throws(SystemError) {
        let leaving = hasOtherScreen ? ControlSequence.leaveOtherScreen : ControlSequence.leaveErasing
        try RawTerminal.enter(input: input, output: output, leaving: leaving)
        unsent = hasOtherScreen ? ControlSequence.enterOtherScreen : ControlSequence.enterErasing
        if isMouseOn { unsent += ControlSequence.mouseOn }
        sent = 0
        shown = nil
    }

    /// Gives the screen back; what is not sent yet is dropped.
    public func leave() {
        RawTerminal.leave()
        unsent = []
        sent = 0
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

    /// The bytes of keys that wait, some thousand at most; empty where none wait, nil where the terminal is gone.
    public func read() throws(SystemError) -> [UInt8]? {
        var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return [] }
        let count = unsafe received.withUnsafeMutableBytes { unsafe Glibc.read(input, $0.baseAddress, $0.count) }
        if count > 0 { return Array(received[..<count]) }
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        if count == 0 || errno == EIO { return nil }
        throw .last("read the terminal")
    }
}

// Output.

extension Terminal {
    /// Whether all is sent, so that a frame can be shown.
    public var isIdle: Bool { sent == unsent.count }

    /// Draws the next frame from nothing.
    public func redraw() { shown = nil }

    /// Begins to show a frame; ``send()`` sends it. Nothing may be on its way.
    public func show(_ frame: Frame) {
        enqueue(writer.bytes(from: shown, to: frame))
        shown = frame
    }

    /// Asks the terminal to report the mouse, or not to.
    public func setMouse(isOn: Bool) {
        guard isOn != isMouseOn else { return }
        isMouseOn = isOn
        enqueue(isOn ? ControlSequence.mouseOn : ControlSequence.mouseOff)
    }

    /// Asks the terminal to copy a text to its clipboard; false for one that is too long for that.
    public func copy(_ text: String) -> Bool {
        guard let sequence = ControlSequence.clipboard(text) else { return false }
        enqueue(sequence)
        return true
    }

    private func enqueue(_ bytes: [UInt8]) {
        if isIdle {
            unsent = bytes
            sent = 0
        } else {
            unsent += bytes
        }
    }

    /// Sends what the terminal takes now.
    ///
    /// - Throws: the error of a terminal that is gone.
    public func send() throws(SystemError) {
        while !isIdle {
            let count = unsafe unsent.withUnsafeBytes { bytes in
                unsafe Glibc.write(output, bytes.baseAddress.map { unsafe $0 + sent }, bytes.count - sent)
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw .last("write to the terminal")
            }
        }
    }
}
