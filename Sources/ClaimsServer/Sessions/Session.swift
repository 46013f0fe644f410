// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import Synchronization

/// One connection, as its loop and other threads know it: who the peer is, and what it may do.
///
/// Invariant behind the unchecked conformance: the atomics and `home` apart, every member that changes is touched on
/// the thread of its loop only; other threads reach a session through ``perform(_:)``. A loop that gives it away does
/// not touch it afterwards, and the other begins with what is posted to it then.
final class Session: EventHandler, @unchecked Sendable {
    let peer: PeerCredentials
    let roles: RoleSet
    /// Its number in the registry.
    let token = Atomic<UInt64>(0)
    /// Since when no line has come whole and the peer has taken nothing, in nanoseconds of the monotonic clock; 0
    /// while a request is in flight.
    let idleSince: Atomic<UInt64>
    /// Whether a whole line has ever come.
    let hasAsked = Atomic<Bool>(false)
    /// How many bytes of answers the peer has not taken, and may still get.
    let heldBack = Atomic<Int>(0)

    /// The loop that serves it; on the thread of that loop only. The loop lets go of a session when that closes, which
    /// ends this circle.
    private(set) var owner: ServingLoop
    /// The same for all threads. It is changed by the owner only.
    private let home: Mutex<ServingLoop>
    let limits: ServingLimits
    private let socket: FileDescriptor
    /// What has come and what goes. A turn has it for itself from beginning to end.
    private var exchange: Exchange
    /// Whether it waits for its turn; the loop's business.
    var isWaiting = false
    /// What its turns cost; the loop's business.
    var load = TurnLoad()

    init(_ socket: consuming FileDescriptor, peer: PeerCredentials, roles: RoleSet, owner: ServingLoop) {
        self.socket = socket
        self.peer = peer
        self.roles = roles
        self.owner = owner
        self.home = Mutex(owner)
        self.limits = owner.limits
        self.exchange = Exchange(longestLine: owner.limits.line)
        self.idleSince = Atomic(Clocks.monotonic)
    }

    /// Who is served, as far as the turns go.
    var asker: Asker { Asker(process: peer.pid, connection: token.load(ordering: .relaxed)) }

    /// The descriptor's number, for registering with the loop.
    var descriptor: Int32 { socket.raw }

    /// Refuses where the peer lacks a role.
    ///
    /// - Parameter action: what the role is needed for, for the sentence.
    func require(_ role: Role, for action: String) throws(RequestError) {
        guard !roles.has(role) else { return }
        throw RequestError(
            .forbidden, "\(action) needs the role '\(role.rawValue)', which your user does not have",
            hint: "an administrator grants it in claimsd.json5, under roles",
            details: [RequestError.detail("role", role.rawValue)])
    }

    // MARK: - Whose it is

    /// Has work done on the thread of the loop that serves the connection by then; called on any thread.
    private func perform(_ work: @escaping @Sendable (Session) -> Void) {
        let loop = home.withLock { $0 }
        loop.perform { [self] in
            // Only this loop could give the connection away. Where it has, the work goes after it.
            if home.withLock({ $0 }) === loop { work(self) } else { perform(work) }
        }
    }

    var isOpen: Bool { !exchange.isClosed }

    /// Whether nothing of it is tied to the loop that serves it.
    var isMovable: Bool { !isWaiting && exchange.isQuiet }

    /// Goes to another loop, which the one that serves it has let go of it for.
    func move(to loop: ServingLoop) {
        owner = loop
        home.withLock { home in
            home = loop
            // Posted while nobody can learn of the new loop: it hears of the connection before any work for it.
            loop.perform { loop.adopt(self) }
        }
    }

    // MARK: - Turns

    func ready(_ events: EventMask, on loop: EventLoop) {
        let owner = owner
        if events == .read, !isWaiting, let start = owner.start {
            switch exchange.serveRepeated(self, owner) {
            case .answered: return owner.note(self, since: start)
            case .gathered: return owner.answerGathered(unlessFew: true)
            case .left: break
            }
        }
        // What may take long comes after what takes little.
        owner.answerGathered()
        switch exchange.take(events, self) {
        case .nothing: break
        case .queue: owner.serve(self)
        case .last: takeTurn()
        }
    }

    /// Answers a request that has been gathered with those of others; false where its line has to be read.
    func answer(_ request: GatheredRequest, _ owner: ServingLoop) -> Bool {
        exchange.answer(request, self, owner)
    }

    /// Answers what came; called by the loop when it is this connection's turn.
    func takeTurn() {
        exchange.takeTurn(self)
    }

    /// Takes the outcome of work that went on elsewhere; called on any thread.
    func complete(_ work: UInt64, _ outcome: Disposition.Outcome) {
        perform { session in
            if session.exchange.complete(work, outcome, session) { session.owner.serve(session) }
        }
    }

    /// Ends the connection because its place is needed; called on any thread.
    func makeRoom() {
        perform { session in session.exchange.makeRoom(session) }
    }

    /// Stops receiving; the connection ends once what came is answered and sent, also what the kernel still holds.
    /// Called on any thread.
    func windDown() {
        perform { session in session.exchange.windDown(session) }
    }

    /// Ends the connection at once.
    func close() {
        exchange.close(self)
    }
}
