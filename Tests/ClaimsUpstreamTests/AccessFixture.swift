// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream

/// A server, the credentials `secret` and `refresh`, and what asks the server with them.
struct AccessFixture {
    let server: AskedServer
    let folder: TemporaryFolder
    let access: UpstreamAccess
    /// Nanoseconds since boot, which a test moves.
    let clock = Monitor<UInt64>(1_000_000_000_000)
    let errors = Monitor<[String]>([])

    init(_ treatment: @escaping AskedServer.Treatment) throws {
        server = try AskedServer(treatment)
        folder = try TemporaryFolder()
        access = Self.access(folder, clock, errors)
        try folder.write("credentials/secret", "s3cret\n")
        try folder.write("credentials/refresh", "refresh-0\n")
    }

    /// As after a restart: nothing is left but what lies on disk.
    func restarted() -> UpstreamAccess { Self.access(folder, clock, errors) }

    private static func access(
        _ folder: TemporaryFolder, _ clock: Monitor<UInt64>, _ errors: Monitor<[String]>
    ) -> UpstreamAccess {
        UpstreamAccess(
            credentials: CredentialReader(directory: folder("credentials")),
            tokens: TokenStore(
                directory: folder("tokens"), sinceBoot: { clock.read { $0 } },
                report: { error in errors.update { $0.append(error?.reason ?? "written") } }))
    }

    /// The request for a token of this server.
    func tokenRequest(refresh: Bool = false) -> TokenRequest {
        TokenRequest(
            url: server.url("token"), client: "plant-7", secret: "secret", refresh: refresh ? "refresh" : nil)
    }

    /// Makes one request to the server.
    func fetch(
        _ path: String = "things", auth: Authentication? = nil, tls: TLSOptions? = nil, by other: UpstreamAccess? = nil,
        cancellation: HTTPCancellation = HTTPCancellation(), change: (inout HTTPRequest) -> Void = { _ in }
    ) throws(AccessFailure) -> HTTPResponse {
        var request = HTTPRequest(url: server.url(path))
        change(&request)
        let call = UpstreamAccess.Call(request, auth: auth, tls: tls, requester: SourceID("things"))
        var budget = RequestBudget(transfer: .seconds(60), pause: .seconds(60))
        let client: HTTPClient
        do throws(HTTPError) {
            client = try HTTPClient(spoolDirectory: folder.path)
        } catch { throw .transfer(error) }
        return try (other ?? access).perform(call, client: client, cancellation: cancellation, budget: &budget) { _ in }
    }

    /// The failure of a request; nil where it has none.
    func failure(
        _ path: String = "things", auth: Authentication? = nil, tls: TLSOptions? = nil
    ) -> AccessFailure? {
        do throws(AccessFailure) {
            _ = try fetch(path, auth: auth, tls: tls)
            return nil
        } catch { return error }
    }

    func advance(_ seconds: UInt64) { clock.update { $0 += seconds * 1_000_000_000 } }
}

extension AccessFailure {
    var reason: FailureReason? { if case .credential(let reason, _, _) = self { reason } else { nil } }
    var status: Int? {
        switch self {
        case .credential(_, _, let status): status
        case .transfer(let error), .token(let error, _): error.status
        case .tokenNotJSON, .pause: nil
        }
    }
}
