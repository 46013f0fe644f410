// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

/// Which records of which collections a request means: the part that search, sort, count, facets and archive share.
struct QuerySelection: Sendable {
    /// The collections that are asked and have data.
    var targets: [QueryTarget]
    /// Whether the request named no collection, so that records tell theirs.
    var isSpanning: Bool
    var archived: ArchivedMode
    /// The time that relative dates mean, in milliseconds since 1970.
    var now: Int64
    var language: String?
    /// Collections that were not asked, and why, where the request named none.
    var skipped: [SkippedCollection]
    /// How long the query may take.
    var timeout: Duration

    /// Reads the parameters that say which records are meant.
    ///
    /// - Parameters:
    ///   - sort: the parameter that holds the sort keys; nil where order does not matter.
    ///   - now: the time that relative dates mean; a cursor brings its own.
    init(
        _ arguments: borrowing Arguments, sort: ParameterName?, now: Int64? = nil, _ context: ServingContext
    ) throws(RequestError) {
        language = try arguments.string(.language)
        self.now = now ?? context.now
        archived = try Self.archivedMode(arguments)
        let longest = context.configuration.limits.request
        timeout = try arguments.integer(.timeout).map { min(longest, .milliseconds($0)) } ?? longest
        let zone = try context.zone(named: arguments.string(.timeZone))
        let reader = TargetReader(
            filter: try Self.filter(arguments, context), viewName: try arguments.string(.view),
            sort: try sort.map { name throws(RequestError) in
                try Self.requireSize(name, of: arguments, .badSort, context)
                return arguments.value(name)
            } ?? nil,
            zone: zone, now: self.now,
            limits: context.configuration.filter)
        let maximumAge = try arguments.integer(.maximumAge)
        if let name = try arguments.string(.collection) {
            isSpanning = false
            skipped = []
            let view = try context.view(named: name)
            let target = try reader.read(view, context, language: language)
            try context.requireAge(view, maximumAge, language: language)
            targets = [target]
        } else {
            isSpanning = true
            (targets, skipped) = try Self.spanning(reader, context, language: language)
            for target in targets { try context.requireAge(target.view, maximumAge, language: language) }
        }
    }

    private static func archivedMode(_ arguments: borrowing Arguments) throws(RequestError) -> ArchivedMode {
        switch try arguments.word(.archived) {
        case "only": .only
        case "include": .include
        default: .exclude
        }
    }

    /// Refuses what is far too long before a tree is made of it, which takes many times its size.
    private static func requireSize(
        _ name: ParameterName, of arguments: borrowing Arguments, _ kind: ErrorKind, _ context: ServingContext
    ) throws(RequestError) {
        let size = arguments.byteCount(name)
        // Escapes and the brackets of a tree make it longer than it means to be.
        guard size > context.configuration.limits.filter * 16 else { return }
        throw RequestError(
            kind, "the \(name.text) has \(size) bytes",
            hint: "a filter has at most \(context.configuration.limits.filter) bytes")
    }

    private static func filter(
        _ arguments: borrowing Arguments, _ context: ServingContext
    ) throws(RequestError) -> FilterNode? {
        try requireSize(.filter, of: arguments, .badFilter, context)
        guard let value = arguments.value(.filter) else { return nil }
        do throws(FilterError) {
            switch value {
            case .string(let text):
                // No terms at all means every record.
                if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
                return try FilterParser.parse(text, limits: context.configuration.filter)
            case .array: return try FilterParser.parse(tree: value, limits: context.configuration.filter)
            default: break
            }
        } catch {
            throw RequestError(error)
        }
        throw arguments.mismatch(.filter)
    }

    /// All collections that have data and on which the query makes sense.
    ///
    /// - Throws: what is wrong with the query where it makes sense on none of them.
    private static func spanning(
        _ reader: TargetReader, _ context: ServingContext, language: String?
    ) throws(RequestError) -> ([QueryTarget], [SkippedCollection]) {
        var targets: [QueryTarget] = []
        var skipped: [SkippedCollection] = []
        var firstError: RequestError?
        for view in context.catalog.views {
            do throws(RequestError) {
                targets.append(try reader.read(view, context, language: language))
            } catch {
                skipped.append(SkippedCollection(name: view.definition.name, state: view.state, reason: error.message))
                if error.kind != .noData, firstError == nil { firstError = error }
            }
        }
        if targets.isEmpty, let firstError { throw firstError }
        return (targets, skipped)
    }

    /// The hash of what the query is, for its cursors.
    func hash(isGrouped: Bool) -> UInt64 {
        var hash = QueryHash()
        hash.add(isGrouped ? 1 : 0)
        hash.add(archived == .exclude ? 0 : archived == .only ? 1 : 2)
        for target in targets {
            hash.add(target.view.definition.name)
            let part = QueryHash(target.predicate, target.order).value
            hash.add(Int(truncatingIfNeeded: part))
        }
        return hash.value
    }
}
