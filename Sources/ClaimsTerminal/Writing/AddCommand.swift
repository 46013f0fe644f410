// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let add = Verb(
        "add",
        summary: TranslatedText(
            en: "add a record, with files",
            pl: "dodaje rekord, z plikami"),
        synopsis: "SELECTOR [FIELD=VALUE…]",
        details: TranslatedText(
            en: """
                Adds a record. All after the first = is the value. A json field takes JSON. Days and moments are
                written as in filters: 2026-12-01, +30d, tomorrow. --json FILE gives an object of fields, --attach FILE
                a file; - is standard input. On a terminal it asks for required fields that are missing, shows the
                record, its files and where it goes, and asks before it submits; --yes skips the last question.
                Interrupted, nothing was submitted. Elsewhere nothing is asked.

                With --dry-run it only shows the record that would be made. With --wait it ends once the upstream has
                accepted it, or with exit code 11 if somebody has to look at it. With --op UUID the command can be
                repeated.
                """,
            pl: """
                Dodaje rekord. Wszystko po pierwszym = jest wartością. Pole json przyjmuje JSON. Dni i chwile pisze się
                jak w filtrach: 2026-12-01, +30d, tomorrow. --json FILE podaje obiekt z polami, --attach FILE plik; -
                to standardowe wejście. W terminalu pyta o brakujące pola wymagane, pokazuje rekord, jego pliki i cel,
                i przed wysłaniem prosi o zgodę; --yes pomija ostatnie pytanie. Po przerwaniu nic nie zostaje wysłane.
                Poza terminalem o nic nie pyta.

                Z --dry-run pokazuje tylko rekord, który by powstał. Z --wait kończy się, gdy serwer przyjmie rekord,
                albo z kodem 11, gdy ktoś musi na niego spojrzeć. Z --op UUID polecenie można powtórzyć.
                """),
        options: [.json, .attach, .dryRun, .op, .wait, .yes], terms: .assignments)
}

/// `add`: a new record, from the line, a file or questions.
struct AddCommand {
    private let context: CommandContext
    private let description: CollectionDescription
    private let submission: OperationSubmission
    private var given: GivenValues
    private var paths: [String]

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        var command = try AddCommand(context)
        return try command.run()
    }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        let collection = try context.requiredCollection("claimsctl add --collection NAME FIELD=VALUE")
        let descriptions = try context.descriptions(try context.requestDescription(of: collection))
        guard let description = descriptions.first else {
            throw .client(.malformed(.noDescription))
        }
        self.description = description
        submission = OperationSubmission(context, collection: collection, description)
        given = try GivenValues(context.invocation.terms, of: description, isMixed: false, context)
        paths = context.invocation.writing.attach
    }

    private mutating func run() throws(CommandError) -> ExitCode {
        // The daemon says why, where it takes no records.
        if let action = description.writes?.action("create") {
            if context.asksQuestions {
                Interruption.set(isHarmless: true)
                defer { Interruption.set(isHarmless: false) }
                try ask(action)
            } else {
                try upload()
            }
        }
        try submission.submit(parameters)
        return try submission.finish()
    }

    private var parameters: SubmitParameters { submission.parameters("create", fields: given.fields) }

    /// Sends the files. Where a person can be asked, one that is refused is asked for again.
    private mutating func upload(_ limits: FileLimits? = nil, _ prompts: FieldPrompts? = nil) throws(CommandError) {
        let upload = FileUpload(context, collection: description.name)
        while submission.files.count < paths.count {
            let index = submission.files.count
            do throws(CommandError) {
                submission.files.append(try upload.send(paths[index]))
            } catch {
                guard let limits, let prompts else { throw error }
                paths[index] = try anotherPath(after: error, at: index, limits, prompts)
            }
        }
    }

    /// Asks for another file in place of one that cannot be read or is refused, after the reason.
    private func anotherPath(
        after error: CommandError, at index: Int, _ limits: FileLimits, _ prompts: FieldPrompts
    ) throws(CommandError) -> String {
        switch error {
        case .invalid(let problems):
            for problem in problems { context.console.report(problem.lineOfField, indent: 2) }
        case .failed(_, kind: "input", message: let message, hint: _):
            context.console.report(Escaping.line(context.messages.text(message)), indent: 2)
        default: throw error
        }
        return try prompts.file(limits, number: index + 1)
    }

    /// Asks for what is missing or refused, and at last whether it is to be submitted.
    private mutating func ask(_ action: OfferedAction) throws(CommandError) {
        let prompts = FieldPrompts(context.console, description, context.time)
        for field in action.fields where field.isRequired && (given.fields[field.name] ?? .null).isNull {
            given.form.put(try prompts.answered(field))
        }
        if let limits = action.files {
            while Int64(paths.count) < limits.min { paths.append(try prompts.file(limits, number: paths.count + 1)) }
        }
        try upload(action.files, prompts)
        if context.invocation.isDryRun { return }
        let preview = try approvedPreview(action, prompts)
        guard !context.invocation.isConfirmed else { return }
        let files = submission.files.map { $0.line(context.messages) }
        let text = PreviewText(preview, description, time: context.time)
            .text(width: context.console.width, isColored: context.console.areErrorsColored, fileLines: files)
        context.console.report("\n" + text.dropLast())
        guard context.console.ask(context.messages.askSubmit, context.messages) else {
            throw FieldPrompts.declined
        }
    }

    /// The preview of values that pass all checks; fields that are refused are asked for again.
    private mutating func approvedPreview(
        _ action: OfferedAction, _ prompts: FieldPrompts
    ) throws(CommandError) -> AnswerValue {
        while true {
            do throws(CommandError) {
                return try submission.preview(parameters)
            } catch {
                guard case .client(.refused(let refusal)) = error else { throw error }
                let problems = FieldProblemText.all(in: refusal.data)
                let fields = action.fields.filter { field in problems.contains { $0.field == field.name } }
                // Files, and fields that cannot be given, are no matter of another answer.
                guard !fields.isEmpty, problems.allSatisfy({ action.field($0.field) != nil }) else { throw error }
                for field in fields {
                    for problem in problems where problem.field == field.name {
                        context.console.report(problem.line, indent: 2)
                    }
                    given.form.put(try prompts.answered(field))
                }
            }
        }
    }
}

extension CommandContext {
    /// Whether a person can be asked: standard input and standard error are a terminal, or it is a conversation.
    var asksQuestions: Bool {
        surroundings.isConversation || surroundings.isTerminal(0) && console.isErrorTerminal
    }
}
