// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The state that queries of one loop, or of one worker, share: the catalog, buffers, time zones and bounds.
///
/// Not shared between threads.
final class QueryContext {
    let served: ServedCatalog
    /// Buffers that queries use one after the other.
    let scratch = QueryScratch()
    private let unsent: BufferBudget
    private var zones: [String: SharedZone] = [:]
    private let openLog: @Sendable () throws(StoreError) -> ChangeLogReader
    private var log: LogConnection?

    /// - Parameters:
    ///   - unsent: the budget of answers that peers have not read.
    ///   - openLog: opens the log of changes, the first time that it is read.
    init(
        _ served: ServedCatalog, unsent: BufferBudget,
        openLog: @escaping @Sendable () throws(StoreError) -> ChangeLogReader
    ) {
        self.served = served
        self.unsent = unsent
        self.openLog = openLog
    }

    /// The connection that reads the log of changes. It waits for the disk, so that only workers use it.
    func changeLog() throws(StoreError) -> LogConnection {
        if let log { return log }
        let opened = LogConnection(try openLog())
        log = opened
        return opened
    }

    var configuration: ServerConfiguration { served.configuration }

    /// The bounds of a filter.
    var filterLimits: FilterLimits {
        let limits = configuration.limits
        return FilterLimits(bytes: limits.filter, terms: limits.terms, depth: limits.filterDepth)
    }

    /// Signs and checks cursors with the daemon's secret.
    var cursors: CursorCodec {
        CursorCodec(key0: configuration.cursorKey.0, key1: configuration.cursorKey.1)
    }

    /// The size that an answer may have now, in bytes; a page that would be larger ends early.
    var maxAnswerBytes: Int { min(configuration.limits.answer, unsent.allowance) }

    /// The time that a request may take: its `timeout_ms`, but not more than the settings allow.
    func timeout(_ milliseconds: Int64?) -> Duration {
        let maxTimeout = configuration.limits.request
        return milliseconds.map { min(maxTimeout, .milliseconds($0)) } ?? maxTimeout
    }

    /// The rules of an IANA time zone; nil means UTC.
    ///
    /// - Throws: `bad_params` for an unknown name.
    func zone(named name: String?) throws(RequestError) -> TimeZoneRules { try sharedZone(named: name).rules }

    /// The rules of an IANA time zone for callers that keep them; nil means UTC.
    ///
    /// - Throws: `bad_params` for an unknown name.
    func sharedZone(named name: String?) throws(RequestError) -> SharedZone {
        let name = name ?? "UTC"
        if let known = zones[name] { return known }
        guard let rules = try? TimeZoneRules.load(name) else {
            throw RequestError(
                Parameter.timeZone,
                TranslatedText(en: "unknown time zone '\(name)'", pl: "nieznana strefa czasowa „\(name)”"),
                hint: TranslatedText(
                    en: "use an IANA name, such as Europe/Warsaw", pl: "użyj nazwy IANA, na przykład Europe/Warsaw"))
        }
        if zones.count >= Self.retainedZones { zones.removeAll() }
        let zone = SharedZone(rules)
        zones[name] = zone
        return zone
    }

    /// The number of time zones that are remembered.
    private static let retainedZones = 64
}

/// The rules of a time zone, which thousands of feeds may keep.
final class SharedZone: Sendable {
    let rules: TimeZoneRules

    init(_ rules: TimeZoneRules) {
        self.rules = rules
    }
}

/// Keeps the connection through which one thread reads the log of changes.
final class LogConnection {
    let reader: ChangeLogReader

    init(_ reader: consuming ChangeLogReader) {
        self.reader = reader
    }
}

/// A query that runs on a loop or, if it takes long, on a worker.
protocol QueryOperation: Sendable {
    /// The maximal time of the whole query.
    var timeout: Duration { get }
    /// Whether requests may choose that time, in `timeout_ms`.
    static var takesTimeout: Bool { get }

    /// Runs the query and writes its result.
    ///
    /// - Throws: `interrupted` when the budget is used up. The caller then drops the text written so far, and may run
    ///   the operation again from the start.
    func run(
        _ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter
    ) throws(QueryFailure)
}

extension QueryOperation {
    static var takesTimeout: Bool { true }

    /// The error of the query if it did not end within ``timeout``.
    var timeoutError: RequestError {
        QueryLimits.timeoutError(timeout, hint: Self.takesTimeout ? nil : Self.settingHint)
    }

    private static var settingHint: TranslatedText {
        TranslatedText(
            en: "try again when less is asked, or have the administrator allow more in limits.request",
            pl: "spróbuj, gdy będzie mniej zapytań, albo poproś administratora o więcej w limits.request")
    }
}

/// The reason why a query gave no result.
enum QueryFailure: Error {
    /// The time is over, or the request was cancelled.
    case interrupted(QueryInterruption)
    /// The request is answered with this error.
    case refused(RequestError)

    /// Calls `body`, which only reads, and refuses the request if the store cannot be read.
    static func reading<Value>(
        _ collection: String, _ body: () throws(StoreError) -> Value
    ) throws(QueryFailure) -> Value {
        do throws(StoreError) { return try body() } catch {
            throw .refused(RequestError(reading: error, collection: collection))
        }
    }
}

/// The bounds on the time of queries.
enum QueryLimits {
    /// The time that a query may hold its loop; a longer query moves to a worker.
    static let inline: Duration = .milliseconds(1)

    /// The error of a query that did not end within `timeout`.
    static func timeoutError(_ timeout: Duration, hint: TranslatedText? = nil) -> RequestError {
        RequestError(
            .timeout,
            TranslatedText(
                en: "the query took longer than \(timeout.wholeMilliseconds) ms",
                pl: "zapytanie trwało dłużej niż \(timeout.wholeMilliseconds) ms"),
            hint: hint ?? parameterHint)
    }

    private static var parameterHint: TranslatedText {
        TranslatedText(
            en: "narrow the filter, or allow more in timeout_ms", pl: "zawęź filtr albo zezwól na więcej w timeout_ms")
    }
}

extension RequestError {
    static let requestCancelled = RequestError(
        .cancelled, TranslatedText(en: "the request was cancelled", pl: "żądanie zostało anulowane"))
}
