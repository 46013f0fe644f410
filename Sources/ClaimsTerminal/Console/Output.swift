// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsPlatform
import Glibc

/// A buffered writer for standard output or standard error, for one thread.
///
/// A write passes on the buffer when it holds 64 KiB. The caller flushes the rest at the end.
public final class Output {
    /// Where it goes; `nil` keeps it, for tests.
    private var descriptor: Int32?
    /// The bytes that have not been written yet.
    public private(set) var bytes: [UInt8] = []

    /// The descriptor that it writes to, for poll(2); nil if it keeps everything.
    var watchedDescriptor: Int32? { descriptor }

    /// Whether bytes have been passed on, so that they cannot be taken back.
    private(set) var hasWritten = false

    /// The size of one write, in bytes.
    private static let pieceSize = 64 * 1024

    /// Makes a writer to a file descriptor, which it does not close; `nil` keeps everything in ``bytes``, for tests.
    public init(descriptor: Int32?) {
        self.descriptor = descriptor
    }

    /// Appends the text in UTF-8.
    ///
    /// - Throws: an `OutputError` when a full buffer cannot be written. Buffered bytes are lost.
    public func write(_ text: String) throws(OutputError) {
        bytes += text.utf8
        try flushIfLarge()
    }

    /// Appends bytes.
    ///
    /// - Throws: an `OutputError` when a full buffer cannot be written. Buffered bytes are lost.
    public func write(_ more: [UInt8]) throws(OutputError) {
        bytes += more
        try flushIfLarge()
    }

    /// Appends what the closure adds to the buffer, which saves a copy.
    ///
    /// - Throws: an `OutputError` when a full buffer cannot be written. Buffered bytes are lost.
    public func write(_ append: (inout [UInt8]) -> Void) throws(OutputError) {
        append(&bytes)
        try flushIfLarge()
    }

    /// Drops the bytes that have not been written yet.
    func discard() { bytes.removeAll(keepingCapacity: true) }

    private func flushIfLarge() throws(OutputError) {
        if descriptor != nil, bytes.count >= Self.pieceSize { try flush() }
    }

    /// Flushes, and directs every later write to another file descriptor, such as a pager's.
    public func redirect(to descriptor: Int32) throws(OutputError) {
        try flush()
        self.descriptor = descriptor
    }

    /// Writes the whole buffer with write(2), and waits while a nonblocking descriptor takes nothing.
    ///
    /// - Throws: `OutputError.closed` when the reader has gone (`EPIPE`), `OutputError.failed` for any other error. The
    ///   buffer is empty afterwards in either case.
    public func flush() throws(OutputError) {
        guard let descriptor else { return }
        var done = 0
        defer { bytes.removeAll(keepingCapacity: true) }
        while done < bytes.count {
            guard let count = try write(from: done, to: BorrowedDescriptor(descriptor)) else { throw .closed }
            done += count
            if count > 0 { hasWritten = true }
        }
    }

    /// Writes once, and waits where the descriptor takes nothing; returns nil if its reader has gone.
    private func write(from start: Int, to descriptor: BorrowedDescriptor) throws(OutputError) -> Int? {
        do throws(SystemError) {
            switch try descriptor.write(bytes, in: start..<bytes.count) {
            case .bytes(let count): return count
            case .wouldBlock:
                _ = try descriptor.wait(for: .write, before: nil)
                return 0
            case .closed: return nil
            }
        } catch {
            throw .failed(SystemError("write the output", errno: error.errno))
        }
    }
}

extension Output {
    /// Returns once what was written is on its device, where that is a file; there is nothing to do for anything else.
    func sync() throws(OutputError) {
        guard let descriptor = watchedDescriptor, fsync(descriptor) != 0 else { return }
        // A pipe, a socket or a terminal cannot be synced.
        if errno == EINVAL || errno == EROFS || errno == ENOTSUP || errno == EBADF { return }
        throw .failed(.last("write the output"))
    }
}

/// The reason why output, or a part of it, could not be written.
public enum OutputError: Error {
    /// The reader of the pipe has gone, as `head` does. The program ends without a message.
    case closed
    case failed(SystemError)
    /// A name has control characters, and the format has no way to write them. It is not printed.
    case unprintable(String)
}

extension OutputError {
    /// Why the output could not be written; nil if its reader has gone.
    var text: TranslatedText? {
        switch self {
        case .closed: nil
        case .failed(let error):
            TranslatedText(en: error.message, pl: "nie można zapisać wyniku: \(error.reasonText.polish)")
        case .unprintable(let name):
            TranslatedText(
                en: "'\(Escaping.controls(name))' has control characters and is not printed",
                pl: "„\(Escaping.controls(name))” ma znaki sterujące i nie zostaje wypisany")
        }
    }

    /// The suggestion what to do; nil if there is none.
    var hint: TranslatedText? {
        switch self {
        case .closed, .failed: nil
        case .unprintable:
            TranslatedText(
                en: "it would be read as another name or as two; -o jsonl writes it with escapes",
                pl: "zostałby odczytany jako inny lub jako dwa; -o jsonl zapisuje go z sekwencjami \\u")
        }
    }
}
