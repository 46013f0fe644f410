// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// A bearer token, and the time for which it is used. Times are nanoseconds since boot, which include the time that a
/// machine slept.
struct AccessToken: Sendable, Equatable {
    /// Visible ASCII.
    let text: String
    /// The time from which a request has it renewed first.
    let renewal: UInt64

    /// - Parameters:
    ///   - asked: the time at which it was asked for.
    ///   - life: in seconds.
    init(_ text: String, asked: UInt64, life: UInt64) {
        self.text = text
        let margin = min(Self.margin, life * Self.second / 2)
        renewal = asked &+ life * Self.second &- margin
    }

    private static let second: UInt64 = 1_000_000_000
    /// The time before its end at which a token is renewed, unless half its life is shorter.
    private static let margin = 60 * second
}

/// The answer of a token server (RFC 6749, section 5).
struct TokenAnswer: Sendable, Equatable {
    let text: String
    /// In seconds.
    let life: UInt64
    /// The refresh token that replaces the sent one; nil if that one stays.
    let refreshToken: String?

    /// The size of the largest answer, in bytes.
    static let maxSize = 64 << 10
    /// The life of a token for which the server names none within the bounds, in seconds.
    static let usualLife: UInt64 = 3600
    /// The bounds of a life, in seconds.
    static let lives: ClosedRange<UInt64> = 1...86_400

    /// The reason why an answer in JSON has no usable token, in English.
    struct Unusable: Error, Equatable {
        let reason: String
    }

    /// Reads the body of a good answer, which is JSON.
    init(_ value: JSONValue) throws(Unusable) {
        guard case .object(let object) = value else { throw Unusable(reason: "the answer is not an object") }
        guard let text = object["access_token"]?.string, !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { throw Unusable(reason: "there is no 'access_token' of visible ASCII") }
        switch object["token_type"] {
        case nil, .null?: break
        case let type?:
            guard type.string?.lowercased() == "bearer" else { throw Unusable(reason: "its type is not 'bearer'") }
        }
        self.text = text
        life = Self.life(object["expires_in"])
        refreshToken = object["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A number or digits; a fraction is dropped.
    private static func life(_ value: JSONValue?) -> UInt64 {
        let text: String? =
            switch value {
            case .number(let text)?: text
            case .string(let text)? where !text.isEmpty && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }): text
            default: nil
            }
        guard let seconds = text.flatMap({ Double($0) }), seconds >= Double(lives.lowerBound),
            seconds <= Double(lives.upperBound)
        else { return usualLife }
        return UInt64(seconds)
    }

    /// The error of a refusal, from a body that has a plain one.
    static func error(_ body: [UInt8]) -> String? {
        guard let value = try? JSONValue.parse(body), case .object(let object) = value,
            let error = object["error"]?.string, (1...maxErrorLength).contains(error.utf8.count),
            error.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
        else { return nil }
        return error
    }

    /// The length of the longest error that is reported, in bytes.
    static let maxErrorLength = 40
}

/// The secrets of a token request, as they were read for it.
struct TokenSecrets: Sendable {
    /// The client's secret; nil if the client has none.
    var client: String?
    /// The refresh token of the credential; nil for the grant `client_credentials`.
    var refresh: String?
    var security = HTTPSecurity()
}

/// Makes the form by which a token is asked for (RFC 6749, sections 4.4 and 6).
enum TokenForm {
    /// - Parameter refreshToken: the refresh token in force; nil for the grant `client_credentials`.
    static func request(
        _ request: TokenRequest, _ secrets: TokenSecrets, refreshToken: String?, limits: TransferLimits
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
