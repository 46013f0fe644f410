// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import Glibc

/// Accepts connections on one loop and hands them to all loops.
///
/// The kernel's queue of new connections is first come, first served. A peer that opens many connections delays all
/// others there, unless the queue is emptied faster than it fills. So accepting a connection is cheap, above all if its
/// peer has left again.
///
/// Invariant behind the unchecked conformance: each member that changes is touched on the thread of `home` only, or
/// before it runs; ``Server`` posts each call to it. Builds with assertions check it. The event loop calls its handlers
/// at once, which no actor allows without a check for each of them.
final class SocketListener: EventHandler, @unchecked Sendable {
    private let socket: FileDescriptor
    private let home: ServingLoop
    private let team: LoopTeam
    private let registry: ConnectionRegistry<Connection>
    private let looks: LookJournal
    private let refused: @Sendable (UInt32) -> Void
    /// Invariant: confined to the thread of `home`.
    private var hangUpCheck = HangUpCheck()
    /// Invariant: confined to the thread of `home`.
    private var accepted: UInt64 = 0
    /// Invariant: confined to the thread of `home`.
    private var isStopped = false

    init(
        _ socket: consuming FileDescriptor, home: ServingLoop, team: LoopTeam, registry: ConnectionRegistry<Connection>,
        looks: LookJournal, refused: @escaping @Sendable (_ uid: UInt32) -> Void
    ) {
        self.socket = socket
        self.home = home
        self.team = team
        self.registry = registry
        self.looks = looks
        self.refused = refused
    }

    /// Begins to listen, and tries again after a pause if that fails; called on the loop's thread.
    func start() {
        assert(home.events.isConfined)
        guard !isStopped else { return }
        do throws(SystemError) {
            try home.events.add(socket.raw, .read, handler: self)
        } catch {
            home.events.schedule(after: Self.retryDelay) { [self] in start() }
        }
    }

    /// Stops listening; called on the loop's thread.
    func stop() {
        assert(home.events.isConfined)
        isStopped = true
        home.events.remove(socket.raw)
    }

    func ready(_ events: EventMask, on loop: EventLoop) {
        // New connections are served after all have been accepted. A peer that is answered may leave and come again at
        // once, and would find its slot still in use.
        var admitted: [Connection] = []
        defer {
            for connection in admitted { home.adopt(connection) }
        }
        for _ in 0..<Self.maxAcceptsPerTick {
            do throws(SystemError) {
                guard let peer = try UnixSocket.accept(socket.raw) else { return }
                if let connection = admit(peer) { admitted.append(connection) }
            } catch {
                // No descriptor is free: the connection still waits, and would be reported again at once.
                home.events.remove(socket.raw)
                home.events.schedule(after: Self.retryDelay) { [self] in start() }
                return
            }
        }
    }

    /// Admits a connection or refuses it.
    ///
    /// - Returns: the connection, if this loop is to serve it.
    private func admit(_ descriptor: consuming FileDescriptor) -> Connection? {
        if hangUpCheck.isOver(descriptor.raw, maxDepth: home.limits.depth) { return nil }
        // The groups are needed later, if a reload gives a role to one of them.
        guard let credentials = try? PeerCredentials(of: descriptor.raw) else { return nil }
        let loop = team.firstLoop(token: accepted)
        accepted += 1
        let raw = descriptor.raw
        let requester = Requester(process: credentials.pid, connection: registry.makeToken())
        var peer = Peer(credentials, by: home.served.configuration.policy, requester: requester)
        let origin = PeerOrigin(process: credentials.pid)
        peer.looks = PeerLooks(journal: looks, origin: origin)
        let connection = Connection(
            descriptor, peer: peer, loop: loop, state: ConnectionState(limits: loop.limits))
        guard registry.admit(connection) else {
            refused(peer.uid)
            // One attempt: a peer that is refused is not waited for.
            let language = home.served.configuration.language
            _ = try? UnixSocket.send(raw, RequestError.tooManyConnections.line(id: nil, in: language))
            return nil
        }
        looks.admit(origin)
        if loop === home { return connection }
        loop.perform { loop.adopt(connection) }
        return nil
    }

    private static let maxAcceptsPerTick = 64
    /// The time after which a failed accept or watch is tried again.
    private static let retryDelay: Duration = .milliseconds(100)
}

/// Finds the accepted connections that need no service, because their peers have left and want nothing done.
///
/// A peer that has left reads no answer. Only a request with an effect is worth serving, and most peers that leave at
/// once have sent none.
struct HangUpCheck: ~Copyable {
    private var tape = JSONTape()
    private var peeked = [UInt8](repeating: 0, count: HangUpCheck.maxPeekedBytes)

    /// Whether the peer has left, and no request that it sent has an effect. The bytes it sent stay to be received.
    ///
    /// - Parameter maxDepth: the depth to which the JSON of a request may nest.
    mutating func isOver(_ socket: Int32, maxDepth: Int) -> Bool {
        guard UnixSocket.hasHungUp(socket) else { return false }
        guard let count = UnixSocket.peek(socket, into: &peeked) else { return true }
        // There may be more bytes than were read here.
        if count == peeked.count { return false }
        return !hasEffect(count, maxDepth: maxDepth)
    }

    /// Whether one of the whole lines among the first `count` bytes is a request that has an effect.
    private mutating func hasEffect(_ count: Int, maxDepth: Int) -> Bool {
        let bytes = peeked
        var start = 0
        while let end = bytes[start..<count].firstIndex(of: UInt8(ascii: "\n")) {
            if Self.hasEffect(bytes.rawSpan.extracting(start..<end), &tape, maxDepth: maxDepth) { return true }
            start = end + 1
        }
        return false
    }

    private static func hasEffect(_ line: RawSpan, _ tape: inout JSONTape, maxDepth: Int) -> Bool {
        guard (try? tape.parse(line, from: 0, depth: maxDepth, as: .document)) != nil else { return false }
        return (try? RequestEnvelope(tape, line))?.method.hasEffect == true
    }

    /// The number of bytes that are inspected; a peer that has sent more is served.
    private static let maxPeekedBytes = 1 << 13
}
