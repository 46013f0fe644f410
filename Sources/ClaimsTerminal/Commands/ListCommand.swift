// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let search = Verb(
        "search", aliases: ["list"],
        summary: TranslatedText(
            en: "find records: filter, sort, page (also: list)",
            pl: "szuka rekordów: filtruje, porządkuje, stronicuje (także: list)"),
        synopsis: "[SELECTOR] [TERMS…]",
        details: TranslatedText(
            en: """
                Finds records. Terms are filter terms, and all must hold: claimsctl help filters. On a terminal a page
                of 50 is shown, and how many there are; into a pipe, and with --all, every record. With --to the list
                goes into a file, which is replaced as a whole; equal bytes leave it as it is, and so does any error.
                """,
            pl: """
                Szuka rekordów. Argumenty są częściami filtra i muszą być spełnione wszystkie: claimsctl help filters.
                W terminalu widać stronę 50 rekordów i ich liczbę; do potoku oraz z --all idą wszystkie. Z --to lista
                trafia do pliku, który jest zastępowany w całości; gdy bajty są takie same albo wystąpi błąd, plik
                pozostaje bez zmian.
                """),
        options: [
            .sort, .limit, .all, .fields, .view, .archived, .group, .facets, .filter, .text, .exists, .maxAge, .to,
        ], terms: .filters)

    static let sort = Verb(
        "sort",
        summary: TranslatedText(
            en: "show a whole collection in an order",
            pl: "pokazuje całą kolekcję w wybranym porządku"),
        synopsis: "SELECTOR [KEYS…]",
        details: TranslatedText(
            en: """
                Shows the whole collection in an order. A key is the name of a field, or of an order in the definition.
                -KEY and KEY:desc descend. Without keys the collection's own order is used.
                """,
            pl: """
                Pokazuje całą kolekcję w wybranym porządku. Klucz to nazwa pola albo porządku z definicji. -KLUCZ i
                KLUCZ:desc odwracają kierunek. Bez kluczy obowiązuje porządek kolekcji.
                """),
        options: [.limit, .all, .fields, .view, .archived, .group, .filter, .exists, .maxAge, .to], terms: .keys)
}

/// `search`, `list` and `sort`: the records of one collection or of all. A list of more than a page is streamed, so that
/// it is of one generation.
struct ListCommand {
    private let context: CommandContext
    private var invocation: Invocation { context.invocation }
    private let selection: SelectionParameters
    private let sort: [String]
    private var page = PageParameters()
    /// The number of records that are shown.
    private let limit: Int
    private var collections: [CollectionDescription] = []
    private var single: CollectionDescription?

    /// The number of records that a terminal shows at once.
    private static let screenful = PageParameters.defaultLimit

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        if context.invocation.wantsFieldHelp { return try FieldHelp.run(context) }
        var command = try ListCommand(context)
        guard let path = context.invocation.target else { return try command.list().code }
        return try ExportFile.replace(path, context) { () throws(CommandError) in try command.list() }
    }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        let invocation = context.invocation
        let isSort = invocation.verb == .sort
        let showsAll = invocation.wantsAll || isSort || !context.console.isTerminal
        limit = invocation.limit ?? (showsAll ? .max : Self.screenful)
        if invocation.limit != nil, invocation.wantsAll {
            throw .usage(.contradiction("--limit", "--all"))
        }
        if !invocation.facets.isEmpty, !context.printer.canShowFacets {
            throw .usage(
                UsageError(
                    en: "facets do not fit the lines of \(context.format.rawValue)",
                    pl: "liczby wartości nie mieszczą się w wierszach formatu \(context.format.rawValue)",
                    hint: TranslatedText(
                        en: "use -o json or -o table, or: claimsctl facets",
                        pl: "użyj -o json lub -o table albo: claimsctl facets")))
        }
        do throws(UsageError) {
            sort = isSort ? try SortKeys.read(invocation.terms) : invocation.sort.map(SortKeys.key)
        } catch {
            throw .usage(error)
        }
        selection = context.selection(
            filteredBy: isSort ? [] : invocation.terms)
        let fields = context.printer.onlyFields ?? invocation.fields
        if !fields.isEmpty { page.fields = NameList(fields) }
        if !invocation.facets.isEmpty { page.facets = NameList(invocation.facets) }
        page.isGrouped = invocation.isGrouped
    }

    private var needsDescription: Bool {
        switch context.printer.need {
        case .always: true
        case .unlessNamed: invocation.fields.isEmpty || !suspects.isEmpty
        case .never: !suspects.isEmpty
        }
    }

    /// Bare words that could be fields whose `>` a shell has taken for a redirection.
    private var suspects: [String] {
        if invocation.verb == .sort { return [] }
        return FilterComposer.words(invocation.terms).filter { word in
            word.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
                && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        }
    }

    /// On a terminal a collection that has groups is shown in them, unless another order was asked for.
    private var mayGroup: Bool {
        context.console.isTerminal && context.format.isForPeople && invocation.verb == .search && sort.isEmpty
            && invocation.selector != nil && !page.isGrouped
    }

    /// Whether the list is longer than a page can be.
    private var isStreamed: Bool { limit > PageParameters.maxLimit }

    /// Lists the records, and returns the exit code with the result.
    private mutating func list() throws(CommandError) -> (code: ExitCode, result: AnswerValue) {
        try context.connection()
        var description = needsDescription ? try context.requestDescription(of: invocation.selector?.name) : nil
        // The parts of a stream are printed as they come, so all about them has to be known before.
        if mayGroup || isStreamed, let number = description {
            try describe(number)
            description = nil
            if mayGroup { page.isGrouped = single?.hasGroups ?? false }
        }
        addGroupField()
        let request = try request()
        guard !isStreamed else { return try stream(request) }
        let answer = try context.answer(to: request)
        if let description { try describe(description) }
        warnOfRedirections(answer)
        try begin()
        let printer = context.printer
        try context.printing { () throws(OutputError) in
            try printer.printPage(answer)
            try printer.endList()
        }
        return (try conclude(answer, shown: answer[SearchResult.records].count), answer)
    }

    /// Prints the parts of a stream as they come, and then its result.
    private func stream(
        _ request: ClientConnection.RequestNumber
    ) throws(CommandError) -> (code: ExitCode, result: AnswerValue) {
        try begin()
        let connection = try context.connection()
        let parts = ListParts(context, limit: limit)
        let result: AnswerValue
        do throws(CommandError) {
            result = try context.answer(
                to: request,
                onNotification: { notification in
                    guard let part = notification["params"] else { return }
                    // Nobody reads the rest where a part could not be printed.
                    if !parts.print(part) { connection.hangUp() }
                })
        } catch {
            throw parts.failure ?? error
        }
        if let failure = parts.failure { throw failure }
        warnOfRedirections(result)
        guard parts.print(result) else { throw parts.failure ?? .output(.closed) }
        let printer = context.printer
        try context.printing { () throws(OutputError) in try printer.endList() }
        return (try conclude(result, shown: parts.shown), result)
    }

    private func begin() throws(CommandError) {
        let printer = context.printer
        let list = RecordList(
            collections: collections, single: single, isOverAll: invocation.selector == nil,
            fields: invocation.fields, isGrouped: page.isGrouped, showsArchived: selection.archived == .include)
        try context.printing { () throws(OutputError) in try printer.begin(list) }
    }

    private func request() throws(CommandError) -> ClientConnection.RequestNumber {
        var page = page
        page.isStreamed = isStreamed
        page.limit = isStreamed ? nil : Int64(limit)
        let connection = try context.connection()
        if invocation.verb == .sort {
            var parameters = SortParameters()
            parameters.collection = invocation.selector?.name
            if !sort.isEmpty { parameters.by = SortValue(sort) }
            parameters.selection = selection
            parameters.page = page
            return connection.request(.sort, parameters)
        }
        var parameters = SearchParameters()
        parameters.collection = invocation.selector?.name
        if !sort.isEmpty { parameters.sort = SortValue(sort) }
        parameters.selection = selection
        parameters.page = page
        return connection.request(.search, parameters)
    }

    private mutating func describe(_ number: ClientConnection.RequestNumber) throws(CommandError) {
        collections = try context.descriptions(number)
        single = invocation.selector == nil ? nil : collections.first
    }

    /// Adds the field that groups are made of, so that each record names its group.
    private mutating func addGroupField() {
        guard page.isGrouped, let fields = page.fields, let field = single?.groupBy else { return }
        if !fields.names.contains(field) { page.fields = NameList(fields.names + [field]) }
    }

    /// Tells of bare words that are fields. On a terminal that is worth a notice only where such a word stands alone and
    /// finds nothing: the shell has sent the list of another one into a file.
    private func warnOfRedirections(_ answer: AnswerValue) {
        if context.console.isTerminal, invocation.terms.count != 1 || answer[SearchResult.total] != 0 { return }
        let known = single.map { [$0] } ?? collections
        for name in suspects {
            if collections.count > 1, let named = collections.first(where: { [$0.name, $0.singular].contains(name) }) {
                // A collection is named by an option.
                let others = invocation.terms.map(\.text).filter { $0 != name }.map(ShellWord.quoted)
                let words = ["claimsctl", "list", named.argument] + others
                context.notice(context.messages.isCollection(name, words.joined(separator: " ")))
                continue
            }
            guard let field = known.lazy.compactMap({ $0.field(name) }).first else { continue }
            let value = Self.exampleValue(field.type)
            context.notice(context.messages.redirection(of: name, value))
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
    private func conclude(_ answer: AnswerValue, shown: Int) throws(CommandError) -> ExitCode {
        let total = answer[SearchResult.total] ?? 0
        let metas = AnswerMeta.all(in: answer[SearchResult.meta])
        try context.flush()
        if context.console.isTerminal { context.notice(tally(total, shown: Int64(shown), metas)) }
        if total == 0, invocation.verb == .search { Namesake(context).report(of: invocation.terms) }
        context.noticeFreshness(answer[SearchResult.meta], totals: answer[SearchResult.totals])
        return invocation.mustExist && total == 0 ? .notFound : .done
    }

    private func tally(_ total: Int64, shown: Int64, _ metas: [AnswerMeta]) -> String {
        let messages = context.messages
        let noun = Plural(of: single)
        if total == 0 {
            if metas.count == 1, metas[0].state == "empty" { return messages.emptyUpstream(single?.name) }
            return context.filter == nil && selection.view == nil ? messages.none(noun) : messages.noneMatch(noun)
        }
        if shown >= total { return messages.count(total, noun) }
        return messages.more(shown, of: total, noun, hasLimit: invocation.limit != nil)
    }
}

/// The parts of a stream that are printed, up to the number of records that were asked for.
private final class ListParts {
    private let context: CommandContext
    private let limit: Int
    private(set) var shown = 0
    /// Why a part could not be printed; nothing is printed after it.
    private(set) var failure: CommandError?

    init(_ context: CommandContext, limit: Int) {
        self.context = context
        self.limit = limit
    }

    /// Prints a part, or the result; false if that failed.
    func print(_ part: AnswerValue) -> Bool {
        guard failure == nil else { return false }
        do throws(CommandError) {
            let count = part[SearchResult.records].count
            let kept = min(count, limit - shown)
            shown += kept
            let part = kept < count ? try Self.beginning(of: part, count: kept) : part
            let printer = context.printer
            try context.printing { () throws(OutputError) in try printer.printPage(part) }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// The part with its first records only.
    private static func beginning(of part: AnswerValue, count: Int) throws(CommandError) -> AnswerValue {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(SearchResult.records)
        writer.beginArray()
        for record in part[SearchResult.records].prefix(count) { writer.raw(Array(record.source.utf8)) }
        writer.endArray()
        writer.endObject()
        return try AnswerValue.made(writer)
    }
}

extension CollectionDescription {
    /// The arguments that select the collection.
    var argument: String {
        CompletionWord.isPlain(singular) ? "--\(singular)" : "--collection \(ShellWord.quoted(name))"
    }
}

/// Tells of a word that no text has that it names a record, begins the ids of records, or names a collection, one that is left
/// out because of a mistake too.
struct Namesake {
    private let context: CommandContext
    private var invocation: Invocation { context.invocation }

    /// The number of collections that a word is looked for in as an id.
    private static let maxCollections = 16

    init(_ context: CommandContext) { self.context = context }

    /// Tells what the only word of these terms names, where that is something and the daemon says so.
    ///
    /// - Parameter verb: the verb that takes the id.
    func report(of terms: [Term], for verb: String = "detail") {
        let words = FilterComposer.words(terms)
        guard !invocation.isQuiet, words.count == 1, let text = text(words[0], verb) else { return }
        context.notice(text)
    }

    private func text(_ word: String, _ verb: String) -> String? {
        let messages = context.messages
        let selector = invocation.selector
        let known = ((try? context.descriptions(context.requestDescription(of: nil))) ?? []).prefix(Self.maxCollections)
        let own = known.filter { selector == nil || [$0.name, $0.singular].contains(selector?.name) }
        let folded = word.lowercased()
        let named = known.first { [$0.name, $0.singular, $0.title].map { $0.lowercased() }.contains(folded) }
        if let named, selector == nil { return messages.isCollection(word, "claimsctl list \(named.argument)") }
        if let owner = own.first(where: { isRecord(word, in: $0.name) }) {
            let argument = selector?.argument ?? owner.argument
            return messages.isRecord(word, "claimsctl \(verb) \(argument) \(ShellWord.quoted(word))")
        }
        for collection in own {
            guard let id = collection.fields.first(where: { $0.type == .id })?.name else { continue }
            let filter = "\(id).starts=\(FilterComposer.quoted(word))"
            guard let count = count(filter, in: collection.name), count > 0 else { continue }
            let plain = ShellWord.quoted("\(id).starts=\(word)")
            let argument = selector?.argument ?? collection.argument
            return messages.beginsIDs(word, count, "claimsctl list \(argument) \(plain)")
        }
        return named.map { messages.isCollection(word, "claimsctl list \($0.argument)") }
            ?? (selector == nil ? leftOut(folded) : nil)
    }

    /// The daemon's words about a collection whose definition has a mistake, if the word is its name or begins it.
    private func leftOut(_ word: String) -> String? {
        do throws(CommandError) {
            _ = try context.descriptions(context.requestDescription(of: word))
        } catch {
            guard case .client(.refused(let refusal)) = error else { return nil }
            let mistakes: [AnswerValue] = refusal.data?[StatusResult.problems] ?? []
            let name: String? = mistakes.first?[StatusResult.Problem.collection]
            guard name?.hasPrefix(word) == true else { return nil }
            return Escaping.line([refusal.message, refusal.hint].compactMap(\.self).joined(separator: "; "))
        }
        return nil
    }

    private func isRecord(_ id: String, in collection: String) -> Bool {
        var parameters = DetailParameters()
        parameters.collection = collection
        parameters.id = RecordID(id)
        return (try? context.call(.detail, parameters)) != nil
    }

    private func count(_ filter: String, in collection: String) -> Int64? {
        var parameters = CountParameters()
        parameters.collection = collection
        parameters.selection.filter = FilterValue(filter)
        return (try? context.call(.count, parameters))?[CountResult.total]
    }
}
