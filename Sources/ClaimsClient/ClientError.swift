// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
public import ClaimsPlatform

/// The reason why a request has no result.
public enum ClientError: Error {
    /// The socket could not be opened. Nothing was sent, and the caller may try again.
    case unreachable(path: String, SystemError)
    /// The connection ended before the answer. `mayBeDone` tells whether a request of it changes something, which the
    /// daemon may have done.
    case closed(mayBeDone: Bool)
    /// The daemon of another host could not be reached. Nothing was changed there, and the caller may try again.
    case hostFailed(HostFailure)
    /// No answer arrived within the timeout, which is attached. The daemon may have done what was requested.
    case timedOut(Duration)
    /// The daemon sent bytes that are no answer of this protocol; the text says what is wrong with them.
    case malformed(TranslatedText)
    /// The daemon answered with an error. The connection stays usable.
    case refused(Refusal)
}

extension TranslatedText {
    /// The text about bytes of the daemon that are no JSON.
    public static func noJSON(_ error: JSONError) -> TranslatedText {
        TranslatedText(en: "the daemon sent what is no JSON", pl: "demon przysłał coś, co nie jest JSON-em")
            .joined(": ", error.text)
    }
}

/// The reason why the daemon of another host could not be reached.
public struct HostFailure: Error, Sendable {
    /// The cause, as far as it is known on this host.
    public enum Cause: Sendable {
        /// The program that reaches the host could not be started; it is named first.
        case notStarted(String, SystemError)
        /// The program ended before a byte of an answer. ssh ends with 255 where it fails itself, with 127 where there
        /// is no claimsctl there, and with 4 where claimsctl there reaches no daemon.
        case ended(ExitStatus)
        /// A line came that is no JSON object, such as one of a login script.
        case noise(String)
    }

    /// The host as it was written.
    public let host: String
    /// The cause of the failure.
    public let cause: Cause
    /// The words of the program on its standard error; nil where they were shown as they came.
    public let words: String?

    init(host: String, cause: Cause, words: String? = nil) {
        self.host = host
        self.cause = cause
        self.words = words
    }
}

/// The `error` of an answer: the reason why the daemon refused a request.
public struct Refusal: Error, Sendable {
    /// The kind, for programs to branch on, such as `bad_filter` or `no_data`. A newer daemon may send unknown kinds.
    public let kind: String
    /// The numeric JSON-RPC code that belongs to the kind; 0 if the answer has none.
    public let code: Int64
    /// The reason as a sentence for people.
    public let message: String
    /// The byte offset in the filter at which the problem begins; `nil` if the error is not about a filter.
    public let position: Int?
    /// The number of bytes of the filter that the problem covers.
    public let length: Int?
    /// A suggestion how to mend the request, for people.
    public let hint: String?
    /// The delay after which a further attempt makes sense, in milliseconds.
    public let retryAfter: Int64?
    /// The whole `data` of the error, with members of its kind such as the `meta` of a collection.
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

    /// Reads the `error` of an answer or event; nil stands for one without a reason.
    public init(_ error: AnswerValue?) {
        let data = error?["data"]
        self.init(
            kind: data?["kind"]?.string ?? "internal", code: error?["code"]?.integer ?? 0,
            message: error?["message"]?.string ?? "the daemon gave no reason",
            position: data?["position"]?.integer.map { Int(clamping: $0) },
            length: data?["length"]?.integer.map { Int(clamping: $0) },
            hint: data?["hint"]?.string, retryAfter: data?["retry_after_ms"]?.integer, data: data)
    }
}
