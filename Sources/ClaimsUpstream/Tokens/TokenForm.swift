// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The secrets of a token request, as they were read for it.
struct TokenSecrets: Sendable {
    /// The client's secret; nil where the client has none.
    var client: String?
    /// The refresh token of the credential; nil for the grant `client_credentials`.
    var refresh: String?
    var security = HTTPSecurity()
}

/// Makes the form by which a token is asked for (RFC 6749, sections 4.4 and 6).
enum TokenForm {
    /// - Parameter refreshToken: the refresh token in force; nil for the grant `client_credentials`.
    static func request(
        _ request: TokenRequest, _ secrets: TokenSecrets, refreshToken: String?, limits: HTTPLimits
    ) -> HTTPWriteRequest {
        var fields: [(String, String)]
        if let refreshToken {
            fields = [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
        } else {
            fields = [("grant_type", "client_credentials")]
        }
        var credential: HTTPCredential?
        switch (secrets.client, request.send) {
        case (nil, _): fields.append(("client_id", request.client))
        case (let secret?, .body): fields += [("client_id", request.client), ("client_secret", secret)]
        case (let secret?, .basic):
            // RFC 6749, section 2.3.1: both are encoded as in forms before they are joined.
            credential = .basic(user: PercentEncoding.encode(request.client), password: PercentEncoding.encode(secret))
        }
        for parameter in request.parameters { fields += parameter.values.map { (parameter.name, $0) } }
        let text = fields.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&")
        var form = HTTPWriteRequest(
            .post, url: request.url,
            headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")],
            credential: credential, body: .content(.bytes(Array(text.utf8))), limits: limits)
        form.security = secrets.security
        form.isGivenUpEarly = true
        return form
    }
}
