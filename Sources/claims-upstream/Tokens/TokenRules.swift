// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The habits of a token server.
struct TokenRules: Sendable {
    static let members = ["client", "secret", "send", "refresh", "rotate", "expires_in", "life_ms", "form", "answer"]

    /// The place where a client has to put its name and its secret.
    enum Placement: String, CaseIterable {
        case basic, body, any
        /// The name alone, in the form.
        case none
    }

    private(set) var client = "client"
    private(set) var secret = "secret"
    private(set) var placement = Placement.any
    /// The first refresh token; nil for the grant `client_credentials`.
    private(set) var refresh: String?
    /// Whether each answer has a new refresh token, which ends the one before.
    private(set) var rotates = false
    /// The life in seconds; nil if the answer does not have it.
    private(set) var expiresIn: Int? = 3600
    /// The time for which a token is really valid, in milliseconds; nil for the time in the answer.
    private var lifetime: Int?
    /// Fields that the form must have.
    private(set) var form: [(name: String, value: String)] = []
    /// A merge patch that goes over the answer.
    private(set) var answer = JSONObject()

    init(_ value: JSONValue) throws(UpstreamError) {
        guard let members = value.object?.members else { throw UpstreamError("rules are an object") }
        for member in members { try set(member.key, member.value) }
    }

    /// In milliseconds.
    var life: Int { lifetime ?? (expiresIn ?? 3600) * 1000 }

    private mutating func set(_ key: String, _ value: JSONValue) throws(UpstreamError) {
        switch key {
        case "client": client = try StepValue.text(key, value)
        case "secret": secret = try StepValue.text(key, value)
        case "send": placement = try StepValue.choice(key, value)
        case "refresh": refresh = try StepValue.text(key, value)
        case "rotate": rotates = value.boolean ?? false
        case "expires_in": expiresIn = value.isNull ? nil : try StepValue.number(key, value, 0...1_000_000_000)
        case "life_ms": lifetime = try StepValue.number(key, value, 0...86_400_000)
        case "form":
            form = try StepValue.headers(key, value).map { field in (field.name, field.value ?? "") }
        case "answer":
            guard let object = value.object else { throw UpstreamError("answer is an object") }
            answer = object
        default: throw UpstreamError("unknown rule \(key)")
        }
    }
}
