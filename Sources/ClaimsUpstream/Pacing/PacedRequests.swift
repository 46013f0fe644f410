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
    /// Makes them for one taker.
    struct Maker: Sendable {
        private let gate: HostGate
        private let taker: HostTaker
        private let urgency: HostUrgency
        private let onWait: HostWait.Observer?

        init(_ gate: HostGate, as taker: HostTaker, _ urgency: HostUrgency, onWait: HostWait.Observer? = nil) {
            self.gate = gate
            self.taker = taker
            self.urgency = urgency
            self.onWait = onWait
        }

        func make(cancellation: HTTPCancellation, pause: Duration) -> PacedRequests {
            PacedRequests(gate, as: taker, urgency, cancellation: cancellation, pause: pause, onWait: onWait)
        }
    }

    /// The rest of the time for waits.
    public private(set) var pause: Duration
    /// The time that was waited.
    public private(set) var waited = Duration.zero
    /// The reason why a request could not begin; nil where all could.
    public private(set) var refusal: HostRefusal?
    private let gate: HostGate
    private let taker: HostTaker
    private let urgency: HostUrgency
    private let cancellation: HTTPCancellation?
    private let onWait: HostWait.Observer?
    private var pass: HostPass?

    /// - Parameter onWait: called with each wait for a host, and with nil when it is over.
    public init(
        _ gate: HostGate, as taker: HostTaker, _ urgency: HostUrgency = HostUrgency(),
        cancellation: HTTPCancellation?, pause: Duration, onWait: HostWait.Observer? = nil
    ) {
        self.gate = gate
        self.taker = taker
        self.urgency = urgency
        self.cancellation = cancellation
        self.pause = pause
        self.onWait = onWait
    }

    /// Makes one transfer.
    ///
    /// - Throws: any error of the client; `cancelled` where a request may not begin, and ``refusal`` says why.
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
            pass = try gate.enter(host, as: taker, urgency, cancellation: cancellation, pause: &pause, onWait: onWait)
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

    /// Gives the pass of the request that runs back, with what its answer says.
    ///
    /// - Parameter status: nil where there is no answer.
    public func end(_ status: Int?, retryAfter: Int?, _ pace: HTTPPaceHeaders) {
        guard let pass = pass.take() else { return }
        pass.note(
            hostDelay: HostDemand.seconds(
                status: status, retryAfter: retryAfter, pace: pace, now: gate.clock.now() / 1000))
    }
}
