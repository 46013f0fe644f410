// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// `browse --plain`: a conversation in lines. It reads a line, does what it says, and prints what comes of it.
///
/// The meaning of a line, a list and its text are pure: ``PlainLine``, ``PlainList``, ``PlainListText``,
/// ``PlainForm`` and ``PlainNews``.
final class PlainBrowser {
    let context: CommandContext
    let messages: Messages
    let output: Output
    let input = PlainInput()
    let verbs: InnerVerbs
    let zone: TimeZoneRules
    /// Whether input and output are a terminal: a prompt is shown there only.
    let isTerminal: Bool
    var collections: [CollectionDescription] = []
    var roles: Set<String> = []
    var list: PlainList
    /// The operations, while they are looked at; nil while records are.
    var outbox: PlainOutbox?
    /// The id of the record that was opened last.
    var opened: String?
    /// The newest archivings of this run, which can be undone.
    var undoable: [PlainUndo] = []
    var news = PlainNews()
    var link = PlainLink()

    /// The maximum number of archivings that can be undone.
    static let maxUndos = 100

    private init(_ context: CommandContext, _ collections: [CollectionDescription], _ first: CollectionDescription) {
        self.context = context
        self.collections = collections
        messages = Messages(context.language)
        output = Output(descriptor: 1)
        let (input, output) = (input, output)
        let isTerminal = context.surroundings.isTerminal(0) && context.surroundings.isTerminal(1)
        self.isTerminal = isTerminal
        verbs = InnerVerbs(context, output: output) { PlainBrowser.answer(input, output, isTerminal: isTerminal) }
        zone = context.surroundings.zone()
        list = PlainList(first)
    }

    /// Runs the conversation to the end of its input.
    ///
    /// - Throws: what keeps it from beginning, such as a daemon that cannot be reached.
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let (collections, roles) = try describe(context)
        let selector = context.invocation.selector?.name
        let named = selector.flatMap { selector in collections.first { $0.isNamed(selector) } }
        var start = BrowseStart(context)
        start.collection = named?.name ?? selector
        if let connection = context.openConnection { try start.check(context, on: connection) }
        guard let first = named ?? collections.first else {
            throw .failed(
                .noData, kind: ErrorKind.noData.rawValue,
                message: ErrorText(en: "there are no collections", pl: "nie ma żadnych kolekcji"))
        }
        let browser = PlainBrowser(context, collections, first)
        browser.roles = roles
        browser.begin(start)
        return browser.converse()
    }

    private static func describe(
        _ context: CommandContext
    ) throws(CommandError) -> (collections: [CollectionDescription], roles: Set<String>) {
        let you = try context.call(.hello, HelloParameters())[HelloResult.you]
        var parameters = DescribeParameters()
        parameters.language = context.language
        let answer = try context.call(.describe, parameters)
        let collections = answer[DescribeResult.collections].compactMap(CollectionDescription.init)
        return (collections, Set((you?[HelloResult.PeerInfo.roles] ?? []).map(\.text)))
    }

    private func begin(_ start: BrowseStart) {
        list.query = start.query
        if isTerminal { tell(messages.questionMarkHelps) }
        showList()
    }

    /// The clock of the person, as it is now.
    var time: LocalTime { LocalTime(zone: zone, now: context.surroundings.now(), messages: messages) }

    // Lines in and out.

    private func converse() -> ExitCode {
        while let line = nextLine() {
            switch PlainLine(line) {
            case .quit: return .done
            case let line: obey(line)
            }
            // A reader that has gone, such as head(1), ends the conversation without a word.
            guard flush() else { return .done }
        }
        return .done
    }

    /// The next line of input. News are printed until it comes. Nil at the end, or where the reader of the output has gone.
    private func nextLine() -> String? {
        if isTerminal { write("> ") }
        guard flush() else { return nil }
        noteConnection()
        // Lines that were typed ahead, or come from a script, are answered first.
        switch input.next(or: nil, before: 0) {
        case .line(let line): return line
        case .end, .other: break
        case .time: if !link.isFollowing, link.lostAt == nil { subscribe() }
        }
        takeNotifications()
        while true {
            switch input.next(
                or: link.descriptor(context), before: link.deadline(news, now: context.surroundings.now()))
            {
            case .line(let line): return line
            case .end:
                if isTerminal { tell("") }
                flush()
                return nil
            case .other, .time:
                guard let line = follow() else { continue }
                tell((isTerminal ? "\n" : "") + "! " + line)
                if isTerminal { write("> ") }
                guard flush() else { return nil }
            }
        }
    }

    /// The answer to a question; nil at the end of the input.
    func answer(to question: String) -> String? {
        let lines = PlainLine.trimmed(question[...]).split(separator: "\n").map { fitted(String($0)) }
        write(lines.joined(separator: "\n") + (isTerminal ? " " : ""))
        return Self.answer(input, output, isTerminal: isTerminal)
    }

    /// The answer to a question that was written without a newline; nil at the end of the input.
    private static func answer(_ input: PlainInput, _ output: Output, isTerminal: Bool) -> String? {
        // A program that answers reads whole lines. On a terminal the line end is typed.
        if !isTerminal { try? output.write("\n") }
        try? output.flush()
        let line = input.line()
        if isTerminal, line == nil { try? output.write("\n") }
        return line
    }

    /// Whether the answer to a question is yes; the end of the input is no.
    func confirms(_ question: String) -> Bool {
        answer(to: messages.confirm(question)).map(messages.isYes) ?? false
    }

    /// Writes a line; on a terminal it is broken between words.
    func tell(_ line: String) { write(fitted(line) + "\n") }

    private func fitted(_ line: String) -> String {
        guard isTerminal, DisplayWidth.cells(of: line) > context.surroundings.width else { return line }
        return Fitting.hang(line, to: max(20, context.surroundings.width), indent: 2)
    }

    func tell(_ lines: [String]) { for line in lines { tell(line) } }

    func write(_ text: String) { try? output.write(text) }

    /// Returns false where the reader of the output has gone.
    @discardableResult func flush() -> Bool {
        do throws(OutputError) {
            try output.flush()
            return true
        } catch {
            return false
        }
    }
}

/// An archiving that can be undone.
struct PlainUndo: Sendable {
    let collection: String
    let ids: [String]
    /// Whether the records were archived, and not taken out of the archive.
    let wasArchived: Bool
}

extension CollectionDescription {
    /// Whether a word names this collection: it is its name, singular or title.
    func isNamed(_ word: String) -> Bool {
        let word = word.lowercased()
        return [name, singular, title].contains { $0.lowercased() == word }
    }
}
