// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let edit = Verb(
        "edit",
        summary: TranslatedText(
            en: "change a record, by values or in an editor",
            pl: "zmienia rekord, przez wartości albo w edytorze"),
        synopsis: "SELECTOR ID [FIELD=VALUE…]",
        details: TranslatedText(
            en: """
                Changes a record. FIELD= clears a field; --json FILE gives an object of fields, --attach FILE adds a
                file, --detach FILE takes one away: its SHA-256, name, or number as open counts. Days and moments are
                written as in filters: 2026-12-01, +30d, tomorrow. Without any of these $VISUAL, else $EDITOR, opens a
                form with titles, limits and codes as comments, and moments by your clock. Values that are refused open
                it again, with the messages on top. If the form comes back unchanged or empty, nothing is done. If
                somebody else has changed these fields meanwhile, it ends with 9 and shows both values.
                """,
            pl: """
                Zmienia rekord. FIELD= czyści pole; --json FILE podaje obiekt z polami, --attach FILE dodaje plik,
                --detach FILE go odłącza: po SHA-256, nazwie albo numerze, jak w open. Dni i chwile pisze się jak w
                filtrach: 2026-12-01, +30d, tomorrow. Bez żadnego z nich $VISUAL albo $EDITOR otwiera formularz z
                tytułami, ograniczeniami i kodami w komentarzach; chwile są w nim według twojego zegara. Odrzucone
                wartości otwierają go ponownie, z komunikatami na górze. Gdy formularz wraca bez zmian albo pusty, nic
                się nie dzieje. Gdy ktoś inny zmienił w tym czasie te pola, kończy się kodem 9 i pokazuje obie
                wartości.
                """),
        options: [.json, .attach, .detach, .dryRun, .op, .wait], terms: .edits)
}

/// `edit`: new values for a record, from the line or from an editor.
struct EditCommand {
    private let context: CommandContext
    private let reference: RecordReference
    private let description: CollectionDescription
    private let submission: OperationSubmission
    private let given: GivenValues

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let command = try EditCommand(context)
        let isForm = command.given.fields.isEmpty && context.invocation.writing.isEmpty
        return isForm ? try command.editForm() : try command.submitValues()
    }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        let (reference, rest) = try RecordReference.readOne(context.invocation.terms, context.invocation)
        self.reference = reference
        let descriptions = try context.descriptions(try context.requestDescription(of: reference.collection))
        guard let description = descriptions.first else {
            throw .client(.malformed(.noDescription))
        }
        self.description = description
        submission = OperationSubmission(context, collection: reference.collection, description)
        given = try GivenValues(rest, of: description, isMixed: false, context)
    }

    private func submitValues() throws(CommandError) -> ExitCode {
        if description.writes?.action("update") != nil {
            if try submission.isRepeated("update", on: reference) { return try submission.finish() }
            submission.detached = try DetachedFiles(
                context.invocation.writing.detach, of: reference, description, context)
            let upload = FileUpload(context, collection: description.name)
            for path in context.invocation.writing.attach { submission.files.append(try upload.send(path)) }
        }
        try submission.submit(
            submission.parameters("update", id: reference.id, fields: given.fields))
        return try submission.finish()
    }

    private func editForm() throws(CommandError) -> ExitCode {
        guard let action = description.writes?.action("update"), !action.fields.isEmpty else {
            // The daemon says why.
            try submission.submit(submission.parameters("update", id: reference.id))
            return try submission.finish()
        }
        var request = DetailParameters()
        request.collection = reference.collection
        request.id = RecordID(reference.id)
        let answer = try context.call(.detail, request)
        guard let record = answer[DetailResult.record] else {
            throw .client(
                .malformed(
                    TranslatedText(en: "the daemon's answer has no record", pl: "odpowiedź demona nie ma rekordu")))
        }
        let form = EditorForm(
            record, id: reference.id, description, fields: action.fields, time: context.time)
        var file = try EditedFile.make(context.surroundings, name: "\(description.singular)-\(reference.id)")
        return try edit(form, in: &file)
    }

    /// Opens the form until its values are taken, or left as they were.
    private func edit(_ form: EditorForm, in file: inout EditedFile) throws(CommandError) -> ExitCode {
        var text = form.text(form.form)
        var refusal: CommandError?
        while true {
            let edited = try file.edit(text)
            if edited == text { return try end(after: refusal) }
            let found: RecordForm?
            do throws(FormError) {
                found = try form.read(edited)
            } catch {
                refusal = .failed(.invalid, kind: "invalid", message: error.text(line: error.line))
                text = reopened(edited, error)
                continue
            }
            guard let changed = found else { return try end(after: refusal) }
            let changes = changed.values(.changed)
            if changes.isEmpty { return try end(after: nil) }
            var parameters = submission.parameters("update", id: reference.id, fields: changes)
            parameters.expect = FieldValues(changed.originals)
            do throws(CommandError) {
                try submission.submit(parameters)
            } catch {
                guard case .client(.refused(let answer)) = error, answer.kind == ErrorKind.invalid.rawValue else {
                    context.console.notice(context.messages.keptText(in: file.keep()))
                    throw error
                }
                refusal = error
                text = form.text(changed, problems: FieldProblemText.all(in: answer.data).map(\.line))
                continue
            }
            return try submission.finish()
        }
    }

    /// Nothing is done: of values that were refused it says why, and of all others that it is so.
    private func end(after refusal: CommandError?) throws(CommandError) -> ExitCode {
        if let refusal { throw refusal }
        context.notice("claimsctl: \(context.messages.nothingChanged)")
        return .done
    }

    /// The text as it was written, with the error on top in place of the problems before.
    private func reopened(_ text: String, _ error: FormError) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.drop { $0.hasPrefix("// ! ") }
        // The line as the editor will count it.
        let line = error.line - (lines.count - rest.count) + 1
        return "// ! \(Escaping.line(context.messages.text(error.text(line: line))))\n"
            + rest.joined(separator: "\n")
    }
}

extension RecordReference {
    /// Reads the first term as a record, for a verb about one.
    ///
    /// - Returns: the record, and the terms after it.
    static func readOne(
        _ terms: [Term], _ invocation: Invocation
    ) throws(CommandError) -> (reference: RecordReference, rest: [Term]) {
        guard let first = terms.first, GivenValues.assignment(first.text) == nil || invocation.selector == nil else {
            let word = invocation.verb.word
            throw .usage(.needsID(word, invocation.verb.helpHint))
        }
        return (try read(first.text, invocation.selector), Array(terms.dropFirst()))
    }
}
