// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization
import Testing

@testable import ClaimsServer

@Suite final class ConnectionRegistryTests {
    private let shelf: ServedShelf
    private let registry: ConnectionRegistry<Connection>
    private let loop: ServingLoop

    init() throws {
        shelf = try ServedShelf()
        registry = ConnectionRegistry<Connection>(maxConnections: 100, maxPerUser: 3)
        loop = try ServingLoop(number: 0, context: shelf.context, registry: registry)
    }

    /// Registry, connections and loop hold each other until the connections are forgotten and the posted work is done.
    deinit {
        for connection in registry.all() { registry.forget(connection) }
        let events = loop.events
        events.post { events.stop() }
        events.run()
    }

    /// A connection that has been idle since `idleSince`; 0 means that a request is in flight.
    private func connection(process: Int32 = 1, idleSince: UInt64 = 1, hasAsked: Bool = true) throws -> Connection {
        let peer = ServedShelf.peer(process: process, connection: registry.makeToken())
        let connection = Connection(
            try FileDescriptor.open("/dev/null", .read), peer: peer, loop: loop,
            state: ConnectionState(limits: loop.limits))
        connection.activity.recordIdle(since: idleSince)
        if hasAsked { connection.activity.recordLine() }
        return connection
    }

    /// Admits the connections, then one more, and tells which one was evicted; nil where the last was refused.
    private func evicted(_ connections: [Connection]) throws -> Int? {
        for connection in connections { #expect(registry.admit(connection)) }
        let isAdmitted = registry.admit(try connection())
        let left = registry.all().map(\.token)
        let gone = connections.indices.filter { !left.contains(connections[$0].token) }
        #expect(gone.count == (isAdmitted ? 1 : 0))
        return gone.first
    }

    @Test func `the connection that has been idle for the longest time is evicted`() throws {
        #expect(try evicted([connection(idleSince: 30), connection(idleSince: 10), connection(idleSince: 20)]) == 1)
    }

    @Test func `a connection that never asked goes first, however short it has been idle`() throws {
        #expect(
            try evicted([
                connection(idleSince: 10), connection(idleSince: 90, hasAsked: false), connection(idleSince: 20),
            ]) == 1)
    }

    @Test func `of those that never asked, one of the process with the most connections goes`() throws {
        #expect(
            try evicted([
                connection(process: 7, idleSince: 1, hasAsked: false),
                connection(process: 8, idleSince: 5, hasAsked: false),
                connection(process: 8, idleSince: 9),
            ]) == 1)
    }

    @Test func `where every connection works, the new one is refused`() throws {
        #expect(try evicted([connection(idleSince: 0), connection(idleSince: 0), connection(idleSince: 0)]) == nil)
    }

    @Test func `a registry calls when it is empty, and counts its connections`() throws {
        let one = try connection()
        #expect(registry.admit(one) && registry.count == 1)
        let called = ServedShelf.Shared(0)
        registry.whenEmpty { called.with { $0 += 1 } }
        #expect(called.with { $0 } == 0)
        registry.forget(one)
        registry.forget(one)
        #expect(called.with { $0 } == 1 && registry.count == 0)
        registry.whenEmpty { called.with { $0 += 1 } }
        #expect(called.with { $0 } == 2)
    }

    @Test func `lower bounds leave the connections that are there`() throws {
        for _ in 0..<3 { #expect(registry.admit(try connection())) }
        registry.setBounds(maxConnections: 1, maxPerUser: 1)
        #expect(registry.count == 3)
        #expect(registry.admit(try connection(idleSince: 2)))
        #expect(registry.count == 3, "one was evicted for the new one")
    }
}
