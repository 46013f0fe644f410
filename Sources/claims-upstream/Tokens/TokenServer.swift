// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// Gives bearer tokens for a client's secret or a refresh token (RFC 6749), and keeps the valid ones.
struct TokenServer {
    private(set) var rules: TokenRules
    /// The refresh token that is good; nil for none.
    private var refresh: String?
    /// The access tokens, each with the time at which it ends, on the monotonic clock.
    private var tokens: [String: UInt64] = [:]
    /// All tokens that were ever given, the first one first.
    private var given: [String] = []
    private var refused = 0

    /// The number of tokens that are remembered; older ones go.
    private static let maxTokens = 10_000

    init(_ rules: TokenRules) {
        self.rules = rules
        refresh = rules.refresh
    }

    var json: JSONValue {
        [
            "grants": .integer(given.count), "refused": .integer(refused),
            "tokens": .array(given.map(JSONValue.string)),
            "refresh": refresh.map(JSONValue.string) ?? .null,
        ]
    }

    /// Changes the rules; tokens that were given stay good.
    mutating func change(_ rules: TokenRules) {
        if rules.refresh != self.rules.refresh { refresh = rules.refresh }
        self.rules = rules
    }

    /// Ends all access tokens and, if asked for, the refresh token.
    mutating func revoke(refresh endsRefresh: Bool) {
        tokens = [:]
        if endsRefresh { refresh = nil }
    }

    func accepts(_ token: String?, now: UInt64) -> Bool {
        guard let token, let end = tokens[token] else { return false }
        return now < end
    }

    /// The answer to a request for a token.
    /// - Parameter commits: False if nothing is to come of it.
    mutating func answer(_ request: UpstreamRequest, now: UInt64, commits: Bool) -> UpstreamResponse {
        if let refusal = refusal(of: request) {
            refused += 1
            return refusal
        }
        let token = "at-\(given.count + 1)-\(RandomBytes.hexadecimal(16))"
        var fields = JSONObject([
            JSONObject.Member("access_token", .string(token)), JSONObject.Member("token_type", "Bearer"),
        ])
        if let expiresIn = rules.expiresIn { fields["expires_in"] = .integer(expiresIn) }
        let next = rules.rotates && refresh != nil ? "rt-\(given.count + 1)-\(RandomBytes.hexadecimal(16))" : nil
        if let next { fields["refresh_token"] = .string(next) }
        if commits {
            tokens[token] = now &+ UInt64(rules.life) &* 1_000_000
            if given.count == Self.maxTokens { given.removeFirst(Self.maxTokens / 2) }
            given.append(token)
            refresh = next ?? refresh
        }
        var response = UpstreamResponse(body: JSONValue.object(fields.patched(rules.answer)).compactBytes)
        response["Cache-Control"] = "no-store"
        return response
    }

    private func refusal(of request: UpstreamRequest) -> UpstreamResponse? {
        guard request.method == "POST" else { return UpstreamResponse(status: 405) }
        guard let form = request.form else { return Self.error("invalid_request") }
        guard isClient(request, form) else { return Self.error("invalid_client", status: 401) }
        let grant = rules.refresh == nil ? "client_credentials" : "refresh_token"
        guard form["grant_type"] == grant else { return Self.error("unsupported_grant_type") }
        if rules.refresh != nil && (refresh == nil || form["refresh_token"] != refresh) {
            return Self.error("invalid_grant")
        }
        guard rules.form.allSatisfy({ field in form[field.name] == field.value }) else {
            return Self.error("invalid_scope")
        }
        return nil
    }

    private func isClient(_ request: UpstreamRequest, _ form: [String: String]) -> Bool {
        let basic = request.basicCredentials.map { pair in
            (UpstreamRequest.formText(pair.user), UpstreamRequest.formText(pair.password))
        }
        let isInHead = basic.map { pair in pair == (rules.client, rules.secret) } ?? false
        let isInBody = form["client_id"] == rules.client && form["client_secret"] == rules.secret
        switch rules.placement {
        case .basic: return isInHead && form["client_secret"] == nil
        case .body: return isInBody && basic == nil
        case .any: return isInHead || isInBody
        case .none: return form["client_id"] == rules.client && form["client_secret"] == nil && basic == nil
        }
    }

    private static func error(_ name: String, status: Int = 400) -> UpstreamResponse {
        UpstreamResponse(status: status, body: JSONValue.object(["error": .string(name)]).compactBytes)
    }
}
