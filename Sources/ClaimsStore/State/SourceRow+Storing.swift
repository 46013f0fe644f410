// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

extension SourceRow {
    static let columns = [
        "collection", "origin", "as_of", "fetched_at", "due", "failures", "retry_after", "error_kind", "error_status",
        "error_message", "error_at", "held_hash", "held_since", "held_summary", "body_hash", "validator_key", "etag",
        "last_modified", "validator_url", "join_hash", "join_validator_key", "join_etag", "join_last_modified",
        "join_validator_url", "drift", "tried_key",
    ]

    static var insertion: String {
        let places = (1...columns.count).map { "?\($0)" }
        return "INSERT OR REPLACE INTO source(\(columns.joined(separator: ", "))) "
            + "VALUES (\(places.joined(separator: ", ")))"
    }

    /// The rows by their collections' numbers.
    static func readAll(_ database: borrowing Database) throws(StoreError) -> [Int64: SourceRow] {
        let statement = try database.prepare(
            "SELECT \(columns.joined(separator: ", ")) FROM source", "read the sources")
        var rows: [Int64: SourceRow] = [:]
        while try statement.step() { rows[statement.integer(0)] = SourceRow(statement) }
        return rows
    }

    private init(_ statement: borrowing Statement) {
        origin = statement.optionalText(1)
        asOf = statement.optionalInteger(2)
        fetchedAt = statement.optionalInteger(3)
        due = statement.optionalInteger(4)
        failures = statement.count(5)
        retryAfter = statement.optionalInteger(6)
        if let name = statement.optionalText(7) {
            lastError = Failure(
                kind: FailureKind(rawValue: name) ?? .other, status: statement.optionalInteger(8).map(Int.init),
                message: Self.message(statement.text(9)), at: statement.integer(10))
        }
        if let hash = statement.optionalText(11) {
            held = Held(
                bodyHash: hash, since: statement.integer(12), summary: HeldSummary(stored: statement.text(13)))
        }
        bodyHash = statement.optionalText(14)
        validators = Validators(
            key: statement.bits(15), etag: statement.optionalText(16), lastModified: statement.optionalText(17),
            url: statement.optionalText(18))
        joinHash = statement.optionalText(19)
        joinValidators = Validators(
            key: statement.bits(20), etag: statement.optionalText(21), lastModified: statement.optionalText(22),
            url: statement.optionalText(23))
        if let text = statement.optionalText(24) { drift = DriftReport(stored: text) }
        triedKey = statement.bits(25)
    }

    func write(_ connection: borrowing StateConnection, collection: Int64) throws(StoreError) {
        bindAll(to: connection.statements.writeSource, collection: collection)
        try connection.statements.writeSource.run()
    }

    /// A line for people, and one that other languages can be made of.
    private static func text(_ message: Message) -> String {
        let line = message.text("en").split(separator: "\n").joined(separator: " ")
        var writer = JSONWriter()
        message.stored.write(to: &writer)
        return line + "\n" + String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func message(_ text: String) -> Message {
        let lines = text.split(separator: "\n")
        let stored = lines.last.flatMap { try? JSONValue.parse(String($0)) }.flatMap { Message(stored: $0) }
        return stored ?? Message(.other, lines.first.map { String($0) } ?? "")
    }

    private func bindAll(to statement: borrowing Statement, collection: Int64) {
        statement.bind(1, collection)
        statement.bind(2, origin)
        statement.bind(3, asOf)
        statement.bind(4, fetchedAt)
        statement.bind(5, due)
        statement.bind(6, Int64(failures))
        statement.bind(7, retryAfter)
        statement.bind(8, lastError?.kind.rawValue)
        statement.bind(9, lastError?.status.map(Int64.init))
        statement.bind(10, lastError.map { Self.text($0.message) })
        statement.bind(11, lastError?.at)
        statement.bind(12, held?.bodyHash)
        statement.bind(13, held?.since)
        statement.bind(14, held?.summary.stored)
        statement.bind(15, bodyHash)
        statement.bind(16, bits: validators.key)
        statement.bind(17, validators.etag)
        statement.bind(18, validators.lastModified)
        statement.bind(19, validators.url)
        statement.bind(20, joinHash)
        statement.bind(21, bits: joinValidators.key)
        statement.bind(22, joinValidators.etag)
        statement.bind(23, joinValidators.lastModified)
        statement.bind(24, joinValidators.url)
        statement.bind(25, drift.stored)
        statement.bind(26, bits: triedKey)
    }
}
