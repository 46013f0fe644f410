// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    static let open = Verb(
        "open",
        summary: TranslatedText(
            en: "open a file of a record",
            pl: "otwiera plik rekordu"),
        synopsis: "SELECTOR ID [N]",
        details: TranslatedText(
            en: """
                Opens the first file of a record, or the N-th: a private copy in $XDG_RUNTIME_DIR, which is gone with
                the session, or else in $TMPDIR or /tmp, where it stays. The ending of its name fits its content: a PDF
                that is called a.html becomes a.html.pdf. Without a display the path of the copy is printed. If no file
                is kept here, it opens the N-th http or https address in the field of the files.
                """,
            pl: """
                Otwiera pierwszy plik rekordu albo N-ty: prywatną kopię w $XDG_RUNTIME_DIR, która znika razem z sesją,
                a bez niego w $TMPDIR albo /tmp, gdzie zostaje. Zakończenie jej nazwy pasuje do treści: PDF o nazwie
                a.html staje się a.html.pdf. Bez środowiska graficznego wypisuje ścieżkę kopii. Gdy plików tu nie ma,
                otwiera N-ty adres http lub https z pola plików.
                """),
        maxArguments: 2, terms: .ids)
}

/// `open`: a file of a record, for the programs of the user's desktop.
enum OpenCommand {
    /// The program that opens files and addresses on a desktop.
    private static let opener = "xdg-open"

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let (reference, rest) = try RecordReference.readOne(context.invocation.terms, context.invocation)
        let number =
            try rest.first.map { term throws(CommandError) in
                guard let number = Int(term.text), number >= 1 else {
                    throw .usage(
                        UsageError(
                            en: "'\(term.text)' is no number of a file", pl: "„\(term.text)” nie jest numerem pliku",
                            hint: TranslatedText(en: "the first file is 1", pl: "pierwszy plik to 1")))
                }
                return number
            } ?? 1
        let describing = try context.requestDescription(of: reference.collection)
        var parameters = DetailParameters()
        parameters.collection = reference.collection
        parameters.id = RecordID(reference.id)
        let answer = try context.call(.detail, parameters)
        let files = RecordAttachments(answer[DetailResult.record], try context.descriptions(describing).first)
        if files.files.indices.contains(number - 1) {
            return try show("path", try copy(files.files[number - 1], of: reference, context), context)
        }
        if files.files.isEmpty, files.addresses.indices.contains(number - 1) {
            return try show("url", files.addresses[number - 1], context)
        }
        throw .failed(
            .notFound, kind: ErrorKind.notFound.rawValue, message: missing(number, of: reference.id, files))
    }

    /// The error of a record that has no file or address of that number.
    private static func missing(_ number: Int, of id: String, _ files: RecordAttachments) -> TranslatedText {
        let (count, noun) =
            files.files.isEmpty ? (files.addresses.count, Plural.addresses) : (files.files.count, .files)
        guard count > 0 else {
            return TranslatedText(en: "\(id) has no file and no address", pl: "\(id) nie ma pliku ani adresu")
        }
        let all = TranslatedText { $0.count(count, noun) }
        return TranslatedText(
            en: "there is no number \(number): \(id) has \(all.english)",
            pl: "nie ma numeru \(number): \(id) ma \(all.polish)")
    }

    /// A private copy of a file; returns its path.
    private static func copy(
        _ file: RecordFile, of reference: RecordReference, _ context: CommandContext
    ) throws(CommandError) -> String {
        let copy = try context.saving { () throws(SystemError) in
            try PrivateCopy(file, environment: context.surroundings.environment)
        }
        try context.save(file, of: reference, to: copy.part)
        return try context.saving { () throws(SystemError) in try copy.finish() }
    }

    /// Hands a path or an address to the desktop, or without one prints it.
    ///
    /// - Parameter name: the name of the target in JSON.
    private static func show(
        _ name: StaticString, _ target: String, _ context: CommandContext
    ) throws(CommandError) -> ExitCode {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { name in
            !(context.surroundings.environment(name) ?? "").isEmpty
        }
        if hasDisplay, context.format.isForPeople, try start(target, context) { return .done }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name, target)
        writer.endObject()
        var presentation = Presentation(try AnswerValue.made(writer))
        presentation.plain = Array(target.utf8)
        presentation.names = [target]
        presentation.text = { _ in Escaping.line(target) + "\n" }
        try context.print(presentation)
        try context.flush()
        return .done
    }

    /// Starts the program that opens it; false if there is none.
    private static func start(_ target: String, _ context: CommandContext) throws(CommandError) -> Bool {
        guard let process = try? ChildProcess(opener, [target], output: 2) else { return false }
        let status = process.wait()
        guard status == .exited(0) else {
            throw .failed(
                .failure, kind: "opener",
                message: TranslatedText(
                    en: "\(opener) ended with code \(status.code)", pl: "\(opener) zakończył kodem \(status.code)"),
                hint: TranslatedText(en: "it is: \(target)", pl: "to: \(target)"))
        }
        return true
    }
}
