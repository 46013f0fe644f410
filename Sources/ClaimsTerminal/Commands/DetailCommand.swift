// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    static let detail = Verb(
        "detail",
        summary: TranslatedText(
            en: "show everything about records",
            pl: "pokazuje wszystko o rekordach"),
        synopsis: "SELECTOR (ID… | -)",
        details: TranslatedText(
            en: """
                Shows all fields of records, and where they came from. --raw adds the object as the upstream sent it,
                in tables and JSON. Without a selector an id is COLLECTION/ID, as search -o name prints it. - reads ids
                from standard input, one a line.
                """,
            pl: """
                Pokazuje wszystkie pola rekordów i to, skąd pochodzą. --raw dodaje obiekt w postaci przysłanej przez
                serwer, w tabelach i JSON. Bez wskazania kolekcji identyfikator ma postać KOLEKCJA/ID, jak wypisuje
                search -o name. - czyta identyfikatory ze standardowego wejścia, po jednym w wierszu.
                """),
        options: [.maxAge, .raw], terms: .ids)
}

/// `detail`: everything about some records. Those that are missing are named, the others shown.
struct DetailCommand {
    private let context: CommandContext
    private let references: [RecordReference]
    /// The requests for the descriptions of the collections, sent along with the first records'.
    private var describing: [String: ClientConnection.RequestNumber] = [:]
    private var descriptions: [String: CollectionDescription] = [:]
    private var metas: [AnswerMeta] = []

    /// How many requests are under way at once; the daemon reads no more than 32.
    private static let maxPending = 16

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        var command = try DetailCommand(context)
        return try command.run()
    }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        references = try RecordReference.read(context.invocation, context.surroundings)
        if references.isEmpty {
            throw .usage(.needsID("detail", .example("claimsctl detail --collection NAME 7")))
        }
    }

    private mutating func run() throws(CommandError) -> ExitCode {
        if context.printer.need != .never {
            for reference in references where describing[reference.collection] == nil {
                describing[reference.collection] = try context.requestDescription(of: reference.collection)
            }
        }
        var missing: [String] = []
        var pending: [ClientConnection.RequestNumber] = []
        for index in references.indices {
            while pending.count < min(index + Self.maxPending, references.count) {
                pending.append(try request(references[pending.count]))
            }
            do throws(CommandError) {
                try print(try context.answer(to: pending[index]), references[index])
            } catch {
                guard case .client(.refused(let refusal)) = error, refusal.kind == ErrorKind.notFound.rawValue
                else { throw error }
                let reference = references[index]
                missing.append(
                    context.invocation.selector == nil ? "\(reference.collection)/\(reference.id)" : reference.id)
            }
        }
        let isAlone =
            references.count == 1 && context.invocation.terms.count == 1
            && context.invocation.terms[0].text != RecordReference.inputArgument
        try context.printing { () throws(OutputError) in try context.printer.endRecords(isAlone: isAlone) }
        try context.flush()
        guard !missing.isEmpty else {
            context.noticeFreshness(metas)
            return .done
        }
        var report = ErrorReport(.notFound, missing: missing, context.messages)
        report.hint = RecordReference.filterHint(missing, context.messages) { filter in
            ["claimsctl search", context.invocation.selector?.argument, ShellWord.quoted(filter)].compactMap(\.self)
                .joined(separator: " ")
        }
        context.report(report)
        return .notFound
    }

    private func request(_ reference: RecordReference) throws(CommandError) -> ClientConnection.RequestNumber {
        var parameters = DetailParameters()
        parameters.collection = reference.collection
        parameters.id = RecordID(reference.id)
        parameters.maxAge = context.invocation.maxAge?.duration.wholeMilliseconds
        return try context.connection().request(.detail, parameters)
    }

    private mutating func print(_ answer: AnswerValue, _ reference: RecordReference) throws(CommandError) {
        let name = reference.collection
        if descriptions[name] == nil, let number = describing[name] {
            descriptions[name] = try context.descriptions(number).first
        }
        for meta in AnswerMeta.all(in: answer[DetailResult.meta])
        where !metas.contains(where: { $0.collection == meta.collection }) {
            metas.append(meta)
        }
        let collection = descriptions[name]
        try context.printing { () throws(OutputError) in try context.printer.printRecord(answer, of: collection) }
    }
}
