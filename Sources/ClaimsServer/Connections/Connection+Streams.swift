// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The streams of the connection, on the thread of the loop.
extension Connection {
    /// Writes and sends the next part of a stream, or its result.
    func continueStream(
        _ token: UInt64, id: [UInt8], _ state: inout ConnectionState, _ buffers: inout LoopBuffers
    ) {
        state.noteStreamed(at: SystemClock.monotonic)
        if let result = writePart(token, id: id, to: &buffers.outgoing) {
            let language = streams.removeValue(forKey: token)?.language
            _ = state.complete(token)
            write(result, id: id, in: language, to: &buffers)
        }
        send(&state, &buffers)
    }

    /// - Returns: the result of the stream, once it has ended.
    private func writePart(_ token: UInt64, id: [UInt8], to writer: inout JSONWriter) -> RequestResult? {
        guard let stream = streams[token] else { return .failure(.requestCancelled) }
        let start = writer.bytes.count
        writer.beginValue()
        do throws(RequestError) {
            if case .end(let result) = try stream.next(loop.context.queries, id: id, to: &writer) {
                return .success(result)
            }
            writer.newline()
            return nil
        } catch {
            writer.removeAll(after: start)
            return .failure(error)
        }
    }

    /// Ends streams with `timeout` that make nothing for as long as a request may take, though the peer takes all.
    func watchStreams() {
        guard !isWatchingStreams else { return }
        isWatchingStreams = true
        checkStreams(after: loop.limits.request)
    }

    private func checkStreams(after delay: Duration) {
        loop.events.schedule(after: delay) { [weak self] in
            // The connection may have moved to another loop since its last stream has ended.
            self?.perform { $0.checkStreams() }
        }
    }

    private func checkStreams() {
        let limit = loop.limits.request
        switch state.streamStall(at: SystemClock.monotonic, limit: limit.wholeNanoseconds) {
        case .unneeded: isWatchingStreams = false
        case .left(let time): checkStreams(after: .nanoseconds(time))
        case .exhausted(let token):
            let language = streams.removeValue(forKey: token)?.language
            let result = RequestResult.failure(QueryLimits.timeoutError(limit))
            if finish(token, with: result, in: language, &state, &loop.buffers) { loop.serve(self) }
            checkStreams(after: limit)
        }
    }
}
