// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsStore
import Synchronization

/// The calls that other threads make, and their work on the thread of the loop.
extension Connection {
    /// The loop that serves the connection, for its own thread; builds with assertions check that.
    var confinedLoop: ServingLoop {
        assert(loop.events.isConfined)
        return loop
    }

    /// Performs `work` on the thread of the loop that serves the connection by then; for any thread.
    func perform(_ work: @escaping @Sendable (Connection) -> Void) {
        let loop = home.withLock { $0 }
        loop.perform { [self] in
            // Only this loop may give the connection away. Where it has, the work follows the connection.
            if home.withLock({ $0 }) === loop { work(self) } else { perform(work) }
        }
    }

    /// Moves to another loop; the serving loop has released the connection.
    func move(to other: ServingLoop) {
        loop = other
        home.withLock { home in
            home = other
            // Posted under the lock, so that the new loop adopts the connection before any work for it arrives.
            other.perform { other.adopt(self) }
        }
    }

    /// Answers a request in flight; for any thread.
    ///
    /// - Parameter language: the language of an error; nil for that of the settings.
    func complete(_ token: UInt64, _ result: RequestResult, in language: String?) {
        perform { connection in
            let loop = connection.loop
            if connection.finish(token, with: result, in: language, &connection.state, &loop.buffers) {
                loop.serve(connection)
            }
        }
    }

    /// Tells how far a request in flight is; for any thread. The news is dropped while the peer leaves much before it.
    ///
    /// - Parameters:
    ///   - method: the name of the notification.
    ///   - members: the members of its `params` after `request`, each with a comma before it.
    func tell(_ token: UInt64, _ method: String, _ members: [UInt8]) {
        perform { connection in
            let loop = connection.loop
            if connection.tell(token, method, members, state: &connection.state, buffers: &loop.buffers) {
                loop.serve(connection)
            }
        }
    }

    /// - Returns: whether the connection needs a time slice, to wait until more can be sent.
    private func tell(
        _ token: UInt64, _ method: String, _ members: [UInt8], state: inout ConnectionState,
        buffers: inout LoopBuffers
    ) -> Bool {
        guard let id = state.idForNews(of: token) else { return false }
        let head = Array(#"{"jsonrpc":"2.0","method":"\#(method)","params":{"request":"#.utf8)
        buffers.outgoing.beginValue()
        buffers.outgoing.raw(head + id + members + Array("}}\n".utf8))
        send(&state, &buffers)
        return state.phase != .closed && state.output.count > 0
    }

    /// Has a time slice begin once the memory for answers is no longer used up.
    func awaitRelief() {
        guard !isAwaitingRelief else { return }
        isAwaitingRelief = true
        loop.whenUnsentRelieved { [weak self] in
            self?.perform { connection in
                connection.isAwaitingRelief = false
                if connection.isOpen { connection.loop.serve(connection) }
            }
        }
    }

    /// Closes the connection because its slot is needed; for any thread. Requests that have arrived are answered first.
    func evict() {
        perform { $0.evict(&$0.state, &$0.loop.buffers) }
    }

    /// Reads no more; the connection closes once the requests that came are answered. For any thread.
    func drain() {
        perform { $0.drain(&$0.state, &$0.loop.buffers) }
    }

    /// Answers a request in flight, on the loop's thread.
    ///
    /// - Returns: whether lines that wait may go on.
    func finish(
        _ token: UInt64, with result: RequestResult, in language: String?, _ state: inout ConnectionState,
        _ buffers: inout LoopBuffers
    ) -> Bool {
        guard let id = state.complete(token) else { return false }
        write(result, id: id, in: language, to: &buffers)
        send(&state, &buffers)
        return state.phase != .closed
    }

    private func evict(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard state.phase != .closed else { return }
        // The connection counted as idle, but a request may have arrived meanwhile.
        let isReading = state.note(UnixSocket.hasHungUp(descriptor) ? .hangUp : .read)
        if isReading { receive(&state, &buffers) }
        if state.phase != .closed { serve(&state, &buffers) }
        close(&state, &buffers)
    }

    private func drain(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard state.phase != .closed else { return }
        if state.phase == .open { receive(&state, &buffers) }
        state.endInput()
        serve(&state, &buffers)
        // A subscription has no end of its own.
        guard state.phase != .closed, channel != nil else { return }
        endSubscriptions(&state)
        // Lines that wait are told again to a client that comes back.
        if state.unsentBytes == 0 { close(&state, &buffers) } else { serve(&state, &buffers) }
    }

    /// Gives up a half line, because memory for lines is short; for any thread. The peer is told, and the connection
    /// closes once the requests that came are answered. A line that has come whole meanwhile is read.
    func yieldLine() {
        perform { $0.yieldLine(&$0.state, &$0.loop.buffers) }
    }

    private func yieldLine(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        guard loop.isYielding(self), state.yieldLine() else { return }
        write(.noMemoryForLine, id: nil, to: &buffers)
        serve(&state, &buffers)
    }

    /// Tells the budgets how many bytes this connection keeps in memory.
    func account(for state: borrowing ConnectionState) {
        let unsent = state.unsentBytes
        let change = unsent - unsentBytes.exchange(unsent, ordering: .relaxed)
        if change != 0 { loop.changeUnsent(by: change) }
        let unread = state.unreadBytes
        if unread == countedUnread { return }
        countedUnread = unread
        loop.note(state.unread, of: self)
    }

    /// Ends the unfinished uploads of the closed connection; their files go on a thread that may wait for the disk.
    func endUploads() {
        let ended = loop.context.services.attachments.end(connection: token)
        guard !ended.isEmpty else { return }
        loop.context.files.perform(for: peer.requester) { _ in withExtendedLifetime(ended) {} }
    }

    /// Tells other threads since when the connection is idle; called at the end of a slice.
    func noteActivity(of state: inout ConnectionState) {
        switch state.takeActivity() {
        case .working: idleSince.store(0, ordering: .relaxed)
        case .progressed: idleSince.store(loop.events.now, ordering: .relaxed)
        case .none:
            if idleSince.load(ordering: .relaxed) == 0 { idleSince.store(loop.events.now, ordering: .relaxed) }
        }
    }
}
