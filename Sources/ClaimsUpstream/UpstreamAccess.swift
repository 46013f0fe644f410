// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// Makes single requests to upstreams, with their secrets and at the pace of their hosts. Safe on any thread.
///
///     let access = UpstreamAccess(credentials: CredentialReader(directory: folder))
///     let response = try access.perform(call, client: client, cancellation: cancellation, budget: &budget)
public final class UpstreamAccess: Sendable {
    /// One request that reads.
    public struct Call: Sendable {
        /// The request without its secrets.
        public var request: HTTPRequest
        public var auth: Authentication?
        public var tls: TLSOptions?
        /// The source for which the request waits at its host.
        public var requester: SourceID
        /// Called with each wait for a host, and with nil when it is over.
        public var onWait: HostWait.Observer?

        public init(
            _ request: HTTPRequest, auth: Authentication? = nil, tls: TLSOptions? = nil, requester: SourceID
        ) {
            self.request = request
            self.auth = auth
            self.tls = tls
            self.requester = requester
        }
    }

    /// The tokens of all requests.
    public let tokens: TokenStore
    /// Decides when requests begin: reads, and all writes.
    public let gate: HostGate
    private let finder: SecretFinder
    private let urgency: HostUrgency
    /// The time that a request for the token of a write may wait for the token server's host.
    private static let maxTokenPause = Duration.seconds(60)
    /// Records each request; nil if no recording is needed.
    private let trace: RequestTrace?

    public init(
        credentials: CredentialReader, tokens: TokenStore = TokenStore(), gate: HostGate = HostGate()
    ) {
        self.tokens = tokens
        self.gate = gate
        finder = SecretFinder(credentials: credentials, tokens: tokens)
        urgency = HostUrgency()
        trace = nil
    }

    private init(_ other: UpstreamAccess, _ urgency: HostUrgency, trace: RequestTrace?) {
        tokens = other.tokens
        gate = other.gate
        finder = other.finder
        self.urgency = urgency
        self.trace = trace
    }

    /// Keeps the upstreams' words about failures; nil if they are not shown.
    public var refusal: RefusedBody? { trace.flatMap { $0.keepsRefusals ? $0.refusal : nil } }

    /// The same access for requests that press more, or less.
    public func pressing(_ urgency: HostUrgency) -> UpstreamAccess { UpstreamAccess(self, urgency, trace: trace) }

    /// The same access, which records its requests and their secrets.
    public func traced(by trace: RequestTrace) -> UpstreamAccess { UpstreamAccess(self, urgency, trace: trace) }

    /// The secrets of a request that another part makes, such as a write.
    ///
    /// - Parameter refused: the secrets of the same request whose token the upstream has refused.
    public func secrets(
        _ need: SecretNeed, after refused: RequestSecrets? = nil, cancellation: HTTPCancellation
    ) throws(AccessFailure) -> RequestSecrets {
        var budget = RequestBudget(transfer: need.limits.transfer, pause: Self.maxTokenPause)
        return try finder.secrets(
            need, after: refused, pacing: PacedRequests.Maker(gate, as: .writes, urgency), cancellation: cancellation,
            budget: &budget)
    }

    /// Makes a request with its secrets, and waits for its end. A request whose token is refused is repeated once.
    ///
    /// - Parameters:
    ///   - budget: the time that the request uses is subtracted.
    ///   - observe: receives the progress of the transfer.
    public func perform(
        _ call: Call, client: borrowing HTTPClient, cancellation: HTTPCancellation, budget: inout RequestBudget,
        observe: @escaping (HTTPProgress) -> Void
    ) throws(AccessFailure) -> HTTPResponse {
        let need = SecretNeed(
            auth: call.auth, tls: call.tls, collection: call.requester.collection, limits: call.request.limits)
        let pacing = PacedRequests.Maker(gate, as: .source(call.requester), urgency, onWait: call.onWait)
        var secrets = try finder.secrets(
            need, pacing: pacing, cancellation: cancellation, budget: &budget, trace: trace)
        trace?.record(secrets, of: call.auth)
        do throws(AccessFailure) {
            return try transfer(
                call.with(secrets), client: client, cancellation: cancellation, budget: &budget, observe: observe)
        } catch {
            guard error.isRefusal, secrets.isRenewable else { throw call.failure(error) }
        }
        secrets = try finder.secrets(
            need, after: secrets, pacing: pacing, cancellation: cancellation, budget: &budget, trace: trace)
        trace?.record(secrets, of: call.auth)
        do throws(AccessFailure) {
            return try transfer(
                call.with(secrets), client: client, cancellation: cancellation, budget: &budget, observe: observe)
        } catch {
            throw call.failure(error)
        }
    }

    /// One transfer of a request that has its secrets.
    private func transfer(
        _ call: Call, client: borrowing HTTPClient, cancellation: HTTPCancellation, budget: inout RequestBudget,
        observe: @escaping (HTTPProgress) -> Void
    ) throws(AccessFailure) -> HTTPResponse {
        var request = call.request
        if let trace, trace.keepsRefusals { request.refusal = trace.refusal }
        request.limits.transfer = min(request.limits.transfer, budget.transfer)
        let paced = PacedRequests(
            gate, as: .source(call.requester), urgency, cancellation: cancellation, pause: budget.pause,
            onWait: call.onWait)
        let start = SystemClock.monotonic
        defer {
            budget.transfer -= .nanoseconds(Int64(clamping: SystemClock.monotonic &- start)) - paced.waited
            budget.pause = paced.pause
        }
        do throws(HTTPError) {
            let response = try paced.perform(request, client: client, observe: observe)
            trace?.record(request, from: start, status: response.status, bytes: response.received, isGood: true)
            return response
        } catch {
            trace?.record(request, from: start, status: error.status)
            if case .tooLong = paced.refusal { throw .pause }
            throw .transfer(error)
        }
    }
}

extension UpstreamAccess.Call {
    fileprivate func with(_ secrets: RequestSecrets) -> Self {
        var call = self
        call.request.credential = secrets.credential
        call.request.security = secrets.security
        return call
    }

    /// The failure as the caller gets it: a wrong secret is no failure of a transfer.
    fileprivate func failure(_ failure: AccessFailure) -> AccessFailure {
        guard case .transfer(let error) = failure else { return failure }
        let host = HTTPURL.authority(of: request.home ?? request.url)
        if error.kind == .credential {
            return .credential(.unusable, Message(.credentialUnusable, host, error.detail))
        }
        guard auth != nil, failure.isRefusal, let status = error.status else { return failure }
        return .credential(.rejected, Message(.credentialRejected, host, HTTPStatus.text(status)), status: status)
    }
}

extension AccessFailure {
    /// Whether the upstream itself answered that it does not know who asks.
    fileprivate var isRefusal: Bool {
        if case .transfer(let error) = self {
            error.reason == .status && error.status == 401 && !error.isElsewhere
        } else {
            false
        }
    }
}
