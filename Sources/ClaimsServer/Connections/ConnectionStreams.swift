// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol

/// The streams of one connection that are in flight. Confined to the thread of its loop.
struct ConnectionStreams {
    /// The streams by the tokens of their requests.
    private var streams: [UInt64: RecordStream] = [:]
    /// Whether a timer checks that they make progress.
    private var isWatched = false

    mutating func begin(_ stream: RecordStream, token: UInt64) {
        streams[token] = stream
    }

    /// Ends a stream.
    ///
    /// - Returns: the language that its request asks for; nil if it names none.
    @discardableResult
    mutating func end(_ token: UInt64) -> String? { streams.removeValue(forKey: token)?.language }

    mutating func endAll() {
        streams = [:]
    }

    /// Writes the next part of a stream, of what the peer sees now.
    ///
    /// - Parameter id: the id of the request as it came.
    /// - Returns: the result of the stream, once it has ended; nothing is written then.
    func writePart(
        of token: UInt64, id: [UInt8], for peer: Peer, _ context: QueryContext, to writer: inout JSONWriter
    ) -> RequestResult? {
        guard let stream = streams[token] else { return .failure(.requestCancelled) }
        context.served.enter(peer.judged(by: context.configuration.policy))
        defer { context.served.leave() }
        let start = writer.bytes.count
        writer.beginValue()
        do throws(RequestError) {
            if case .end(let result) = try stream.next(context, id: id, to: &writer) { return .success(result) }
            writer.newline()
            return nil
        } catch {
            writer.removeAll(after: start)
            return .failure(error)
        }
    }

    /// Begins to watch the streams.
    ///
    /// - Returns: false if they are watched already, so that no timer is needed.
    mutating func beginWatching() -> Bool {
        defer { isWatched = true }
        return !isWatched
    }

    mutating func endWatching() {
        isWatched = false
    }
}
