// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import Synchronization

/// The calls of the fast path: requests for one record that repeat the shape of an earlier one.
extension Connection {
    /// The result of an attempt to answer an event at once.
    enum FastService {
        case answered
        /// The request waits to be answered together with those of other connections.
        case gathered
        /// Something remains to be done, if only to see that the peer has left.
        case remaining
    }

    /// Receives and answers requests at once, where the connection does nothing else.
    ///
    /// - Parameter loop: the connection's loop. Each read of the property would retain and release it.
    func serveRepeated(
        _ state: inout ConnectionState, _ buffers: inout LoopBuffers, on loop: ServingLoop
    ) -> FastService {
        guard state.shape.isKnown, state.isQuiet, state.input.count == 0, !loop.isUnsentExhausted else {
            return .remaining
        }
        // Requests that are gathered belong to one tick.
        if !buffers.fastPath.hasGathered { loop.served.refresh() }
        do throws(SystemError) {
            let start = buffers.fastPath.gatheredEnd
            let transfer = try UnixSocket.receive(descriptor, into: &buffers.incoming, at: start)
            guard case .bytes(let count) = transfer else {
                if transfer == .closed { state.endInput() }
                return .remaining
            }
            // The array is kept here, so that the bytes do not move while the answers are written.
            let bytes = buffers.incoming
            let range = start..<start + count
            if loop.events.reports > 1,
                buffers.fastPath.gather(range, of: bytes.rawSpan, for: self, state.shape, loop.served)
            {
                return .gathered
            }
            let taken = buffers.fastPath.answer(
                bytes.rawSpan.extracting(range), state.shape, loop.served, to: &buffers.outgoing)
            loop.answers.add(buffers.fastPath.takeAnswered())
            if taken < count { state.input.append(bytes[(start + taken)..<range.upperBound]) }
            guard try buffers.send(descriptor, &state.output) else {
                state.endInput()
                account(for: state)
                return .remaining
            }
        } catch {
            close(&state, &buffers)
            return .answered
        }
        if state.input.count > 0 || state.output.count > 0 {
            account(for: state)
            return .remaining
        }
        idleSince.store(loop.events.now, ordering: .relaxed)
        return .answered
    }

    /// Answers the leading lines of the input that repeat the shape.
    func answerRepeated(_ state: inout ConnectionState, _ buffers: inout LoopBuffers) {
        let taken = buffers.fastPath.answer(state.input.unread, state.shape, loop.served, to: &buffers.outgoing)
        guard taken > 0 else { return }
        loop.answers.add(buffers.fastPath.takeAnswered())
        state.input.consume(taken)
        state.noteAnswered()
    }

    /// Answers a gathered request.
    ///
    /// - Parameter loop: the connection's loop.
    /// - Returns: false where the request is put back into the input, for a time slice.
    func answer(
        _ request: borrowing FastPath<Connection>.Gathered, _ state: inout ConnectionState,
        _ buffers: inout LoopBuffers, on loop: ServingLoop
    ) -> Bool {
        guard state.phase != .closed else { return true }
        let bytes = buffers.incoming
        guard request.answer(in: bytes.rawSpan, loop.served, to: &buffers.outgoing) else {
            state.input.append(bytes[request.line])
            return false
        }
        loop.answers.add(1)
        do throws(SystemError) {
            guard try buffers.send(descriptor, &state.output) else {
                close(&state, &buffers)
                return true
            }
        } catch {
            close(&state, &buffers)
            return true
        }
        if state.output.count == 0 {
            idleSince.store(loop.events.now, ordering: .relaxed)
        } else {
            // The peer takes its answers slowly: the next slice waits until it can be written to.
            account(for: state)
            serve(&state, &buffers)
        }
        return true
    }
}
