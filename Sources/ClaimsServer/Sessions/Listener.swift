// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import Glibc

/// Accepts connections on one loop and hands them out to all.
///
/// The kernel's queue is first come, first served: only who empties it faster than others can fill it keeps those from
/// being in everybody's way. So a connection costs as little here as can be, above all where nobody waits any more.
///
/// Invariant behind the unchecked conformance: touched on the thread of its loop only.
final class Listener: EventHandler, @unchecked Sendable {
    private let socket: FileDescriptor
    private let home: ServingLoop
    private let team: LoopTeam
    private let registry: ConnectionRegistry
    private let refused: @Sendable (UInt32) -> Void
    private var policy: RolePolicy
    private var departure = Departure()
    private var accepted: UInt64 = 0
    private var isStopped = false

    init(
        _ socket: consuming FileDescriptor, home: ServingLoop, team: LoopTeam, registry: ConnectionRegistry,
        policy: RolePolicy, refused: @escaping @Sendable (_ uid: UInt32) -> Void
    ) {
        self.socket = socket
        self.home = home
        self.team = team
        self.registry = registry
        self.policy = policy
        self.refused = refused
    }

    /// Begins to listen, and tries again after a pause where that fails; called on the loop's thread.
    func start() {
        guard !isStopped else { return }
        do throws(SystemError) {
            try home.loop.add(socket.raw, .read, handler: self)
        } catch {
            home.loop.schedule(after: Self.pause) { [self] in start() }
        }
    }

    /// Stops listening and lets go of the socket's number; called on the loop's thread.
    func stop() {
        isStopped = true
        home.loop.remove(socket.raw)
    }

    /// Applies to whoever connects from now on.
    func setPolicy(_ policy: RolePolicy) {
        self.policy = policy
    }

    func ready(_ events: EventMask, on loop: EventLoop) {
        // Served once nobody else is to be let in: who gets an answer may leave and come again before that, and would
        // find a place taken that has become free.
        var newcomers: [Session] = []
        defer {
            for session in newcomers { home.adopt(session) }
        }
        for _ in 0..<Self.acceptsPerTurn {
            do throws(SystemError) {
                guard let connection = try UnixSocket.accept(socket.raw) else { return }
                if let session = greet(connection) { newcomers.append(session) }
            } catch {
                // Out of descriptors: the connection still waits, and would be reported again at once.
                home.loop.remove(socket.raw)
                home.loop.schedule(after: Self.pause) { [self] in start() }
                return
            }
        }
    }

    /// Lets a connection in, or refuses it.
    ///
    /// - Returns: the one to be served by this loop.
    private func greet(_ connection: consuming FileDescriptor) -> Session? {
        if departure.isOver(connection.raw, depth: home.limits.depth) { return nil }
        guard let peer = try? PeerCredentials(of: connection.raw, withGroups: policy.needsGroups) else { return nil }
        let owner = team.first(token: accepted)
        accepted += 1
        let raw = connection.raw
        let session = Session(connection, peer: peer, roles: policy.roles(of: peer), owner: owner)
        guard registry.admit(session) else {
            refused(peer.uid)
            // One line, as far as it goes: nobody waits for a peer that may not come in.
            _ = try? UnixSocket.send(raw, Self.busy)
            return nil
        }
        if owner === home { return session }
        owner.perform { owner.adopt(session) }
        return nil
    }

    private static let busy: [UInt8] = {
        let error = RequestError(
            .busy, "there are too many connections",
            hint: "close connections that are no longer needed, or try again later",
            details: [RequestError.detail("retry_after_ms", 1_000)])
        return error.line(id: nil)
    }()

    private static let acceptsPerTurn = 64
    private static let pause: Duration = .milliseconds(100)
}
