// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

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
