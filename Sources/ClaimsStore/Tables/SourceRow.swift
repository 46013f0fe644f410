// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsModel

/// The state of a source in state.db: one row of `source`. Times are in milliseconds since 1970.
public struct SourceRow: Sendable, Equatable {
    /// The HTTP validators (RFC 9110, section 8.8) of one URL and set of headers. They are deleted with the data they describe.
    public struct Validators: Sendable, Equatable {
        /// A hash of the URL, the headers and everything else that decides the meaning of the bytes.
        public var key: UInt64
        public var etag: String?
        public var lastModified: String?
        /// The URL after redirections that sent the validators; nil if it is the configured one.
        public var url: String?

        public init(key: UInt64 = 0, etag: String? = nil, lastModified: String? = nil, url: String? = nil) {
            self.key = key
            self.url = url
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    /// A body that the guard held back.
    public struct Held: Sendable, Equatable {
        public var bodyHash: String
        /// The time at which the body was first seen.
        public var since: Int64
        /// The changes that it would bring.
        public var summary: HeldSummary

        public init(bodyHash: String, since: Int64, summary: HeldSummary) {
            self.bodyHash = bodyHash
            self.since = since
            self.summary = summary
        }
    }

    /// The known state of the upstream's data, from which a request asks for what has changed.
    public struct Position: Sendable, Equatable {
        /// The size of the longest value, in bytes.
        public static let maxSize = 4 << 10

        /// A hash of everything that decides what the value means.
        public var key: UInt64
        /// The value as JSON.
        public var value: String

        public init(key: UInt64, value: String) {
            self.key = key
            self.value = value
        }

        /// The host of the fleet that has sent the position; nil for the position of an upstream, which is no object.
        public var host: String? {
            value.hasPrefix("{") ? (try? JSONValue.parse(value))?["host"]?.string : nil
        }
    }

    /// The requests for all records, of a source that also answers with only what has changed.
    public struct FullRequests: Sendable, Equatable {
        /// The time of the last good answer; it is known what was gone by then.
        public var asOf: Int64?
        /// The number of requests in a row that have failed.
        public var failures = 0
        /// The time before which no other unscheduled request is made: after a failure, or because a position is ahead.
        public var retryAt: Int64?
        /// The last failure; nil after a success.
        public var error: Failure?
        /// Whether a request is still to be made at ``retryAt``, because a position was ahead before that time.
        public var isOwed = false

        public init() {}
    }

    /// The site; nil for the only source of a collection.
    public var site: String?
    /// The address that the data came from, without credentials.
    public var origin: String?
    /// The time at which the upstream last confirmed the data: when it was asked for, by the clock after that request,
    /// less the time for which a cache had kept the answer.
    public var asOf: Int64?
    /// The time at which the data's bytes arrived.
    public var fetchedAt: Int64?
    /// The time at which the last request ended; nil if none has, or if an older version has not stored it.
    public var endedAt: Int64?
    /// The time at which the next request is due.
    public var due: Int64?
    /// The number of requests in a row that have failed.
    public var failures = 0
    /// The time before which the upstream wants no request (RFC 9110, section 10.2.3).
    public var retryAfter: Int64?
    /// The time until which the upstream calls its last answer fresh; nil if it does not say, or if the last request
    /// failed.
    public var freshUntil: Int64?
    public var lastError: Failure?
    public var held: Held?
    /// A hash of the last requests. The schedule and the failures belong to them.
    public var triedKey: UInt64 = 0
    public var bodyHash: String?
    public var validators = Validators()
    public var joinHash: String?
    public var joinValidators = Validators()
    /// The fields and values seen upstream that the definition does not know.
    public var drift = DriftReport()
    /// nil: the next request is for all records.
    public var position: Position?
    public var full = FullRequests()

    /// - Parameter site: nil for the only source of a collection.
    public init(site: String? = nil) {
        self.site = site
    }
}

/// The changes that a held body would bring, as numbers of records. Records that this host has deleted are not counted.
public struct HeldSummary: Sendable, Equatable {
    public var before: Int
    public var after: Int
    public var added: Int
    public var updated: Int
    public var removed: Int
    public var quarantined: Int

    public init(before: Int, after: Int, added: Int, updated: Int, removed: Int, quarantined: Int) {
        self.before = before
        self.after = after
        self.added = added
        self.updated = updated
        self.removed = removed
        self.quarantined = quarantined
    }
}

extension SourceRow {
    /// The rows by their collections' numbers.
    static func readAll(_ database: borrowing Database) throws(StoreError) -> [Int64: [SourceRow]] {
        let statement = try database.prepare(
            "SELECT \(SourceColumn.list) FROM source", "read the sources", columns: SourceColumn.self)
        var rows: [Int64: [SourceRow]] = [:]
        while try statement.step() { rows[statement.integer(.collection), default: []].append(SourceRow(statement)) }
        return rows
    }

    private init(_ statement: borrowing Statement<SourceColumn>) {
        let site = statement.text(.site)
        self.init(site: site.isEmpty ? nil : site)
        origin = statement.optionalText(.origin)
        asOf = statement.optionalInteger(.asOf)
        fetchedAt = statement.optionalInteger(.fetchedAt)
        endedAt = statement.optionalInteger(.endedAt)
        due = statement.optionalInteger(.due)
        failures = statement.count(.failures)
        retryAfter = statement.optionalInteger(.retryAfter)
        freshUntil = statement.optionalInteger(.freshUntil)
        triedKey = statement.bits(.triedKey)
        if let name = statement.optionalText(.errorKind) {
            lastError = Failure(
                kind: FailureKind(rawValue: name) ?? .other,
                reason: statement.optionalText(.errorReason).map { FailureReason(rawValue: $0) }, site: self.site,
                status: statement.optionalInteger(.errorStatus).map(Int.init),
                message: Self.message(statement.text(.errorMessage)), at: statement.integer(.errorAt))
            lastError?.host = Self.host(statement.text(.errorMessage))
        }
        if let hash = statement.optionalText(.heldHash) {
            held = Held(
                bodyHash: hash, since: statement.integer(.heldSince),
                summary: HeldSummary(stored: statement.text(.heldSummary)))
        }
        bodyHash = statement.optionalText(.bodyHash)
        validators = Validators(
            key: statement.bits(.validatorKey), etag: statement.optionalText(.etag),
            lastModified: statement.optionalText(.lastModified), url: statement.optionalText(.validatorUrl))
        joinHash = statement.optionalText(.joinHash)
        joinValidators = Validators(
            key: statement.bits(.joinValidatorKey), etag: statement.optionalText(.joinEtag),
            lastModified: statement.optionalText(.joinLastModified), url: statement.optionalText(.joinValidatorUrl))
        if let text = statement.optionalText(.drift) { drift = DriftReport(stored: text) }
        position = statement.optionalText(.position).map { Position(key: statement.bits(.positionKey), value: $0) }
        full.asOf = statement.optionalInteger(.fullAsOf)
        full.failures = statement.count(.fullFailures)
        full.retryAt = statement.optionalInteger(.fullRetryAt)
        let fullError = statement.optionalText(.fullError)
        full.error = fullError.flatMap { Failure(stored: $0, site: site) }
        full.isOwed = fullError == Self.owedText
    }

    /// Replaces the row; to be called in a transaction.
    func write(_ connection: borrowing StateConnection, collection: Int64) throws(StoreError) {
        try bindAll(to: connection.statements.writeSource, collection: collection)
        try connection.statements.writeSource.run()
    }

    private func bindAll(to statement: borrowing Statement<SourceColumn>, collection: Int64) throws(StoreError) {
        try statement.bind(.collection, collection)
        let siteName = site ?? ""
        try statement.bind(.site, siteName)
        try statement.bind(.origin, origin)
        try statement.bind(.asOf, asOf)
        try statement.bind(.fetchedAt, fetchedAt)
        try statement.bind(.endedAt, endedAt)
        try statement.bind(.due, due)
        try statement.bind(.failures, Int64(failures))
        try statement.bind(.retryAfter, retryAfter)
        try statement.bind(.freshUntil, freshUntil)
        try statement.bind(.triedKey, bits: triedKey)
        try statement.bind(.errorKind, lastError?.kind.rawValue)
        try statement.bind(.errorReason, lastError?.reason?.rawValue)
        try statement.bind(.errorStatus, lastError?.status.map(Int64.init))
        try statement.bind(.errorMessage, lastError.map { Self.text($0.message, of: $0.host) })
        try statement.bind(.errorAt, lastError?.at)
        try statement.bind(.heldHash, held?.bodyHash)
        try statement.bind(.heldSince, held?.since)
        try statement.bind(.heldSummary, held?.summary.stored)
        try statement.bind(.bodyHash, bodyHash)
        try statement.bind(.validatorKey, bits: validators.key)
        try statement.bind(.etag, validators.etag)
        try statement.bind(.lastModified, validators.lastModified)
        try statement.bind(.validatorUrl, validators.url)
        try statement.bind(.joinHash, joinHash)
        try statement.bind(.joinValidatorKey, bits: joinValidators.key)
        try statement.bind(.joinEtag, joinValidators.etag)
        try statement.bind(.joinLastModified, joinValidators.lastModified)
        try statement.bind(.joinValidatorUrl, joinValidators.url)
        try statement.bind(.drift, drift.stored)
        try statement.bind(.position, position?.value)
        let positionKey = position?.key ?? 0
        try statement.bind(.positionKey, bits: positionKey)
        try statement.bind(.fullAsOf, full.asOf)
        try statement.bind(.fullFailures, Int64(full.failures))
        try statement.bind(.fullRetryAt, full.retryAt)
        try statement.bind(.fullError, full.error?.stored ?? (full.isOwed ? Self.owedText : nil))
    }

    /// A text in the place of a failure; a version that does not know it reads no failure. After a failure the next
    /// request has a time of its own.
    private static let owedText = #"{"owed":true}"#

    /// A line for people, and one that other languages can be made of. Where another host of a fleet has failed, its name is
    /// between them.
    private static func text(_ message: Message, of host: String?) -> String {
        let line = message.text("en").split(separator: "\n").joined(separator: " ")
        var writer = JSONWriter()
        message.stored.write(to: &writer)
        return ([line, host].compactMap(\.self) + [String(decoding: writer.bytes, as: UTF8.self)])
            .joined(separator: "\n")
    }

    private static func host(_ text: String) -> String? {
        let lines = text.split(separator: "\n")
        return lines.count == 3 ? String(lines[1]) : nil
    }

    private static func message(_ text: String) -> Message {
        let lines = text.split(separator: "\n")
        let stored = lines.last.flatMap { try? JSONValue.parse(String($0)) }.flatMap { Message(stored: $0) }
        return stored ?? Message(.other, lines.first.map { String($0) } ?? "")
    }
}

/// The failure is stored as a JSON object.
extension Failure {
    fileprivate init?(stored text: String, site: String?) {
        guard let value = try? JSONValue.parse(text), let kind = value["kind"]?.string,
            let message = value["message"].flatMap({ Message(stored: $0) }), let at = value["at"]?.integer
        else { return nil }
        self.init(
            kind: FailureKind(rawValue: kind) ?? .other,
            reason: value["reason"]?.string.map { FailureReason(rawValue: $0) }, site: site,
            status: value["status"]?.integer.map(Int.init), message: message, at: at)
    }

    fileprivate var stored: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", kind.rawValue)
        if let reason { writer.member("reason", reason.rawValue) }
        if let status { writer.member("status", status) }
        writer.key("message")
        message.stored.write(to: &writer)
        writer.member("at", at)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// The summary is stored as a JSON object of its numbers.
extension HeldSummary {
    init(stored text: String) {
        let value = (try? JSONValue.parse(text)) ?? .null
        func number(_ name: String) -> Int { value[name]?.integer.map(Int.init) ?? 0 }
        self.init(
            before: number("before"), after: number("after"), added: number("added"), updated: number("updated"),
            removed: number("removed"), quarantined: number("quarantined"))
    }

    var stored: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("before", before)
        writer.member("after", after)
        writer.member("added", added)
        writer.member("updated", updated)
        writer.member("removed", removed)
        writer.member("quarantined", quarantined)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension StateConnection {
    /// Deletes the rows of sites in all tables but the one of records; to be called in a transaction.
    func deleteSites(_ sites: [String], of row: CollectionRow) throws(StoreError) {
        for table in [SourceColumn.table, QuarantineColumn.table, QuarantineExtentColumn.table] {
            let delete = try database.prepare(
                "DELETE FROM \(table) WHERE collection = ?1 AND site = ?2", "forget sites")
            for site in sites {
                try delete.bind(1, row.number)
                try delete.bind(2, site)
                try delete.run()
            }
        }
    }
}

extension SourceRow {
    /// Makes the next request ask for all records, and no answer count as unchanged.
    mutating func askForAll() {
        bodyHash = nil
        validators = Validators()
        joinHash = nil
        joinValidators = Validators()
        held = nil
        freshUntil = nil
        position = nil
    }
}
