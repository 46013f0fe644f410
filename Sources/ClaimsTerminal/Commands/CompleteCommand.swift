// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    /// The verb that completion scripts call; people never do.
    static let complete = Verb(
        "__complete",
        summary: TranslatedText(
            en: "print the candidates for the last word of a line",
            pl: "wypisuje propozycje dla ostatniego słowa wiersza"),
        synopsis: "-- WORD…",
        details: TranslatedText(
            en: """
                Prints the candidates for the last word of a command line, one a line. The completion scripts call it.
                """,
            pl: """
                Wypisuje propozycje dla ostatniego słowa wiersza poleceń, po jednej w wierszu. Wołają to skrypty
                uzupełniania.
                """),
        takesSelector: false, takesHost: false, isHidden: true)
}

/// `__complete`: the candidates for the last word of a command line. It asks the daemon where it has to, and says
/// nothing if that fails.
struct CompleteCommand {
    private let context: CommandContext
    private let request: CompletionRequest
    private let maxTime: Duration
    private let deadline: UInt64
    private var candidates: [String] = []
    private var connection: ClientConnection?

    /// The time that the daemon has for all answers.
    static let maxTime: Duration = .milliseconds(250)
    /// The time that the daemon of another host has for all answers, with the way there.
    static let maxHostTime: Duration = .seconds(3)
    /// The maximum number of ids.
    static let maxIDs = 100
    /// The maximum number of ids where nothing is typed of them yet.
    static let maxFirstIDs = 50
    /// The line that says that the name of a file can stand there. It is no plain word, so no candidate is like it.
    static let filesMark = "%files"

    static func run(_ context: CommandContext, verbs: [Verb]) throws(CommandError) -> ExitCode {
        let request = CompletionRequest(context.invocation.terms.map(\.text), verbs: verbs)
        var command = CompleteCommand(context: context, request: request)
        for source in request.sources {
            // A message would disturb the line that is being typed.
            try? command.find(source)
        }
        var text = command.candidates.map { request.prefix + $0 + "\n" }.joined()
        if request.takesFiles { text += filesMark + "\n" }
        try context.printing { () throws(OutputError) in try context.console.output.write(text) }
        try context.flush()
        return .done
    }

    private init(context: CommandContext, request: CompletionRequest) {
        self.context = context
        self.request = request
        maxTime = request.host == nil ? Self.maxTime : Self.maxHostTime
        deadline = SystemClock.monotonic + maxTime.wholeNanoseconds
    }

    private mutating func find(_ source: CompletionRequest.Source) throws(ClientError) {
        typealias Entry = DescribeResult.CollectionEntry
        switch source {
        case .words(let words): candidates += words.filter { $0.hasPrefix(request.stem) }
        case .selectors:
            for collection in try collections(nil) {
                guard let singular = collection[Entry.singular], CompletionWord.isPlain(singular) else { continue }
                let word = "--\(singular)"
                if word.hasPrefix(request.stem), !candidates.contains(word) { candidates.append(word) }
            }
        case .collections(let suffix): add(try collections(nil).compactMap { $0[Entry.name] }, suffix: suffix)
        case .fields(let suffix): add(try selected().flatMap(Self.fields), suffix: suffix)
        case .inputs(let action):
            let inputs = try selected().compactMap { CollectionDescription($0)?.writes?.action(action) }
            add(inputs.flatMap { $0.fields.map(\.name) }, suffix: "=")
        case .views: add(try selected().flatMap { $0[Entry.views].compactMap { $0[DescribeResult.ViewEntry.name] } })
        case .keys:
            for collection in try selected() {
                add(collection[Entry.sorts].compactMap { $0[DescribeResult.OrderEntry.name] })
                add(Self.fields(of: collection))
            }
        case .codes(let field): add(try selected().flatMap { Self.codes(of: field, in: $0) })
        case .ids: try findIDs()
        case .actions:
            let actions = try selected().flatMap { $0[Entry.writes]?[WritesEntry.actions] ?? [] }
            add(actions.compactMap { $0[WritesEntry.ActionEntry.name] })
        }
    }

    private mutating func add(_ words: [String], suffix: String = "") {
        for word in words where word.hasPrefix(request.stem) && CompletionWord.isPlain(word) {
            let candidate = word + suffix
            if !candidates.contains(candidate) { candidates.append(candidate) }
        }
    }

    private static func fields(of collection: AnswerValue) -> [String] {
        collection[DescribeResult.CollectionEntry.fields].compactMap { $0[DescribeResult.FieldEntry.name] }
    }

    private static func codes(of field: String, in collection: AnswerValue) -> [String] {
        typealias Entry = DescribeResult.CollectionEntry
        let entry = collection[Entry.fields].first { $0[DescribeResult.FieldEntry.name] == field }
        guard let vocabulary = entry?[DescribeResult.FieldEntry.vocabulary],
            let codes = collection[Entry.vocabularies]?[vocabulary]
        else { return [] }
        return codes[DescribeResult.VocabularyEntry.codes].compactMap { $0[DescribeResult.CodeEntry.code] }
    }

    private mutating func findIDs() throws(ClientError) {
        guard let collection = try selected().first,
            let field = collection[DescribeResult.CollectionEntry.fields]
                .first(where: { $0[DescribeResult.FieldEntry.type] == "id" })?[DescribeResult.FieldEntry.name]
        else { return }
        var parameters = SearchParameters()
        parameters.collection = collection[DescribeResult.CollectionEntry.name]
        let isTyped = !request.stem.isEmpty
        if isTyped {
            parameters.selection.filter = FilterValue("\(field)^=\(FilterComposer.quoted(request.stem))")
        }
        parameters.selection.archived = isTyped ? .include : .exclude
        parameters.page.limit = Int64(isTyped ? Self.maxIDs : Self.maxFirstIDs)
        parameters.page.fields = NameList(["id"])
        parameters.sort = SortValue([field])
        add(try ask(.search, parameters)[SearchResult.records].compactMap { $0["id"]?.text })
    }

    /// The collections that the line is about: the one it selects, or all.
    private mutating func selected() throws(ClientError) -> [AnswerValue] { try collections(request.collection) }

    private mutating func collections(_ name: String?) throws(ClientError) -> [AnswerValue] {
        var parameters = DescribeParameters()
        parameters.collection = name
        return try ask(.describe, parameters)[DescribeResult.collections]
    }

    private mutating func ask<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters
    ) throws(ClientError) -> AnswerValue {
        let limit = try remaining()
        let connection: ClientConnection
        if let open = self.connection {
            connection = open
        } else {
            connection = try context.quietConnection(socket: request.socket, host: request.host, timeout: limit)
            connection.isProlongedByParts = false
            self.connection = connection
        }
        connection.timeout = try remaining()
        return try connection.call(method, parameters)
    }

    private func remaining() throws(ClientError) -> Duration {
        let now = SystemClock.monotonic
        guard now < deadline else { throw .timedOut(maxTime) }
        return .nanoseconds(deadline - now)
    }
}

/// The words that a shell is given to choose from.
enum CompletionWord {
    /// The maximum size of a word, in bytes.
    static let maxSize = 256

    /// Whether every shell takes the text for one plain word, wherever it stands: letters and digits of any script, and
    /// `-`, `.`, `_`, `/`, `:`, `@`, `+`, `,`, but no hyphen first.
    ///
    /// A text with any other character is left out, so that no shell has anything to evaluate.
    static func isPlain(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= maxSize, text.unicodeScalars.first != "-" else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "/", ":", "@", "+", ",": true
            default:
                scalar.value >= 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            }
        }
    }
}
