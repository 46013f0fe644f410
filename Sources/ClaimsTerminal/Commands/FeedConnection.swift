// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsClient
import ClaimsJSON
import ClaimsPlatform
package import ClaimsProtocol
import Glibc

/// A connection with subscriptions: requests are answered, and events are kept until they are asked for.
///
/// While it waits it also watches the reader of the output, so that a program in a pipe does not outlive its reader.
package final class FeedConnection {
    /// The end of a wait.
    package enum Arrival {
        case event(FeedEvent)
        /// The time is over, or a descriptor of ``wakers`` is ready.
        case nothing
    }

    private let connection: ClientConnection
    /// The descriptor of the output; nil if its reader cannot be watched.
    private let reader: Int32?
    /// The maximum time without a byte; nil for no bound.
    private let maxSilence: Duration?
    /// The time of the monotonic clock at which every wait ends, whatever comes meanwhile; nil for none.
    package var end: UInt64?
    /// The descriptors that end a wait for an event once they can be read.
    package var wakers: [Int32] = []
    private var lastArrival = SystemClock.monotonic
    /// The events that came with answers to requests, in the order of arrival.
    private var events: [AnswerValue] = []
    /// The bytes of these events.
    private var keptBytes = 0

    /// Whether events were dropped, after which the subscriptions have to begin again.
    private var hasDropped = false

    /// The maximum number of bytes of events that are kept while an answer is awaited.
    private static let maxKept = 64 << 20

    /// The maximum time that the daemon may take for an answer.
    package static let maxAnswerTime: Duration = .seconds(30)

    /// The maximum time without a byte from another host, whose end no kernel reports: the daemon sends something every
    /// 30 s.
    package static let maxSilence: Duration = .seconds(90)

    /// - Parameters:
    ///   - reader: the descriptor of the output; nil if its reader cannot be watched.
    ///   - maxSilence: the time without a byte after which a connection to another host counts as lost.
    package init(_ connection: ClientConnection, reader: Int32?, maxSilence: Duration = maxSilence) {
        self.connection = connection
        connection.isProlongedByParts = false
        self.reader = reader
        self.maxSilence = connection.address.host == nil ? nil : maxSilence
    }

    /// Sends a request, and returns its number.
    package func request<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters
    ) -> ClientConnection.RequestNumber {
        connection.request(method, parameters)
    }

    /// The result of a request, which may take until ``end``, and no longer than ``maxAnswerTime``.
    package func answer(to number: ClientConnection.RequestNumber) throws(CommandError) -> AnswerValue {
        let remaining = end.map { Duration.nanoseconds($0 - min($0, SystemClock.monotonic)) }
        connection.timeout = min(remaining ?? Self.maxAnswerTime, Self.maxAnswerTime)
        do throws(ClientError) {
            defer { lastArrival = SystemClock.monotonic }
            let answer = try connection.answer(to: number, onNotification: { self.keep($0) })
            guard !hasDropped else { throw ClientError.closed(mayBeDone: false) }
            return answer
        } catch {
            throw .client(error)
        }
    }

    /// Subscribes from the position of a feed, and again where the daemon does not know its clock any more.
    package func subscribe(
        _ feed: inout FollowedFeed, _ parameters: SubscribeParameters
    ) throws(CommandError) -> AnswerValue {
        while true {
            do throws(CommandError) {
                let answer = try answer(to: request(.subscribe, feed.parameters(parameters)))
                feed.subscribed(answer)
                return answer
            } catch {
                guard case .client(.refused(let refusal)) = error, feed.isMended(after: refusal) else { throw error }
            }
        }
    }

    /// The next event; waits until there is one, or until a time of the monotonic clock, and never longer than
    /// until ``end``.
    ///
    /// - Throws: `ClientError.closed` for a lost connection, and `OutputError.closed` where the reader has gone.
    package func next(before deadline: UInt64? = nil) throws(CommandError) -> Arrival {
        while true {
            if !events.isEmpty {
                let event = events.removeFirst()
                keptBytes -= event.document.bytes.count
                return .event(FeedEvent(event))
            }
            do throws(ClientError) {
                if let line = connection.lineAtHand() {
                    keep(try connection.document(of: line).root)
                    // Lines that are no events may come without end.
                    if events.isEmpty, let deadline, SystemClock.monotonic >= deadline { return .nothing }
                    continue
                }
                try connection.flush()
            } catch {
                throw .client(error)
            }
            let loss = maxSilence.map { lastArrival + $0.wholeNanoseconds }
            let limit = [deadline, end, loss].compactMap(\.self).min()
            guard try Self.wait(for: connection.descriptor, reader: reader, wakers: wakers, before: limit) else {
                if let loss, loss == limit, SystemClock.monotonic >= loss { throw .client(.closed(mayBeDone: false)) }
                return .nothing
            }
            lastArrival = SystemClock.monotonic
            // Bytes may come without end, and no line with them.
            if let end, lastArrival >= end { return .nothing }
            do throws(ClientError) {
                guard try connection.receive() else { throw connection.loss() }
            } catch {
                throw .client(error)
            }
        }
    }

    private func keep(_ notification: AnswerValue) {
        guard notification["method"]?.string == EventNotification.method, let event = notification["params"] else {
            return
        }
        keptBytes += event.document.bytes.count
        if keptBytes > Self.maxKept { (events, hasDropped) = ([], true) } else { events.append(event) }
    }

    /// Waits for input on a descriptor, and for nothing but the time where there is none.
    ///
    /// - Parameter wakers: further descriptors that end the wait once they can be read.
    /// - Returns: false when the time is over, or a descriptor of `wakers` is ready.
    /// - Throws: `OutputError.closed` where the reader of the output has gone.
    package static func wait(
        for input: Int32?, reader: Int32?, wakers: [Int32] = [], before deadline: UInt64?
    ) throws(CommandError) -> Bool {
        while true {
            // The kernel reports errors and hang-ups without being asked.
            var entries = [Readiness.entry(input ?? -1, .read), Readiness.entry(reader ?? -1, [])]
            entries += wakers.map { Readiness.entry($0, .read) }
            let isReady: Bool
            do throws(SystemError) {
                isReady = try Readiness.wait(for: &entries, before: deadline)
            } catch {
                throw .failed(.failure, kind: "internal", message: error.text)
            }
            if entries[1].revents & Int16(POLLERR | POLLHUP) != 0 { throw .output(.closed) }
            if entries[2...].contains(where: { $0.revents != 0 }) { return false }
            if entries[0].revents != 0 { return true }
            if !isReady { return false }
        }
    }
}

extension FeedEvent {
    /// Throws where the event is the last one.
    func check() throws(CommandError) {
        switch kind {
        case .ended(let refusal): throw .client(.refused(refusal))
        case .lagged: throw .client(.closed(mayBeDone: false))
        default: break
        }
    }
}

extension CommandError {
    /// Whether the daemon may answer the same later: it is gone, silent or busy.
    var isPassing: Bool {
        switch self {
        case .client(.hostFailed(let failure)): failure.isPassing
        case .client(.unreachable), .client(.closed), .client(.timedOut): true
        case .client(.refused(let refusal)): refusal.kind == ErrorKind.busy.rawValue
        case .client(.malformed), .usage, .output, .failed, .invalid: false
        }
    }
}

extension HostFailure {
    /// Whether the host may be reached later: there was no way to it, or no daemon.
    fileprivate var isPassing: Bool {
        switch cause {
        case .ended: true
        case .notStarted, .noise: false
        }
    }
}
