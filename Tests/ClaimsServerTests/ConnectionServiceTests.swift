// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

/// A connection on a loop of its own, with a real socket.
@Suite struct ConnectionServiceTests {
    /// The peer of the connection; the same loop tells it what comes.
    private final class Client: EventHandler {
        private let socket: FileDescriptor
        private var bytes: [UInt8] = []
        private(set) var lines: [JSONValue] = []
        /// Called with each line.
        var onLine: () -> Void = {}

        init(_ socket: consuming FileDescriptor) {
            self.socket = socket
        }

        func watch(_ loop: EventLoop) throws { try loop.add(socket.raw, .read, handler: self) }

        func send(_ line: String) throws { _ = try UnixSocket.send(socket.raw, Array((line + "\n").utf8)) }

        func ready(_: EventMask, on loop: EventLoop) {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            guard case .bytes(let count)? = try? UnixSocket.receive(socket.raw, into: &buffer, at: 0) else {
                return loop.stop()
            }
            bytes += buffer[..<count]
            while let end = bytes.firstIndex(of: 0x0A) {
                if let line = try? JSONValue.parse(Array(bytes[..<end])) { lines.append(line) }
                bytes.removeSubrange(...end)
                onLine()
            }
        }
    }

    private final class SocketEnd {
        let socket: FileDescriptor

        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    private let shelf: ServedShelf
    private let registry = ConnectionRegistry<Connection>(maxConnections: 10, maxPerUser: 10)
    private let loop: ServingLoop
    private let client: Client
    /// The end of the socket that belongs to the daemon.
    private let end: SocketEnd

    init() throws {
        var limits = ServingLimits()
        limits.request = .milliseconds(50)
        shelf = try ServedShelf(limits: limits)
        loop = try ServingLoop(number: 0, context: shelf.context, registry: registry)
        var pair = try UnixSocket.pair()
        var other = try FileDescriptor.open("/dev/null", .read)
        swap(&pair.writing, &other)
        client = Client(other)
        end = SocketEnd(pair.keepReading())
        try client.watch(loop.events)
    }

    /// Serves a connection that is in a state.
    private func connection(_ prepare: (inout ConnectionState) -> Void = { _ in }) throws -> Connection {
        var state = ConnectionState(limits: loop.limits)
        prepare(&state)
        return Connection(try end.socket.duplicate(), peer: ServedShelf.peer(.read), loop: loop, state: state)
    }

    /// Serves the connection until the client has `count` lines, or the time is over.
    private func run(lines count: Int) {
        let (client, events) = (client, loop.events)
        let onLine = client.onLine
        client.onLine = {
            onLine()
            if client.lines.count == count { events.stop() }
        }
        events.schedule(after: .seconds(20)) { events.stop() }
        events.run()
    }

    @Test func `a role that a reload gives or takes away goes with the next request of an open connection`() throws {
        let (client, loop, shelf) = (client, loop, shelf)
        client.onLine = {
            var configuration = shelf.context.configuration
            configuration.policy.archive = client.lines.count == 1 ? .init(users: [1000]) : .init()
            loop.reconfigure(configuration)
            #expect(throws: Never.self) { try client.send(#"{"id":2,"method":"hello"}"#) }
        }
        try client.send(#"{"id":1,"method":"hello"}"#)
        loop.adopt(try connection())
        run(lines: 3)
        let roles = client.lines.map { $0["result"]?["you"]?["roles"]?.array?.compactMap(\.string) }
        #expect(roles == [["read"], ["read", "archive"], ["read"]])
    }

    @Test func `a purpose holds for the requests after it, and another hello does not end it`() throws {
        let hello = #""method":"hello""#
        let params = [
            "", #","params":{"purpose":"audit"}"#, "", #","params":{"purpose":""}"#, #","params":{"purpose":"x"}"#,
        ]
        for (number, params) in params.enumerated() { try client.send("{\"id\":\(number),\(hello)\(params)}") }
        loop.adopt(try connection())
        run(lines: 5)
        let purposes = client.lines.map { $0["result"]?["you"]?["purpose"]?.string }
        #expect(purposes == [nil, "audit", "audit", nil, "x"])
        #expect(client.lines[3]["error"]?["data"]?["parameter"]?.string == "purpose")
    }

    @Test func `a stream that nothing goes on with ends with a timeout`() throws {
        let connection = try connection { state in _ = state.begin([0x31], .stream(Cancellation())) }
        loop.adopt(connection)
        connection.watchStreams()
        run(lines: 1)
        #expect(client.lines.first?["id"] == .number("1"))
        #expect(client.lines.first?["error"]?["data"]?["kind"]?.string == "timeout")
    }

    @Test func `a line that waits for memory is read once others give it back`() throws {
        let connection = try connection { state in _ = state.begin([0x39], .query(Cancellation())) }
        registry.unsent.change(by: BufferBudget.unsent)
        try client.send(#"{"id":1,"method":"ping"}"#)
        loop.adopt(connection)
        // A busy machine may have put it into the queue.
        if connection.isQueued { connection.serveSlice() }
        let awaitsRelief = connection.state.awaitsRelief
        #expect(awaitsRelief)
        registry.unsent.change(by: -BufferBudget.unsent)
        run(lines: 1)
        #expect(client.lines.first?["id"] == .number("1"))
    }
}
