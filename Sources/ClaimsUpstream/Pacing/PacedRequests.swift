// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// Makes transfers at the pace of their hosts: each request, those after redirects too, has a pass of its own for the host
/// that it goes to. One thread uses it.
///
///     let paced = PacedRequests(gate, as: .source(id), cancellation: cancellation, pause: budget.pause)
///     defer { budget.pause = paced.pause }
///     let response = try paced.perform(request, client: client)
public final class PacedRequests {
    /// Makes them for one requester.
    struct Maker: Sendable {
        private let gate: HostGate
        private let requester: HostRequester
        private let urgency: HostUrgency
        private let onWait: HostWait.Observer?

        init(_ gate: HostGate, as requester: HostRequester, _ urgency: HostUrgency, onWait: HostWait.Observer? = nil) {
            self.gate = gate
            self.requester = requester
            self.urgency = urgency
            self.onWait = onWait
        }

        func make(cancellation: HTTPCancellation, pause: Duration) -> PacedRequests {
            PacedRequests(gate, as: requester, urgency, cancellation: cancellation, pause: pause, onWait: onWait)
        }
    }

    /// The rest of the time for waits.
    public private(set) var pause: Duration
    /// The time that was waited.
    public private(set) var waited = Duration.zero
    /// The reason why a request could not begin; nil if all could.
    public private(set) var refusal: HostRefusal?
    private let gate: HostGate
    private let requester: HostRequester
    private let urgency: HostUrgency
    private let cancellation: HTTPCancellation?
    private let onWait: HostWait.Observer?
    private var pass: HostPass?

    /// - Parameter onWait: called with each wait for a host, and with nil when it is over.
    public init(
        _ gate: HostGate, as requester: HostRequester, _ urgency: HostUrgency = HostUrgency(),
        cancellation: HTTPCancellation?, pause: Duration, onWait: HostWait.Observer? = nil
    ) {
        self.gate = gate
        self.requester = requester
        self.urgency = urgency
        self.cancellation = cancellation
        self.pause = pause
        self.onWait = onWait
    }

    /// Makes one transfer.
    ///
    /// - Throws: any error of the client; `cancelled` if a request may not begin; then ``refusal`` has the reason.
    public func perform(
        _ request: HTTPRequest, client: borrowing HTTPClient, observe: ((HTTPProgress) -> Void)? = nil
    ) throws(HTTPError) -> HTTPResponse {
        try begin(to: HTTPURL(request.url).host)
        do throws(HTTPError) {
            let response = try client.perform(
                request, cancellation: cancellation,
                willFollow: { redirect throws(HTTPError) in
                    self.end(redirect.status, retryAfter: nil, redirect.pace)
                    try self.begin(to: redirect.target.host)
                }, observe: observe)
            end(response.status, retryAfter: response.retryAfter, response.pace)
            return response
        } catch {
            end(error.status, retryAfter: error.retryAfter, error.pace)
            throw error
        }
    }

    /// Waits until a request to a host may begin.
    public func begin(to host: String) throws(HTTPError) {
        let before = pause
        defer { waited += before - pause }
        do throws(HostRefusal) {
            pass = try gate.enter(
                host, as: requester, urgency, cancellation: cancellation, pause: &pause, onWait: onWait)
        } catch {
            refusal = error
            throw HTTPError(.cancelled)
        }
    }

    /// Gives the pass of a write back.
    public func end(_ outcome: HTTPWriteOutcome) {
        switch outcome {
        case .unsent(let error), .unanswered(let error):
            end(error.status, retryAfter: error.retryAfter, error.pace)
        case .answered(let answer):
            end(answer.status, retryAfter: answer.retryAfter, answer.pace)
        }
    }

    /// Returns the pass of the running request, with the facts of its answer.
    ///
    /// - Parameter status: nil if there is no answer.
    public func end(_ status: Int?, retryAfter: Int?, _ pace: HTTPPaceHeaders) {
        guard let pass = pass.take() else { return }
        pass.report(
            hostDelay: HostDemand.seconds(
                status: status, retryAfter: retryAfter, pace: pace, now: gate.clock.now() / 1000))
    }
}

/// The demand of an answer for its host. Pure.
enum HostDemand {
    /// The longest time in seconds for which the headers of a rate limit are obeyed.
    static let maxReset: Int64 = 3600

    /// The seconds for which the host wants no further request: `Retry-After` of a 429, or the `Reset` of a rate limit
    /// that is used up. Nil if it demands none.
    ///
    /// - Parameter now: seconds since 1970.
    static func seconds(status: Int?, retryAfter: Int?, pace: HTTPPaceHeaders, now: Int64) -> Int? {
        var delays = pace.windows.compactMap { window in
            isZero(window.remaining) ? reset(window.reset, from: pace.date ?? now) : nil
        }
        if status == 429, let retryAfter { delays.append(retryAfter) }
        return delays.max().flatMap { $0 > 0 ? $0 : nil }
    }

    /// Seconds, or from 10⁹ on a time since 1970, which counts from `start`. Fractions are rounded up. Nil for anything
    /// else, and beyond ``maxReset``.
    private static func reset(_ text: String, from start: Int64) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy(isNumber), var seconds = Int64(parts[0]) else { return nil }
        if parts.count == 2, !isZero(parts[1]) { seconds += 1 }
        if seconds >= 1_000_000_000 { seconds = max(seconds - start, 0) }
        return seconds <= maxReset ? Int(seconds) : nil
    }

    private static func isZero(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 == 0x30 }
    }

    /// Whether a text consists of digits, and of few enough to be a number of seconds.
    private static func isNumber(_ text: Substring) -> Bool {
        (1...18).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// The time that the requests of one walk through an upstream's pages have left.
public struct RequestBudget: Sendable, Equatable {
    /// The time for requests, those for tokens too.
    public var transfer: Duration
    /// The time for waits: those at the host, and those before a page is asked for again.
    public var pause: Duration

    public init(transfer: Duration, pause: Duration) {
        self.transfer = transfer
        self.pause = pause
    }
}
