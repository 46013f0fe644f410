// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// A descriptor that another owner closes, such as standard input: single reads and writes that end as the kernel ends
/// them.
///
/// ```swift
/// switch try BorrowedDescriptor(1).write(bytes, in: sent..<bytes.count) {
/// case .bytes(let count): sent += count
/// case .wouldBlock: // wait(for: .write, before: deadline)
/// case .closed: // the reader has gone
/// }
/// ```
public struct BorrowedDescriptor: Sendable {
    /// The number of the descriptor. Its owner keeps it open while this value is used.
    public let raw: Int32

    public init(_ raw: Int32) { self.raw = raw }

    /// Reads at most as many bytes as fit into `buffer`, which must have room for one (read(2)).
    ///
    /// - Returns: `wouldBlock` where a nonblocking descriptor has no bytes, `closed` at the end of the input.
    public func read(into buffer: inout [UInt8]) throws(SystemError) -> Transfer {
        precondition(!buffer.isEmpty, "there must be room")
        while true {
            // The call writes at most `room.count` bytes, all of them the array's.
            let count = unsafe buffer.withUnsafeMutableBytes { room in
                unsafe Glibc.read(raw, room.baseAddress, room.count)
            }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .closed }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: throw .last("read")
            }
        }
    }

    /// Writes `bytes[range]` as far as the descriptor takes them (write(2)).
    ///
    /// - Returns: `wouldBlock` where a nonblocking descriptor takes no byte, `closed` where its reader has gone.
    public func write(_ bytes: [UInt8], in range: Range<Int>) throws(SystemError) -> Transfer {
        let part = unsafe bytes.span.extracting(range).bytes
        while true {
            // The call reads the bytes of the span, which the array keeps.
            let count = unsafe part.withUnsafeBytes { unsafe Glibc.write(raw, $0.baseAddress, $0.count) }
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EPIPE: return .closed
            default: throw .last("write")
            }
        }
    }

    /// Waits until the descriptor is ready for one of `events` or has failed, or until a time of the monotonic clock.
    ///
    /// - Parameter deadline: nanoseconds; nil waits without end, and a time that has passed does not wait.
    /// - Returns: whether it is ready. A failure shows in the next read or write.
    public func wait(for events: EventMask, before deadline: UInt64?) throws(SystemError) -> Bool {
        var entries = [Readiness.entry(raw, events)]
        return try Readiness.wait(for: &entries, before: deadline)
    }
}

/// The wait for several descriptors at once (poll(2)).
public enum Readiness {
    /// An entry for one descriptor. One below 0 is passed over by the kernel, and is never ready.
    public static func entry(_ descriptor: Int32, _ events: EventMask) -> pollfd {
        pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events.rawValue & 0xff), revents: 0)
    }

    /// Waits until one of the entries is ready or has failed, or until a time of the monotonic clock. A signal does not
    /// end the wait.
    ///
    /// - Parameters:
    ///   - entries: their `revents` tell afterwards what each is ready for; 0 for nothing.
    ///   - deadline: nanoseconds; nil waits without end, and a time that has passed does not wait.
    /// - Returns: whether an entry is ready; false when the time has come.
    public static func wait(
        for entries: inout [pollfd], before deadline: UInt64?
    ) throws(SystemError) -> Bool {
        while true {
            // The array lives as long as the call, which changes `revents` of its entries only.
            let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds(until: deadline))
            if count > 0 { return true }
            if count == 0 {
                // The kernel rounds the time to its own ticks.
                if let deadline, SystemClock.monotonic < deadline { continue }
                return false
            }
            guard errno == EINTR else { throw .last("wait for a file descriptor") }
        }
    }

    /// The time that is left, in milliseconds for poll(2), rounded up; -1 without a deadline.
    static func milliseconds(until deadline: UInt64?) -> Int32 {
        guard let deadline else { return -1 }
        let now = SystemClock.monotonic
        guard now < deadline else { return 0 }
        let (left, remainder) = (deadline - now).quotientAndRemainder(dividingBy: 1_000_000)
        return Int32(clamping: left + (remainder > 0 ? 1 : 0))
    }
}
