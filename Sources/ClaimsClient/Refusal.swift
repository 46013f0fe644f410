// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An error that the daemon answered with.
public struct Refusal: Error, Sendable {
    /// What to branch on: `bad_filter`, `no_data`, …
    public let kind: String
    public let code: Int64
    /// A sentence for people.
    public let message: String
    /// Where in the filter, in bytes.
    public let position: Int?
    public let length: Int?
    public let hint: String?
    /// When to try again, in milliseconds.
    public let retryAfter: Int64?
    /// All of `data`, such as the `meta` of a collection that has none to serve.
    public let data: AnswerValue?

    public init(
        kind: String, code: Int64 = 0, message: String, position: Int? = nil, length: Int? = nil, hint: String? = nil,
        retryAfter: Int64? = nil, data: AnswerValue? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.position = position
        self.length = length
        self.hint = hint
        self.retryAfter = retryAfter
        self.data = data
    }

    /// Reads the `error` of an answer.
    init(_ error: AnswerValue) {
        let data = error["data"]
        self.init(
            kind: data?["kind"]?.string ?? "internal", code: error["code"]?.integer ?? 0,
            message: error["message"]?.string ?? "the daemon gave no reason",
            position: data?["position"]?.integer.map { Int(clamping: $0) },
            length: data?["length"]?.integer.map { Int(clamping: $0) },
            hint: data?["hint"]?.string, retryAfter: data?["retry_after_ms"]?.integer, data: data)
    }
}
