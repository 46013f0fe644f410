// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// A client's connection: reads requests, sends bytes. One thread uses it at a time.
struct UpstreamConnection: ~Copyable {
    /// The client closed the connection or was too slow, or the answer ends the connection.
    struct HangUp: Error {}

    /// The maximum size of the head of a request, in bytes.
    private static let maxHead = 64 << 10
    /// The maximum size of the body of a request, in bytes.
    private static let maxBody = 1 << 20
    /// The time a client may take until it sends or takes the next bytes.
    private static let stallTimeout = Duration.seconds(30)
    /// The time after which a hanging or endless answer ends.
    static let maxHang = Duration.seconds(600)

    private let socket: FileDescriptor
    private var input: [UInt8] = []

    init(_ socket: consuming FileDescriptor) {
        self.socket = socket
    }

    /// Reads the next request; nil at the end of the connection, or where the bytes are no request.
    mutating func nextRequest() -> UpstreamRequest? {
        do throws(HangUp) {
            while true {
                if let end = endOfHead() {
                    let head = input[..<end]
                    guard let request = UpstreamRequest(head: head, body: []) else { return nil }
                    let length = Int(request["content-length"] ?? "0") ?? -1
                    guard (0...Self.maxBody).contains(length) else { return nil }
                    while input.count < end + 4 + length { try receive() }
                    let whole = UpstreamRequest(head: input[..<end], body: Array(input[(end + 4)..<(end + 4 + length)]))
                    input.removeFirst(end + 4 + length)
                    return whole
                }
                // Bytes that begin like TLS, say, will never be a request.
                guard input.count < Self.maxHead, input.first.map({ (0x41...0x5a).contains($0) }) ?? true else {
                    return nil
                }
                try receive()
            }
        } catch {
            return nil
        }
    }

    /// Sends all of `bytes`; throws if the client does not take them in time.
    func send(_ bytes: [UInt8]) throws(HangUp) {
        var done = 0
        while done < bytes.count {
            switch try? UnixSocket.send(socket.raw, bytes, from: done) {
            case .bytes(let count): done += count
            case .wouldBlock:
                guard (try? socket.wait(for: .write, timeout: Self.stallTimeout)) == true else { throw HangUp() }
            case .closed, nil: throw HangUp()
            }
        }
    }

    func send(_ text: String) throws(HangUp) { try send(Array(text.utf8)) }

    /// Waits for `time`; throws if the client hangs up before that.
    func pause(_ time: Duration) throws(HangUp) {
        let deadline = SystemClock.monotonic &+ time.wholeNanoseconds
        var waste = [UInt8](repeating: 0, count: 4096)
        while true {
            let now = SystemClock.monotonic
            if now >= deadline { return }
            guard (try? socket.wait(for: .read, timeout: .nanoseconds(Int64(deadline - now)))) == true else { continue }
            if case .closed? = try? UnixSocket.receive(socket.raw, into: &waste, at: 0) { throw HangUp() }
        }
    }

    /// Sends nothing until the client hangs up or `maxHang` is over; always throws.
    func hang() throws(HangUp) {
        try pause(Self.maxHang)
        throw HangUp()
    }

    /// Ends the connection with a reset; always throws.
    func reset() throws(HangUp) {
        Self.reset(socket.raw)
        throw HangUp()
    }

    /// Makes the next close(2) of `socket` reset the connection (SO_LINGER, socket(7)).
    static func reset(_ socket: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private mutating func receive() throws(HangUp) {
        guard (try? socket.wait(for: .read, timeout: Self.stallTimeout)) == true else { throw HangUp() }
        let start = input.count
        input.append(contentsOf: repeatElement(0, count: 16 << 10))
        let transfer = try? UnixSocket.receive(socket.raw, into: &input, at: start)
        guard case .bytes(let count)? = transfer else {
            input.removeLast(16 << 10)
            if case .wouldBlock? = transfer { return }
            throw HangUp()
        }
        input.removeLast((16 << 10) - count)
    }

    /// Where the empty line after the headers begins.
    private func endOfHead() -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        return unsafe ByteSearch.firstIndex(of: mark.span.bytes, in: input.span.bytes)
    }
}
