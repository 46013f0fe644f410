// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// One client's connection. Used by one thread.
struct Connection: ~Copyable {
    /// The client has gone, or takes too long.
    struct Gone: Error {}

    /// In bytes: the longest head of a request, and the longest body.
    static let headLimit = 64 << 10
    static let bodyLimit = 1 << 20
    /// How long a client may take to send or to take something.
    static let patience = Duration.seconds(30)
    /// How long a connection is left hanging at most.
    static let longest = Duration.seconds(600)

    private let socket: FileDescriptor
    private var input: [UInt8] = []

    init(_ socket: consuming FileDescriptor) {
        self.socket = socket
    }

    /// The next request; nil when the client has no more, or what it sends is none.
    mutating func nextRequest() -> Request? {
        do throws(Gone) {
            while true {
                if let end = endOfHead() {
                    let head = input[..<end]
                    guard let request = Request(head: head, body: []) else { return nil }
                    let length = Int(request["content-length"] ?? "0") ?? -1
                    guard (0...Self.bodyLimit).contains(length) else { return nil }
                    while input.count < end + 4 + length { try receive() }
                    let whole = Request(head: input[..<end], body: Array(input[(end + 4)..<(end + 4 + length)]))
                    input.removeFirst(end + 4 + length)
                    return whole
                }
                // What begins like TLS, say, will never be a request.
                guard input.count < Self.headLimit, input.first.map({ (0x41...0x5a).contains($0) }) ?? true else {
                    return nil
                }
                try receive()
            }
        } catch {
            return nil
        }
    }

    /// Sends all of `bytes`.
    func send(_ bytes: [UInt8]) throws(Gone) {
        var done = 0
        while done < bytes.count {
            switch try? UnixSocket.send(socket.raw, bytes, from: done) {
            case .bytes(let count): done += count
            case .wouldBlock:
                guard (try? socket.wait(for: .write, timeout: Self.patience)) == true else { throw Gone() }
            case .closed, nil: throw Gone()
            }
        }
    }

    func send(_ text: String) throws(Gone) { try send(Array(text.utf8)) }

    /// Waits for so long, or until the client has gone.
    func pause(_ time: Duration) throws(Gone) {
        let deadline = Clocks.monotonic &+ time.wholeNanoseconds
        var waste = [UInt8](repeating: 0, count: 4096)
        while true {
            let now = Clocks.monotonic
            if now >= deadline { return }
            guard (try? socket.wait(for: .read, timeout: .nanoseconds(Int64(deadline - now)))) == true else { continue }
            if case .closed? = try? UnixSocket.receive(socket.raw, into: &waste, at: 0) { throw Gone() }
        }
    }

    /// Says nothing until the client gives up.
    func hang() throws(Gone) {
        try pause(Self.longest)
        throw Gone()
    }

    /// Closes with a reset instead of an end.
    func reset() throws(Gone) {
        Self.reset(socket.raw)
        throw Gone()
    }

    /// Lets the next close(2) of `socket` reset the connection.
    static func reset(_ socket: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private mutating func receive() throws(Gone) {
        guard (try? socket.wait(for: .read, timeout: Self.patience)) == true else { throw Gone() }
        let start = input.count
        input.append(contentsOf: repeatElement(0, count: 16 << 10))
        let transfer = try? UnixSocket.receive(socket.raw, into: &input, at: start)
        guard case .bytes(let count)? = transfer else {
            input.removeLast(16 << 10)
            if case .wouldBlock? = transfer { return }
            throw Gone()
        }
        input.removeLast((16 << 10) - count)
    }

    /// Where the empty line after the headers begins.
    private func endOfHead() -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        return unsafe ByteSearch.firstIndex(of: mark.span.bytes, in: input.span.bytes)
    }
}
