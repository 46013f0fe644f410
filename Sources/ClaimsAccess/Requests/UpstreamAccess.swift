// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsHTTP
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
        /// The source that takes its turn at the host.
        public var requester: SourceID

        public init(
            _ request: HTTPRequest, auth: Authentication? = nil, tls: TLSOptions? = nil, requester: SourceID
        ) {
            self.request = request
            self.auth = auth
            self.tls = tls
            self.requester = requester
        }
    }

    private let credentials: CredentialReader

    public init(credentials: CredentialReader) {
        self.credentials = credentials
    }

    /// Makes a request, and waits for its end.
    ///
    /// - Parameters:
    ///   - budget: what the request uses of it is taken away.
    ///   - observe: is told how far the transfer is.
    public func perform(
        _ call: Call, client: borrowing HTTPClient, cancellation: HTTPCancellation, budget: inout RequestBudget,
        observe: @escaping (HTTPProgress) -> Void
    ) throws(AccessFailure) -> HTTPResponse {
        var request = call.request
        if case .bearer(let name) = call.auth { request.credential = try credentials.read(name) }
        request.limits.total = min(request.limits.total, budget.transfer)
        let start = SystemClock.monotonic
        defer { budget.transfer -= .nanoseconds(Int64(clamping: SystemClock.monotonic &- start)) }
        do throws(HTTPError) {
            return try client.perform(request, cancellation: cancellation, observe: observe)
        } catch { throw .transfer(error) }
    }
}
