// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsJSON

/// `search`, `list` and `sort`: the records of one collection or of all, page by page.
struct ListCommand {
    private let session: Session
    private var invocation: Invocation { session.invocation }
    private var request: ListRequest
    /// How many records are still to be shown.
    private var remaining: Int
    private var collections: [CollectionDescription] = []
    private var single: CollectionDescription?
    private var shown: Int64 = 0

    /// What a terminal is given at once.
    private static let screenful = 50
    /// The largest page there is.
    private static let largestPage = 1000

    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        if session.invocation.wantsFieldHelp { return try FieldHelp.run(session) }
        var command = try ListCommand(session)
        return try command.run()
    }

    private init(_ session: Session) throws(CommandError) {
        self.session = session
        let invocation = session.invocation
        let showsAll = invocation.wantsAll || invocation.verb == .sort || !session.isTerminal
        remaining = invocation.limit ?? (showsAll ? .max : Self.screenful)
        if invocation.limit != nil, invocation.wantsAll {
            throw .usage(UsageError("--limit and --all contradict each other"))
        }
        let isData = !session.format.isForPeople
        if !invocation.facets.isEmpty, isData, session.format != .json {
            throw .usage(
                UsageError(
                    "facets do not fit the lines of \(session.format.rawValue)",
                    hint: "use -o json or -o table, or: claimsctl facets"))
        }
        do throws(UsageError) {
            request = try ListRequest(
                invocation, limit: min(remaining, Self.largestPage), zone: session.zoneParameter,
                language: isData ? session.explicitLanguage : session.language)
        } catch {
            throw .usage(error)
        }
        if session.format == .name { request.fields = ["id"] }
        session.filter = request.filter
    }

    /// The fields of TSV and CSV come from the definition, unless they were named.
    private var needsDescription: Bool {
        switch session.format {
        case .table, .wide: true
        case .tsv, .csv: invocation.fields.isEmpty || !suspects.isEmpty
        case .json, .jsonl, .name: !suspects.isEmpty
        }
    }

    /// Bare words that could be fields whose `>` a shell has taken for a redirection.
    private var suspects: [String] {
        if session.isTerminal || session.invocation.verb == .sort { return [] }
        return FilterComposer.words(invocation.terms).filter { word in
            word.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
                && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        }
    }

    /// On a terminal a collection that has groups is shown in them, unless another order was asked for.
    private var mayGroup: Bool {
        session.isTerminal && session.format.isForPeople && invocation.verb == .search && request.sort.isEmpty
            && request.collection != nil && !request.isGrouped
    }

    private mutating func run() throws(CommandError) -> ExitCode {
        let connection = try session.connection()
        let description = needsDescription ? DescribeRequest.send(request.collection, session, on: connection) : nil
        var isDescribed = false
        if mayGroup, let description {
            try describe(description)
            isDescribed = true
            request.isGrouped = single?.hasGroups ?? false
        }
        addGroupField()
        var pending = connection.request(request.method) { request.write(to: &$0) }
        var answer = try session.answer(to: pending)
        if let description, !isDescribed { try describe(description) }
        warnOfRedirections()
        let first = answer
        var sink = ListSink(session, collections, single, request, fields: invocation.fields)
        while true {
            let count = answer["records"]?.elements.count ?? 0
            remaining -= min(remaining, count)
            let next = answer["next"]?.string
            let goesOn = next != nil && remaining > 0
            if goesOn {
                request.cursor = next
                request.limit = min(remaining, Self.largestPage)
                request.facets = []
                pending = connection.request(request.method) { request.write(to: &$0) }
                do throws(ClientError) { try connection.flush() } catch { throw .client(error) }
            }
            try sink.take(answer)
            shown += Int64(count)
            guard goesOn else { break }
            answer = try session.answer(to: pending)
        }
        try sink.finish()
        return try conclude(first)
    }

    private mutating func describe(_ id: Connection.RequestID) throws(CommandError) {
        collections = DescribeRequest.collections(in: try session.answer(to: id))
        single = request.collection == nil ? nil : collections.first
    }

    /// Without the field that carries the groups nobody could tell to which one a record belongs.
    private mutating func addGroupField() {
        guard request.isGrouped, !request.fields.isEmpty, let field = single?.groupBy else { return }
        if !request.fields.contains(field) { request.fields.append(field) }
    }

    private func warnOfRedirections() {
        let known = single.map { [$0] } ?? collections
        for word in suspects {
            guard let field = known.lazy.compactMap({ $0.field(word) }).first else { continue }
            let value = Self.exampleValue(field.type)
            session.notice(
                "claimsctl: '\(word)' is looked for as text, but it is a field's name too; if a '>' stood after it, the shell has "
                    + "taken it for a redirection: write '\(word)>=\(value)' in quotes, or \(word).ge=\(value)")
        }
    }

    private static func exampleValue(_ type: FieldType) -> String {
        switch type {
        case .id, .integer, .decimal: "100"
        case .instant, .date: "2026-01-31"
        case .text, .enum, .bool, .url, .json: "m"
        }
    }

    /// Says how many there are and how fresh they are.
    private func conclude(_ answer: AnswerValue) throws(CommandError) -> ExitCode {
        let total = answer["total"]?.integer ?? 0
        let metas = Meta.all(in: answer["meta"])
        try session.flush()
        if session.isTerminal { session.notice(tally(total, metas)) }
        session.noticeFreshness(answer["meta"])
        return invocation.mustExist && total == 0 ? .notFound : .done
    }

    private func tally(_ total: Int64, _ metas: [Meta]) -> String {
        let one = single?.singular ?? "record"
        let many = single?.name ?? "records"
        if total == 0 {
            if metas.count == 1, metas[0].state == "empty" { return "\(many): the upstream has none" }
            return request.filter == nil && request.view == nil ? "no \(many)" : "no \(many) match"
        }
        if shown >= total { return Numbers.count(total, one, many) }
        let hint = invocation.limit == nil ? "; --all shows the rest" : ""
        return "\(Numbers.grouped(shown)) of \(Numbers.count(total, one, many))\(hint)"
    }
}
