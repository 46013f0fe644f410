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
    private static let maxBody = 256 << 20
    /// The number of bytes that are received at once.
    private static let chunkSize = 16 << 10
    /// The maximal time until a client sends or accepts the next bytes.
    private static let stallTimeout = Duration.seconds(30)
    /// The time after which a hanging or endless answer ends.
    static let maxHang = Duration.seconds(600)

    private let socket: FileDescriptor
    private var input: [UInt8] = []

    init(_ socket: consuming FileDescriptor) {
        self.socket = socket
    }

    /// Reads the head of the next request; nil at the end of the connection, or if the bytes are no request.
    ///
    /// The body is to be read next.
    mutating func nextRequest() -> UpstreamRequest? {
        do throws(HangUp) {
            while true {
                if let end = endOfHead() {
                    guard let request = UpstreamRequest(head: input[..<end]) else { return nil }
                    input.removeFirst(end + 4)
                    return request
                }
                // Bytes that begin like TLS, for example, will never be a request.
                guard input.count < Self.maxHead, input.first.map({ (0x41...0x5a).contains($0) }) ?? true else {
                    return nil
                }
                try receive()
            }
        } catch {
            return nil
        }
    }

    /// The speed at which a body is read.
    struct Pace: Sendable {
        /// The number of bytes that are read after each `delay`.
        let bytes: Int
        let delay: Duration
    }

    /// Reads the body of `request`, or its first `count` bytes; an unread rest stays.
    /// - Parameter pace: The speed; nil reads bytes as they come.
    mutating func readBody(
        of request: UpstreamRequest, upTo count: Int? = nil, pace: Pace? = nil
    ) throws(HangUp) -> [UInt8] {
        let count = min(request.bodyLength ?? 0, count ?? .max)
        guard count <= Self.maxBody else { throw HangUp() }
        if input.count < count && request["expect"]?.lowercased() == "100-continue" {
            try send("HTTP/1.1 100 Continue\r\n\r\n")
        }
        while input.count < count {
            if let pace {
                // Waiting for the socket would end at once: its bytes are there. Nothing else changes meanwhile.
                Monitor(()).wait(upTo: pace.delay) { _ -> Void? in nil }
                try receive(upTo: pace.bytes)
            } else {
                try receive()
            }
        }
        let body = Array(input[..<count])
        input.removeFirst(count)
        return body
    }

    /// Ends the connection, but still reads what the client sends, so that the client sees the answer; always throws.
    func drain() throws(HangUp) {
        UnixSocket.shutDown(socket.raw, .writing)
        try hang()
    }

    /// Sends all of `bytes`; throws if the client does not accept them in time.
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

    private mutating func receive(upTo size: Int = Self.chunkSize) throws(HangUp) {
        guard (try? socket.wait(for: .read, timeout: Self.stallTimeout)) == true else { throw HangUp() }
        let start = input.count
        input.append(contentsOf: repeatElement(0, count: size))
        let transfer = try? UnixSocket.receive(socket.raw, into: &input, at: start)
        guard case .bytes(let count)? = transfer else {
            input.removeLast(size)
            if case .wouldBlock? = transfer { return }
            throw HangUp()
        }
        input.removeLast(size - count)
    }

    /// The offset of the empty line after the headers.
    private func endOfHead() -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        return unsafe ByteSearch.firstIndex(of: mark.span.bytes, in: input.span.bytes)
    }
}
