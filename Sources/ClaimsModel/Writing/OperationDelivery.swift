// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The state of the requests of an operation. All times are milliseconds since 1970.
public struct OperationDelivery: Sendable, Equatable {
    /// The maximal number of attempts in a log.
    public static let maxLog = 20

    /// The number of attempts so far.
    public var attempts = 0
    /// The failures since the last attempt that went well, from which the backoff follows.
    public var failures = 0
    /// The number of the key: 1 for the operation's id alone, 2 for `OP.2`.
    public var keyNumber = 1
    /// The time of the first attempt, which ``log`` may have forgotten; nil before it.
    public var firstAttemptAt: Int64?
    /// The use of the key of the step under way; nil before it.
    public var keyUse: OperationKeyUse?
    /// Whether a request of the step under way may have been done, and its answer is not known.
    public var isAnswerMissing = false
    /// The tries that were made after an answer 409 to a repeated key.
    public var repeatedConflicts = 0
    /// The number of files that the upstream has taken, each with a request of its own.
    public var filesSent = 0
    /// Whether the upstream has taken the record's own request. Files of their own follow it.
    public var isRecordSent = false
    /// The time before which no attempt is made; nil for none.
    public var nextTry: Int64?
    /// The time before which the upstream wants no request (Retry-After); a person's `retry` does not pass it either.
    public var floor: Int64?
    /// The create that this operation's references wait for.
    public var waitsFor: OperationID?
    /// The time when the last request was accepted.
    public var acceptedAt: Int64?
    /// The time when the state became ``OperationState/uncertain``.
    public var uncertainSince: Int64?
    /// Whether the state ever was ``OperationState/uncertain``. Then only `resolve` decides to send it again.
    public var wasUncertain = false
    /// The state that an answer to a repeated request asked for, while the operation is uncertain because the request
    /// before may have been done; nil for none.
    public var verdict: OperationState?
    /// Whether a refresh that should have shown an uncertain operation did not.
    public var isDoubted = false
    /// The id that the upstream has given to a new record.
    public var givenID: String?
    /// Whether a person has let it pass the guard, or taken it over in spite of a conflict.
    public var isReleased = false
    /// The last answer.
    public var answer: OperationAnswer?
    /// The last attempts, the newest last.
    public var log: [OperationAttempt] = []

    public init() {}

    /// Appends an attempt to the log and forgets the oldest ones.
    public mutating func record(_ attempt: OperationAttempt) {
        log.append(attempt)
        if log.count > Self.maxLog { log.removeFirst(log.count - Self.maxLog) }
    }

    /// The number of the last attempt over all operations; 0 before the first one.
    public var lastNumber: Int64 { log.last?.number ?? 0 }
}

/// The requests with one key.
public struct OperationKeyUse: Sendable, Equatable {
    /// The time of the first request, by the wall clock.
    public var first: Int64
    /// The time of the last request, by the wall clock.
    public var last: Int64
    public var method: String
    public var url: String
    /// Whether the wall clock has gone on without a step back since the first request.
    public var isClockSteady: Bool
    /// The number of requests.
    public var requests: Int

    public init(
        first: Int64, last: Int64, method: String, url: String, isClockSteady: Bool = true, requests: Int = 1
    ) {
        self.first = first
        self.last = last
        self.requests = requests
        self.method = method
        self.url = url
        self.isClockSteady = isClockSteady
    }
}

/// The beginning of an answer of the upstream.
public struct OperationAnswer: Sendable, Equatable {
    /// The maximal size of a kept body, in bytes.
    public static let maxBody = 4 << 10

    public var status: Int
    /// At most ``maxBody`` bytes of the body, read as UTF-8.
    public var body: String

    public init(status: Int, body: String) {
        self.status = status
        self.body = body
    }
}

/// One attempt to send an operation.
public struct OperationAttempt: Sendable, Equatable {
    /// The number of the attempt, over all operations.
    public var number: Int64
    /// The time of its beginning.
    public var at: Int64
    public var method: String
    public var url: String
    /// The status of the answer; nil without one.
    public var status: Int?
    /// The failure for people; nil if there was an answer, or while the attempt is under way.
    public var failure: Message?
    /// The state of the operation after it; nil while the attempt is under way. Earlier versions did not store it.
    public var state: OperationState?

    public init(
        number: Int64, at: Int64, method: String, url: String, status: Int? = nil, failure: Message? = nil,
        state: OperationState? = nil
    ) {
        self.number = number
        self.at = at
        self.method = method
        self.url = url
        self.status = status
        self.failure = failure
        self.state = state
    }
}

extension OperationDelivery {
    func write(to object: inout JSONObject) {
        for (name, number) in [
            ("attempts", attempts), ("failures", failures), ("repeated", repeatedConflicts), ("sent", filesSent),
        ] where number != 0 { object[name] = .integer(number) }
        if keyNumber != 1 { object["key"] = .integer(keyNumber) }
        if isAnswerMissing { object["unanswered"] = true }
        if isRecordSent { object["record_sent"] = true }
        if isDoubted { object["doubted"] = true }
        if isReleased { object["released"] = true }
        if wasUncertain { object["was_uncertain"] = true }
        object["verdict"] = verdict.map { .string($0.rawValue) }
        object["use"] = keyUse?.stored
        for (name, time) in [
            ("next", nextTry), ("floor", floor), ("accepted", acceptedAt), ("uncertain", uncertainSince),
            ("first", firstAttemptAt),
        ] { object[name] = time.map { .integer($0) } }
        object["waits"] = waitsFor.map { .string($0.text) }
        object["id"] = givenID.map { .string($0) }
        object["answer"] = answer.map { ["status": .integer($0.status), "body": .string($0.body)] }
        if !log.isEmpty { object["log"] = .array(log.map(\.stored)) }
    }

    init(_ reader: DetailReader) throws(OperationDetailError) {
        self.init()
        attempts = try reader.count("attempts") ?? 0
        failures = try reader.count("failures") ?? 0
        repeatedConflicts = try reader.count("repeated") ?? 0
        filesSent = try reader.count("sent") ?? 0
        keyNumber = try reader.count("key") ?? 1
        isAnswerMissing = try reader.value("unanswered", \.boolean) ?? false
        isRecordSent = try reader.value("record_sent", \.boolean) ?? false
        isDoubted = try reader.value("doubted", \.boolean) ?? false
        isReleased = try reader.value("released", \.boolean) ?? false
        wasUncertain = try reader.value("was_uncertain", \.boolean) ?? false
        verdict = try reader.value("verdict") { $0.string.flatMap(OperationState.init(rawValue:)) }
        keyUse = try reader.object("use") { use throws(OperationDetailError) in try OperationKeyUse(use) }
        nextTry = try reader.value("next", \.integer)
        floor = try reader.value("floor", \.integer)
        acceptedAt = try reader.value("accepted", \.integer)
        uncertainSince = try reader.value("uncertain", \.integer)
        waitsFor = try reader.value("waits") { $0.string.flatMap { OperationID($0) } }
        givenID = try reader.value("id", \.string)
        answer = try reader.object("answer") { answer throws(OperationDetailError) in
            OperationAnswer(
                status: try answer.count("status") ?? 0, body: try answer.required("body", \.string))
        }
        log = try reader.array("log") { attempt throws(OperationDetailError) in try OperationAttempt(attempt) }
        // Earlier versions kept no more than the log.
        firstAttemptAt = try reader.value("first", \.integer) ?? log.first?.at
    }
}

extension DetailReader {
    /// A number that is not negative.
    func count(_ key: String) throws(OperationDetailError) -> Int? {
        try value(key) { $0.integer.flatMap { $0 >= 0 ? Int(exactly: $0) : nil } }
    }
}

extension OperationKeyUse {
    fileprivate var stored: JSONValue {
        [
            "first": .integer(first), "last": .integer(last), "method": .string(method), "url": .string(url),
            "steady": .bool(isClockSteady), "requests": .integer(requests),
        ]
    }

    fileprivate init(_ reader: DetailReader) throws(OperationDetailError) {
        self.init(
            first: try reader.required("first", \.integer), last: try reader.required("last", \.integer),
            method: try reader.required("method", \.string), url: try reader.required("url", \.string),
            isClockSteady: try reader.required("steady", \.boolean), requests: try reader.count("requests") ?? 1)
    }
}

extension OperationAttempt {
    fileprivate var stored: JSONValue {
        var object: JSONObject = [
            "number": .integer(number), "at": .integer(at), "method": .string(method), "url": .string(url),
        ]
        object["status"] = status.map { .integer($0) }
        object["failure"] = failure?.stored
        object["state"] = state.map { .string($0.rawValue) }
        return .object(object)
    }

    fileprivate init(_ reader: DetailReader) throws(OperationDetailError) {
        self.init(
            number: try reader.required("number", \.integer), at: try reader.required("at", \.integer),
            method: try reader.required("method", \.string), url: try reader.required("url", \.string),
            status: try reader.count("status"), failure: try reader.value("failure") { Message(stored: $0) },
            state: try reader.value("state") { $0.string.flatMap(OperationState.init(rawValue:)) })
    }
}
