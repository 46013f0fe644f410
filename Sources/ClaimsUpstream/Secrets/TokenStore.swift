// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
public import ClaimsPlatform

/// The tokens of all requests, in memory, and the refresh tokens, on disk. Safe on any thread.
public final class TokenStore: Sendable {
    /// The folder of refresh tokens, in the state folder.
    public static let folder = "tokens"

    /// One request's need of a token.
    struct Need {
        let request: TokenRequest
        let secrets: TokenSecrets
        /// The number of a token that the upstream has refused.
        var rejected: UInt64?
        /// The collection that is recorded beside a refresh token.
        let collection: String
        let limits: TransferLimits
        /// Called with the begin of a request, in nanoseconds of the monotonic clock, and its outcome.
        var observe: @Sendable (UInt64, HTTPWriteOutcome) -> Void = { _, _ in }
    }

    private let table = Monitor(TokenLedger())
    private let files: RefreshTokenFiles
    private let writer: HTTPWriter
    private let sinceBoot: @Sendable () -> UInt64

    /// - Parameters:
    ///   - directory: the private folder for refresh tokens; nil keeps them in memory only.
    ///   - sinceBoot: the boot clock, in nanoseconds, which continues while the machine sleeps.
    ///   - report: called with the reason why a refresh token cannot be written, and with nil once one is.
    public init(
        directory: String? = nil, sinceBoot: @escaping @Sendable () -> UInt64 = { SystemClock.sinceBoot },
        report: @escaping @Sendable (SystemError?) -> Void = { _ in }
    ) {
        files = RefreshTokenFiles(directory: directory, report: report)
        writer = HTTPWriter(userAgent: "claimsd")
        self.sinceBoot = sinceBoot
    }

    /// Whether there are refresh tokens that could not be written.
    public var hasUnwritten: Bool { files.hasUnwritten }

    /// Tries again to write the refresh tokens for which there was no room.
    public func writeUnwritten() { files.writeUnwritten() }

    /// Removes the refresh tokens that are not needed any more.
    ///
    /// - Parameters:
    ///   - definitions: the definitions in force.
    ///   - hasRows: whether a collection still has rows, whether or not it is in force.
    public func removeUnneeded(definitions: [Definition], hasRows: (String) -> Bool) {
        files.removeUnneeded(requests: definitions.flatMap(\.tokenRequests), hasRows: hasRows)
    }

    /// Returns a token that is good for a request now, and requests one if there is none.
    ///
    /// - Parameters:
    ///   - pacing: makes the pass of the request at the token server's host.
    ///   - budget: the time that this uses is subtracted.
    func token(
        _ need: Need, pacing: PacedRequests.Maker, cancellation: HTTPCancellation, budget: inout RequestBudget
    ) throws(AccessFailure) -> TokenLedger.Numbered {
        let start = SystemClock.monotonic
        let deadline = start &+ budget.transfer.wholeNanoseconds
        let paced = pacing.make(cancellation: cancellation, pause: budget.pause)
        defer {
            budget.transfer -= .nanoseconds(Int64(clamping: SystemClock.monotonic &- start)) - paced.waited
            budget.pause = paced.pause
        }
        let key = TokenLedger.Key(need.request, need.secrets)
        let grant = need.grant
        let turnstile = grant.map { TokenLedger.Turnstile.grant($0) } ?? .token(key)
        var seen: UInt64?
        while true {
            let now = sinceBoot()
            let decision = table.update(waking: .none) { table in
                table.decide(key, at: turnstile, rejected: need.rejected, seen: seen, now: now)
            }
            switch decision {
            case .use(let token): return token
            case .fail(let failure): throw failure
            case .wait(let ends):
                seen = ends
                try wait(cancellation, until: deadline) { $0.isOver(key, at: turnstile, seen: ends) }
            case .ask:
                let end = ask(need, grant, paced, cancellation: cancellation, until: deadline)
                let ended = sinceBoot()
                let token = table.update { table in
                    table.finish(key, at: turnstile, end.isCancelled ? nil : end, now: ended)
                }
                if let token { return token }
                _ = try end.get()
            }
        }
    }

    /// Waits until `isOver`; throws if it is cancelled or takes too long.
    private func wait(
        _ cancellation: HTTPCancellation, until deadline: UInt64, _ isOver: (TokenLedger) -> Bool
    ) throws(AccessFailure) {
        cancellation.whenCancelled { [table] in table.update { _ in } }
        defer { cancellation.whenCancelled(nil) }
        let now = SystemClock.monotonic
        let left = Duration.nanoseconds(Int64(clamping: deadline > now ? deadline - now : 0))
        let hasEnded = table.wait(upTo: left) { table -> Bool? in
            cancellation.isCancelled || isOver(table) ? true : nil
        }
        if cancellation.isCancelled { throw .transfer(HTTPError(.cancelled)) }
        if hasEnded == nil { throw .transfer(HTTPError(.timeout(.transfer))) }
    }

    // MARK: - Asking

    private func ask(
        _ need: Need, _ grant: RefreshGrant?, _ paced: PacedRequests, cancellation: HTTPCancellation,
        until deadline: UInt64
    ) -> Result<AccessToken, AccessFailure> {
        files.writeUnwritten()
        let asked = sinceBoot()
        let refreshToken = grant.map { files.token(of: $0, for: need.collection) ?? need.secrets.refresh ?? "" }
        do throws(HTTPError) {
            try paced.begin(to: HTTPURL(need.request.url).host)
        } catch {
            if case .tooLong = paced.refusal { return .failure(.pause) }
            return .failure(error.isCancelled ? .transfer(error) : .token(error, url: need.request.url))
        }
        var limits = need.limits
        let now = SystemClock.monotonic - paced.waited.wholeNanoseconds
        limits.transfer = min(limits.transfer, .nanoseconds(Int64(clamping: deadline > now ? deadline - now : 0)))
        let form = TokenForm.request(need.request, need.secrets, refreshToken: refreshToken, limits: limits)
        let start = SystemClock.monotonic
        let outcome = writer.send(form, cancellation: cancellation)
        paced.end(outcome)
        need.observe(start, outcome)
        switch outcome {
        case .unsent(let error), .unanswered(let error):
            return .failure(failure(error, need))
        case .answered(let answer):
            return read(answer, need).map { given in
                // On disk before the access token is used: the one before may be void already.
                if let grant, let newer = given.refreshToken, newer != refreshToken {
                    files.keep(newer, of: grant, for: need.collection)
                }
                return AccessToken(given.text, asked: asked, life: given.life)
            }
        }
    }

    private func failure(_ error: HTTPError, _ need: Need) -> AccessFailure {
        if error.kind == .credential {
            return .credential(.unusable, Message(.credentialUnusable, need.host, error.detail))
        }
        return error.isCancelled ? .transfer(error) : .token(error, url: need.request.url)
    }

    private func read(_ answer: HTTPWriteAnswer, _ need: Need) -> Result<TokenAnswer, AccessFailure> {
        switch answer.status {
        case 400, 401, 403:
            let error = TokenAnswer.error(answer.body)
            return .failure(
                .credential(
                    error.map { FailureReason(rawValue: $0) } ?? .token,
                    Message(.tokenRefused, need.host, error ?? HTTPStatus.text(answer.status)), status: answer.status))
        case 200..<300: break
        case 300..<400:
            let error = HTTPError(
                .redirectElsewhere, status: answer.status, detail: "a token server cannot redirect")
            return .failure(.token(error, url: need.request.url))
        default:
            let error = HTTPError(.status, status: answer.status, retryAfter: answer.retryAfter)
            return .failure(.token(error, url: need.request.url))
        }
        guard answer.isWhole, answer.body.count <= TokenAnswer.maxSize else {
            return .failure(.token(HTTPError(.bodyTooLarge(TokenAnswer.maxSize)), url: need.request.url))
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(answer.body)
        } catch {
            return .failure(.tokenNotJSON(error))
        }
        do throws(TokenAnswer.Unusable) {
            return .success(try TokenAnswer(value))
        } catch {
            return .failure(.credential(.unusable, Message(.tokenUnusable, need.host, error.reason)))
        }
    }
}

extension TokenStore.Need {
    /// The host of the token server.
    fileprivate var host: String { HTTPURL.authority(of: request.url) }

    /// The owner of the refresh token; nil for the grant `client_credentials`.
    fileprivate var grant: RefreshGrant? {
        guard let credential = request.refresh, let token = secrets.refresh else { return nil }
        let digest = unsafe SHA256.hexadecimal(of: Array(token.utf8).span.bytes)
        return RefreshGrant(url: request.url, client: request.client, credential: credential, digest: digest)
    }
}

extension Result<AccessToken, AccessFailure> {
    /// Whether the caller ended it.
    fileprivate var isCancelled: Bool {
        if case .failure(let failure) = self { failure.isCancelled } else { false }
    }
}
