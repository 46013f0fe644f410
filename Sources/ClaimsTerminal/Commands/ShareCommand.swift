// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    static let share = Verb(
        "share",
        summary: TranslatedText(
            en: "copy records with their files",
            pl: "kopiuje rekordy z plikami"),
        synopsis: "SELECTOR ID… (DIR | --tar)",
        details: TranslatedText(
            en: """
                Copies records with their files: for each a folder named for its id, with record.json (the record,
                labels, and where it came from) and the files. Nothing is overwritten; names are made safe, their
                endings fit the content, and equal ones are numbered. With --tar an archive goes to standard output.
                """,
            pl: """
                Kopiuje rekordy z plikami: każdy do folderu nazwanego jego identyfikatorem, z record.json (rekord,
                etykiety i pochodzenie) i plikami. Niczego nie nadpisuje; z nazw usuwa się niebezpieczne znaki, ich
                zakończenie pasuje do treści, a powtarzające się nazwy dostają numery. Z --tar archiwum idzie na
                standardowe wyjście.
                """),
        options: [.tar], terms: .ids)
}

/// `share`: records with their files, into a folder or as an archive.
struct ShareCommand {
    private let context: CommandContext
    private let target: any ShareTarget
    private let references: [RecordReference]

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        let isTar = invocation.writing.isTar
        var terms = invocation.terms
        guard isTar || terms.count > 1 else {
            throw .usage(
                UsageError(
                    en: "'share' needs ids, and a folder or --tar",
                    pl: "„share” wymaga identyfikatorów oraz folderu albo --tar",
                    hint: .example("claimsctl share --collection NAME 7 ~/copies")))
        }
        let folder = isTar ? nil : terms.removeLast().text
        guard !terms.isEmpty else { throw .usage(.needsID("share", invocation.verb.helpHint)) }
        if isTar {
            try context.requireNoJSON(TranslatedText(en: "--tar writes an archive", pl: "--tar zapisuje archiwum"))
        }
        if isTar, context.console.isTerminal {
            throw .usage(
                UsageError(
                    en: "an archive is not for a terminal", pl: "archiwum nie jest dla terminala",
                    hint: .example("--tar > copies.tar")))
        }
        var references: [RecordReference] = []
        for term in terms { references.append(try RecordReference.read(term.text, invocation.selector)) }
        let target: any ShareTarget = folder.map { ShareFolder($0, context) } ?? ShareArchive(context)
        return try ShareCommand(context: context, target: target, references: references).run()
    }

    private func run() throws(CommandError) -> ExitCode {
        var descriptions: [String: CollectionDescription] = [:]
        var missing: [String] = []
        var lost: [String] = []
        var used: Set<String> = []
        var shared: [String] = []
        for reference in references {
            if descriptions[reference.collection] == nil {
                descriptions[reference.collection] =
                    try context.descriptions(try context.requestDescription(of: reference.collection)).first
            }
            guard let answer = try detail(of: reference) else {
                missing.append(reference.id)
                continue
            }
            let folder = SafeName.unused(SafeName.make(reference.id), among: &used)
            if let file = try share(answer, of: reference, descriptions[reference.collection], in: folder) {
                lost.append(context.messages.text(Self.lost(file, of: reference)))
            } else if let path = target.path(of: folder) {
                shared.append(path)
            }
        }
        try target.finish()
        try context.flush()
        for path in shared where context.asksQuestions { context.notice(context.messages.shared(path)) }
        if !missing.isEmpty { lost.insert(context.messages.noRecord(missing), at: 0) }
        if lost.isEmpty { return .done }
        context.report(
            ErrorReport(.notFound, kind: ErrorKind.notFound.rawValue, message: lost.joined(separator: "; ")))
        return .notFound
    }

    /// The answer about a record; nil if there is none.
    private func detail(of reference: RecordReference) throws(CommandError) -> AnswerValue? {
        var parameters = DetailParameters()
        parameters.collection = reference.collection
        parameters.id = RecordID(reference.id)
        // With a language labels are answered.
        parameters.language = context.language ?? "en"
        return try Self.found { () throws(CommandError) in try context.call(.detail, parameters) }
    }

    /// Copies a record with its files.
    ///
    /// - Returns: the first file that the daemon does not have; nothing is copied then.
    private func share(
        _ answer: AnswerValue, of reference: RecordReference, _ description: CollectionDescription?, in folder: String
    ) throws(CommandError) -> RecordFile? {
        try target.begin(folder)
        do throws(CommandError) {
            try target.add("record.json", Self.document(answer))
            var used: Set<String> = ["record.json"]
            for file in RecordAttachments(answer[DetailResult.record], description).files {
                let name = SafeName.unused(SafeName.make(file.name, type: file.type), among: &used)
                let isThere = try Self.found { () throws(CommandError) -> Bool in
                    try target.add(name, file, of: reference)
                    return true
                }
                if isThere == true { continue }
                // An archive that has begun a file cannot go on without it.
                guard target.path(of: folder) != nil else {
                    throw CommandError.failed(
                        .notFound, kind: ErrorKind.notFound.rawValue, message: Self.lost(file, of: reference))
                }
                target.abandon()
                return file
            }
            return nil
        } catch {
            target.abandon()
            throw error
        }
    }

    /// The text about a file that a record lists and the daemon does not have.
    private static func lost(_ file: RecordFile, of reference: RecordReference) -> TranslatedText {
        let (name, id) = (Escaping.line(file.name), Escaping.line(reference.id))
        return TranslatedText(en: "\(id): the file '\(name)' is missing", pl: "\(id): brakuje pliku „\(name)”")
    }

    /// The answer to a request; nil if the daemon says that it is not there.
    private static func found<Value>(_ body: () throws(CommandError) -> Value) throws(CommandError) -> Value? {
        do throws(CommandError) { return try body() } catch {
            guard case .client(.refused(let refusal)) = error, refusal.kind == ErrorKind.notFound.rawValue
            else { throw error }
            return nil
        }
    }

    /// The record, its labels and its provenance.
    private static func document(_ answer: AnswerValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("schema_version", JSONLayout.schemaVersion)
        let names = [DetailResult.record.name, DetailResult.labels.name, DetailResult.provenance.name]
        for name in names {
            guard let value = answer["\(name)"] else { continue }
            writer.key(name)
            writer.raw(Array(value.source.utf8))
        }
        writer.endObject()
        return JSONLayout.indented(writer.bytes) + [UInt8(ascii: "\n")]
    }
}
