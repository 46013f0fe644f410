// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// The forms of `browse --plain`: fields and files are asked for one after the other, then the whole is shown and
/// submitted.
struct PlainForms {
    let console: PlainConsole
    let daemon: PlainDaemon
    let list: PlainList

    /// Asks for the fields and files of an action, shows what would become of it, and submits it.
    ///
    /// - Returns: whether a record was made.
    func submit(_ name: String, id: String?) -> Bool {
        guard let action = list.collection.writes?.action(name) else { return stop(console.messages.notOffered) }
        var record: AnswerValue?
        if let id, !action.fields.isEmpty || action.files != nil {
            guard let answer = daemon.detail(id, of: list)?[DetailResult.record] else { return false }
            record = answer
        }
        let form = PlainForm(action, of: list.collection, record: record, time: console.time)
        var submission = PlainSubmission(action, form, base: parameters(of: action, id: id))
        console.print(Escaping.line(action.title))
        guard isPossible(submission) else { return false }
        if !form.fields.isEmpty || action.files != nil { console.print(console.messages.formHelp) }
        let fields = Array(form.fields.indices)
        guard fill(fields, &submission), detachFiles(of: record, &submission), attachFiles(&submission)
        else { return stop(console.messages.leftForm) }
        if name == "update", submission.isEmpty { return stop(console.messages.unchangedForm) }
        while approve(&submission) {
            if let answer = send(submission.parameters(isDryRun: false)) {
                daemon.expect([answer[SubmitResult.id] ?? ""])
                let title = [list.title, (id ?? answer[SubmitResult.id]).map(Escaping.line)]
                console.print(
                    console.messages.submitted(answer, title: title.compactMap(\.self).joined(separator: " ")).text)
                return id == nil
            }
            // The form stays until the answer is no.
            guard console.confirms(console.messages.tryAgainQuestion) else { return stop(console.messages.leftForm) }
        }
        return false
    }

    /// Ends the form with a line about it.
    private func stop(_ text: String) -> Bool {
        console.print(text)
        return false
    }

    private func parameters(of action: OfferedAction, id: String?) -> SubmitParameters {
        let random = (RandomBytes.integer(), RandomBytes.integer())
        var parameters = SubmitParameters()
        parameters.collection = list.collection.name
        parameters.action = action.name
        parameters.id = id.map { RecordID($0) }
        parameters.op = OperationID(time: SystemClock.wall, random: random).text
        parameters.timeZone = console.context.zoneParameter
        parameters.language = console.context.language
        return parameters
    }

    /// Whether the daemon would take the action at all, before anybody fills in a form for nothing.
    private func isPossible(_ submission: PlainSubmission) -> Bool {
        do throws(CommandError) {
            _ = try console.verbs.call(.submit, submission.parameters(isDryRun: true), isPreview: true)
            return true
        } catch {
            // Missing values are asked for.
            guard case .client(.refused(let refusal)) = error, let kind = ErrorKind(rawValue: refusal.kind),
                kind == .invalid || kind == .badParams
            else {
                console.verbs.report(error)
                return false
            }
            return true
        }
    }

    /// Asks for fields, each of which the daemon checks as it is given; false if the form is left.
    private func fill(_ fields: [Int], _ submission: inout PlainSubmission) -> Bool {
        for index in fields {
            var checked = submission
            let isTaken = ask(for: index, &submission.form) { form in
                checked.form = form
                return problem(of: form.fields[index].name, in: checked)
            }
            if !isTaken { return false }
        }
        return true
    }

    /// Asks for a field until its value will do; false if the form is left.
    ///
    /// - Parameter problem: what is wrong with the field of a form; nil if nothing is.
    func ask(for index: Int, _ form: inout PlainForm, problem: (PlainForm) -> String? = { _ in nil }) -> Bool {
        while true {
            guard let answer = console.answer(to: form.question(for: index)) else { return false }
            let before = form.fields[index]
            switch form.answer(answer, for: index) {
            case .left: return false
            case .again(let reason): console.print(reason)
            case .accepted:
                guard !answer.isEmpty, let reason = problem(form) else { return true }
                form.restore(before, at: index)
                console.print(reason)
            }
        }
    }

    /// The daemon's error for the value of a field; nil if there is none, or no answer comes: the preview
    /// tells that.
    private func problem(of field: String, in submission: PlainSubmission) -> String? {
        do throws(CommandError) {
            _ = try console.verbs.call(.submit, submission.parameters(isDryRun: true), isPreview: true)
            return nil
        } catch {
            guard case .client(.refused(let refusal)) = error else { return nil }
            let problem = FieldProblemText.all(in: refusal.data).first { $0.field == field }
            return problem?.lineOfField
        }
    }

    /// Asks which of the files of a record stay; false if the form is left.
    private func detachFiles(of record: AnswerValue?, _ submission: inout PlainSubmission) -> Bool {
        // Files that the upstream has stay there.
        guard submission.action.files != nil, list.collection.writes?.isUpstream == false else { return true }
        submission.detachedLines = []
        let known = RecordAttachments(record, list.collection)
        for file in known.files {
            guard let answer = console.answer(to: "\(console.messages.keepFile(Escaping.line(file.name))): ") else {
                return false
            }
            if answer == "." { return false }
            if answer == "-" {
                submission.detached.append(known.reference(to: file))
                submission.detachedLines.append(file.line(console.messages))
            }
        }
        return true
    }

    /// Asks for files and sends them; false if the form is left.
    private func attachFiles(_ submission: inout PlainSubmission) -> Bool {
        submission.files = []
        guard let limits = submission.action.files else { return true }
        while Int64(submission.files.count) < limits.max {
            guard
                let answer = console.answer(
                    to: "\(console.messages.fileOrEnough) (\(limits.words(console.messages))): ")
            else {
                return false
            }
            let path = FormFile(line: EditedLine(answer), state: .typed).path
            if path.isEmpty { break }
            if path == "." { return false }
            guard Files.isRegular(path) else {
                console.print(console.messages.noFile(Escaping.line(path)))
                continue
            }
            do throws(CommandError) {
                submission.files.append(try console.verbs.upload(path, to: list.collection.name))
            } catch {
                console.verbs.report(error)
            }
        }
        return true
    }

    /// Shows what would become of the form, and asks whether it is to be; what is refused is asked for again.
    private func approve(_ submission: inout PlainSubmission) -> Bool {
        while true {
            do throws(CommandError) {
                let answer = try console.verbs.call(.submit, submission.parameters(isDryRun: true), isPreview: true)
                let fileLines = submission.files.map(\.line)
                console.write(
                    console.verbs.preview(
                        answer, of: list.collection, fileLines: fileLines, takenLines: submission.detachedLines))
                if console.confirms(console.messages.submitQuestion) { return true }
            } catch {
                if mend(&submission, after: error) { continue }
            }
            console.print(console.messages.leftForm)
            return false
        }
    }

    /// Asks again for what was refused, or whether the same is to be tried again; false if the form is left.
    private func mend(_ submission: inout PlainSubmission, after error: CommandError) -> Bool {
        var problems: [FieldProblemText] = []
        var isConflict = false
        if case .client(.refused(let refusal)) = error {
            problems = FieldProblemText.all(in: refusal.data)
            isConflict = refusal.kind == ErrorKind.conflict.rawValue
        }
        let fields = submission.fields(with: problems)
        let needsFiles = submission.hasFileProblem(problems)
        guard !fields.isEmpty || needsFiles else {
            console.verbs.report(error)
            guard console.confirms(console.messages.tryAgainQuestion) else { return false }
            // The difference has been shown: what is given now replaces what is there now.
            if isConflict, let id = submission.id, let record = daemon.detail(id, of: list)?[DetailResult.record] {
                submission.form.rebase(on: record)
            }
            return true
        }
        for problem in problems { console.print(problem.line) }
        guard fill(fields, &submission) else { return false }
        return needsFiles ? attachFiles(&submission) : true
    }

    private func send(_ parameters: SubmitParameters) -> AnswerValue? {
        do throws(CommandError) {
            return try console.verbs.call(.submit, parameters)
        } catch {
            guard case .client(.closed(mayBeDone: true)) = error else {
                console.verbs.report(error)
                return nil
            }
            // The operation has its own name, so that asking again does nothing twice.
            return daemon.asking(about: list) { () throws(CommandError) in try console.verbs.call(.submit, parameters) }
        }
    }
}
