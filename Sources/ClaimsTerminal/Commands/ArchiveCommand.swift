// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// `archive` and `unarchive`, by ids or by a filter: says what changed.
enum ArchiveCommand {
    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        let requests: [(collection: String, ids: [String]?)]
        do throws(UsageError) {
            requests = try plan(session.invocation)
        } catch {
            throw .usage(error)
        }
        let connection = try session.connection()
        let invocation = session.invocation
        if let filter = invocation.filter { session.filter = FilterComposer.compose([.argument(filter)]) }
        let zone = session.filter == nil ? nil : session.zoneParameter
        let pending = requests.map { request in
            connection.request(invocation.verb.rawValue) { writer in
                writer.member("collection", request.collection)
                if let ids = request.ids { writer.list("ids", ids) }
                if let filter = session.filter { writer.member("filter", filter) }
                if let zone { writer.member("time_zone", zone) }
                if invocation.isDryRun { writer.member("dry_run", true) }
            }
        }
        var results: [AnswerValue] = []
        for id in pending { results.append(try session.answer(to: id)) }
        return try print(results, session)
    }

    private static func plan(_ invocation: Invocation) throws(UsageError) -> [(collection: String, ids: [String]?)] {
        let verb = invocation.verb.rawValue
        if invocation.filter != nil {
            guard invocation.terms.isEmpty else {
                throw UsageError("'\(verb)' takes ids or --filter, not both")
            }
            guard let selector = invocation.selector else {
                throw UsageError(
                    "'\(verb) --filter' needs a collection", hint: "select one: --book, or --collection NAME")
            }
            return [(selector.name, nil)]
        }
        let references = try RecordReference.read(invocation)
        guard !references.isEmpty else {
            throw UsageError("'\(verb)' needs ids, or --filter", hint: "for example: claimsctl \(verb) --book 12 13")
        }
        return RecordReference.batches(references).map { ($0.collection, $0.ids) }
    }

    private static func print(_ results: [AnswerValue], _ session: Session) throws(CommandError) -> ExitCode {
        func ids(_ outcome: String) -> [String] { results.flatMap { $0[outcome]?.elements.map(\.text) ?? [] } }
        let outcomes = ["changed", "unchanged", "missing"]
        switch session.format {
        case .json, .jsonl:
            if results.count == 1 {
                try session.emit(json: results[0])
            } else {
                try session.emit(json: JSONText.results(results))
            }
        case .name:
            try session.emit { bytes in
                for id in ids("changed") {
                    bytes += (session.isTerminal ? Escaping.line(id) : id).utf8 + [UInt8(ascii: "\n")]
                }
            }
        case .tsv, .csv:
            let writer = SeparatedValues(isCSV: session.format == .csv, isForTerminal: session.isTerminal)
            try session.emit { bytes in
                writer.append(["id", "outcome"], to: &bytes)
                for outcome in outcomes {
                    for id in ids(outcome) { writer.append([id, outcome], to: &bytes) }
                }
            }
        case .table, .wide:
            try session.show(text(ids, session.invocation, width: session.width))
        }
        try session.flush()
        let missing = ids("missing")
        guard !missing.isEmpty else { return .done }
        session.report(ErrorReport(.notFound, missing: missing))
        return .notFound
    }

    /// `archived 2: 12, 13`
    private static func text(_ ids: (String) -> [String], _ invocation: Invocation, width: Int) -> String {
        let isArchive = invocation.verb == .archive
        let done = isArchive ? "archived" : "unarchived"
        let changed = invocation.isDryRun ? "would be \(done)" : done
        let titles = [("changed", changed), ("unchanged", isArchive ? "archived before" : "not archived")]
        var text = ""
        for (outcome, title) in titles {
            let ids = ids(outcome)
            if ids.isEmpty, outcome != "changed" { continue }
            let list = ids.isEmpty ? "" : ": " + Escaping.line(ids.joined(separator: ", "))
            let count = Numbers.grouped(Int64(ids.count))
            for (index, line) in Fitting.wrap("\(title) \(count)\(list)", to: width - 2).enumerated() {
                text += (index == 0 ? "" : "  ") + line + "\n"
            }
        }
        return text
    }
}
