// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The parameters of a feed, before a definition gives them their meaning.
///
/// For each collection a feed is made from it, and made anew after a reload. Feeds and subscriptions share it.
final class FeedRequest: Sendable {
    /// The own filter as it came, which needs a tenth of the memory of its nodes.
    private let filterValue: FilterValue?
    let viewName: String?
    let archived: ArchivedMode
    /// The names of the fields that entries have; nil for all.
    let fieldNames: [String]?
    private let sharedZone: SharedZone
    let limits: FilterLimits
    /// The primary language of messages, such as `pl`; nil for the language of the settings.
    let language: String?

    /// Reads the parameters of a request.
    ///
    /// - Parameter language: the language of messages as a request names it; nil for the language of the settings.
    /// - Throws: `bad_filter` or `bad_params`.
    init(
        _ parameters: FeedParameters, language: String? = nil, _ context: QueryContext
    ) throws(RequestError) {
        self.language = language.map(LocalizedText.primaryLanguage)
        limits = context.filterLimits
        filterValue = parameters.filter
        _ = try QuerySelection.filter(parameters.filter, limits)
        viewName = parameters.view
        archived = parameters.archived
        fieldNames = parameters.fields?.names
        sharedZone = try context.sharedZone(named: parameters.timeZone)
    }

    var zone: TimeZoneRules { sharedZone.rules }

    /// Reads the own filter; nil if there is none.
    ///
    /// - Throws: only an error that the request itself has thrown before.
    func readFilter() throws(RequestError) -> FilterNode? { try QuerySelection.filter(filterValue, limits) }

    /// The hash of the parameters alone, without the collections. The zone counts only if days are used.
    func hash(usesDays: Bool) throws(RequestError) -> UInt64 {
        var hash = QueryHash()
        hash.add(try readFilter()?.text ?? "")
        hash.add(viewName ?? "")
        hash.add(archived.rawValue)
        hash.add(fieldNames == nil ? 0 : 1)
        for name in Set(fieldNames ?? []).sorted() { hash.add(name) }
        hash.add(usesDays ? zone.name : "")
        return hash.value
    }
}

/// A definition that several feeds share.
final class SharedDefinition: Sendable {
    let definition: Definition

    init(_ definition: Definition) {
        self.definition = definition
    }
}

/// The records whose changes are reported, and the fields that entries have: a filter, a view and fields, with the
/// meaning that a definition gives them.
///
/// Thousands of feeds may wait for changes, so they share their large parts.
struct Feed: Sendable {
    /// The definition, with others of the same basis.
    private var shared: SharedDefinition
    private let request: FeedRequest
    /// The rule that leaves out records; nil: all records are reported.
    let limit: ViewLimit?
    /// The own filter and the filter of the view, if the feed depends on time; other feeds read the filters again when
    /// they need them.
    let movingFilter: FilterNode?
    /// The indexes of the fields that entries have, ascending; nil for all.
    let fields: [Int]?
    /// How the filter depends on time.
    let times: FilterTimes
    /// The hash that names the feed in clocks. Equal feeds have equal hashes, over restarts too.
    let hash: UInt64
    /// Whether each entry names its collection.
    let namesCollection: Bool
    /// Whether there is a filter, so that not every record matches.
    let isFiltered: Bool
    /// The indexes of the fields that the filter reads; nil if that may depend on the time.
    let readFields: [Int]?

    /// Gives the parameters of a feed the meaning that they have in a definition.
    ///
    /// - Parameters:
    ///   - limit: the rule that leaves out records for the reader.
    ///   - namesCollection: whether the feed is one of several, whose collections have different fields.
    /// - Throws: `bad_filter`, also for a volatile field; `bad_params` for an unknown view, and for an unknown field of
    ///   the only collection.
    init(
        _ request: FeedRequest, of definition: Definition, within limit: ViewLimit?, namesCollection: Bool = false
    ) throws(RequestError) {
        let definition = limit?.definition ?? definition
        self.limit = limit
        self.namesCollection = namesCollection
        self.request = request
        shared = SharedDefinition(definition)
        let own = try request.readFilter()
        let named = try Self.viewFilter(own, request, definition)
        let filter = Self.joined(own, named)
        let requested = try request.fieldNames.map { names throws(RequestError) in
            let known = namesCollection ? names.filter { definition.fieldIndex($0) != nil } : names
            return try FieldList.indexes(known, of: definition, parameter: PageParameters.fields).sorted()
        }
        fields = requested ?? (definition.hasSights ? definition.shownFields : nil)
        times = filter?.times(in: definition) ?? FilterTimes()
        hash = Self.hash(request, filter, limit, of: definition, fields: fields, usesDays: times.usesDays)
        // Typing the filter once finds its mistakes, and they do not depend on the time.
        let predicate = try Self.predicate(filter, limit, in: Self.context(definition, request.zone, at: 0))
        movingFilter = times.dependsOnTime ? filter : nil
        isFiltered = filter != nil || limit?.predicate != nil
        readFields = times.dependsOnTime ? nil : PredicateMatcher(predicate, definition: definition).fields
        if let named { try Self.requireSteady(named, definition, isOwn: false) }
        if let own { try Self.requireSteady(own, definition, isOwn: true) }
    }

    var definition: Definition { shared.definition }
    var archived: ArchivedMode { request.archived }
    var zone: TimeZoneRules { request.zone }
    var language: String? { request.language }

    /// The definition that decodes records, whatever part of them the reader sees.
    var recordDefinition: Definition { limit?.whole ?? definition }

    /// Shares a definition that has the same basis in place of the feed's own copy, unless a rule changes what the copy
    /// shows.
    mutating func share(_ definition: SharedDefinition) {
        if !self.definition.hasSights { shared = definition }
    }

    /// Whether the set may change although no record has changed.
    var dependsOnTime: Bool { times.dependsOnTime }

    /// The filter as it is at a time, in milliseconds since 1970.
    func predicate(at time: Int64) throws(RequestError) -> Predicate {
        if let movingFilter { return try Self.predicate(movingFilter, limit, in: context(at: time)) }
        guard isFiltered else { return .constant(true) }
        let own = try request.readFilter()
        let filter = Self.joined(own, try Self.viewFilter(own, request, definition))
        return try Self.predicate(filter, limit, in: context(at: time))
    }

    /// The context in which the filter is typed at a time, in milliseconds since 1970.
    func context(at time: Int64) -> FilterContext { Self.context(definition, zone, at: time) }

    /// The filter of the view that a request names.
    private static func viewFilter(
        _ own: FilterNode?, _ request: FeedRequest, _ definition: Definition
    ) throws(RequestError) -> FilterNode? {
        let reader = TargetReader(
            filter: own, viewName: request.viewName, sort: nil, zone: request.zone, now: 0, limits: request.limits)
        let named: FilterNode?
        do throws(FilterError) { named = try reader.viewFilter(definition) } catch { throw RequestError(error) }
        try reader.requireView(definition)
        return named
    }

    private static func joined(_ own: FilterNode?, _ named: FilterNode?) -> FilterNode? {
        let filters = [own, named].compactMap { $0 }
        return filters.isEmpty ? nil : .all(filters)
    }

    private static func context(_ definition: Definition, _ zone: TimeZoneRules, at time: Int64) -> FilterContext {
        FilterContext(definition: definition, now: time, startOfDay: { zone.startOfDay($0) })
    }

    /// The filter, typed, of the records that the rule shows.
    private static func predicate(
        _ filter: FilterNode?, _ limit: ViewLimit?, in context: FilterContext
    ) throws(RequestError) -> Predicate {
        do throws(FilterError) {
            let parts = [try filter?.typed(in: context), limit?.predicate].compactMap { $0 }
            return parts.count == 1 ? parts[0] : Predicate.and(parts).simplified
        } catch {
            throw RequestError(error)
        }
    }

    /// The hash of the definition's part in the feed, which is only the filter of the view: a commit reports the other
    /// changes of a definition.
    private static func hash(
        _ request: FeedRequest, _ filter: FilterNode?, _ limit: ViewLimit?, of definition: Definition, fields: [Int]?,
        usesDays: Bool
    ) -> UInt64 {
        var hash = QueryHash()
        hash.add(definition.name)
        hash.add(filter?.text ?? "")
        hash.add(request.archived.rawValue)
        hash.add(fields == nil ? 0 : 1)
        for field in fields ?? [] { hash.add(definition.fields[field].name) }
        hash.add(usesDays ? request.zone.name : "")
        if let limit { hash.add(limit.name) }
        return hash.value
    }

    /// Checks that the filter reads no volatile field: no commit reports a record that begins to match because such a
    /// value has changed.
    private static func requireSteady(
        _ filter: FilterNode, _ definition: Definition, isOwn: Bool
    ) throws(RequestError) {
        for term in filter.terms {
            guard let name = term.field, let field = definition.fieldIndex(name.name),
                definition.fields[field].isVolatile
            else { continue }
            var error = RequestError(
                .badFilter,
                TranslatedText(
                    en: "'\(name.name)' is volatile, so its changes are not told",
                    pl: "pole „\(name.name)” jest ulotne (volatile), więc jego zmiany nie są ogłaszane"),
                hint: TranslatedText(
                    en: "leave it out of the filter and the view; search and sort may use it",
                    pl: "pomiń je w filtrze i widoku; można go używać w search i sort"))
            if isOwn, case .text(let position, let length)? = name.location {
                (error.position, error.length) = (position, length)
            }
            throw error
        }
    }
}

/// Finds when the set of a feed can change by time alone.
enum FeedBoundary {
    /// The first moment after `time` at which the filter may become true or false for some record; nil: there is none.
    ///
    /// An evaluation before it finds nothing; an evaluation at it usually finds something. Times are in milliseconds
    /// since 1970. New data may bring an earlier moment, even one in the past.
    ///
    /// - Parameters:
    ///   - snapshots: the records of the collection.
    ///   - rows: the same as they are served; records that a rule leaves out have no moments.
    static func next(after time: Int64, of feed: Feed, in snapshots: [Snapshot], _ rows: ServedRows? = nil) -> Int64? {
        feed.times.bounds.compactMap { bound in
            switch bound {
            case .midnight: feed.zone.startOfDay(feed.context(at: time).today + 1)
            case .moment(let field, let offset):
                moment(after: time, offset: offset) { key in
                    if let predicate = feed.limit?.predicate, let rows {
                        return rows.firstKey(of: field, from: key, where: predicate, feed.definition.idField)
                    }
                    return snapshots.compactMap { $0.firstKey(of: field, from: key) }.min {
                        $0.lexicographicallyPrecedes($1)
                    }
                }
            }
        }.min()
    }

    /// The first moment after `time` that comes to a value of a field, or has just passed it, when `offset` is added.
    ///
    /// - Parameter firstKey: returns the smallest key that is not below another one.
    private static func moment(after time: Int64, offset: Int64, _ firstKey: ([UInt8]) -> [UInt8]?) -> Int64? {
        let (bound, overflow) = time.addingReportingOverflow(offset)
        var key: [UInt8] = []
        KeyEncoding.instant(bound, into: &key)
        guard !overflow, let found = firstKey(key) else { return nil }
        // `<` and `>=` change when the value is reached, `<=` and `>` a millisecond later.
        return max(KeyEncoding.instant(ofKey: found.rawSpan) - offset, time + 1)
    }
}

extension ServedRows {
    /// The smallest key of a field, not below `key`, of the records that match; nil if there is none.
    fileprivate func firstKey(
        of field: Int, from key: [UInt8], where predicate: Predicate, _ idField: Int
    ) -> [UInt8]? {
        let later = Predicate.keys(field: field, [KeyRange(lower: key)])
        var query = PageQuery(
            predicate: .and([predicate, later]).simplified,
            order: RecordOrder([SortKey(field: field)], idField: idField))
        query.archived = .include
        query.limit = 1
        guard let row = try? execute(query, scratch: QueryScratch(), budget: .unlimited).rows.first else { return nil }
        return position(of: Int(row), in: query)?.keys.first ?? nil
    }
}
