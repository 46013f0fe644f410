// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

// Forms.

extension PlainBrowser {
    /// Asks for the fields and files of an action, shows what would become of it, and submits it.
    func submit(_ name: String, id: String?) {
        guard let action = list.collection.writes?.action(name) else { return tell(messages.notOffered) }
        var record: AnswerValue?
        if let id, !action.fields.isEmpty || action.files != nil {
            guard let answer = detail(id)?[DetailResult.record] else { return }
            record = answer
        }
        let form = PlainForm(action, of: list.collection, record: record, time: time)
        var submission = PlainSubmission(action, form, base: parameters(of: action, id: id))
        tell(Escaping.line(action.title))
        guard isPossible(submission) else { return }
        if !form.fields.isEmpty || action.files != nil { tell(messages.formHelp) }
        let fields = Array(form.fields.indices)
        guard fill(fields, &submission), detachFiles(of: record, &submission), attachFiles(&submission)
        else { return tell(messages.leftForm) }
        if name == "update", submission.isEmpty { return tell(messages.unchangedForm) }
        while approve(&submission) {
            if let answer = send(submission.parameters(isDryRun: false)) {
                news.expect([answer[SubmitResult.id] ?? ""])
                let title = [list.title, (id ?? answer[SubmitResult.id]).map(Escaping.line)]
                tell(messages.submitted(answer, title: title.compactMap(\.self).joined(separator: " ")).text)
                if id == nil { reload() }
                return
            }
            // The form stays until the answer is no.
            guard confirms(messages.tryAgainQuestion) else { return tell(messages.leftForm) }
        }
    }

    private func parameters(of action: OfferedAction, id: String?) -> SubmitParameters {
        let random = (RandomBytes.integer(), RandomBytes.integer())
        var parameters = SubmitParameters()
        parameters.collection = list.collection.name
        parameters.action = action.name
        parameters.id = id.map { RecordID($0) }
        parameters.op = OperationID(time: SystemClock.wall, random: random).text
        parameters.timeZone = context.zoneParameter
        parameters.language = context.language
        return parameters
    }

    /// Whether the daemon would take the action at all, before anybody fills in a form for nothing.
    private func isPossible(_ submission: PlainSubmission) -> Bool {
        do throws(CommandError) {
            _ = try verbs.call(.submit, submission.parameters(isDryRun: true), isPreview: true)
            return true
        } catch {
            // Missing values are asked for.
            guard case .client(.refused(let refusal)) = error, let kind = ErrorKind(rawValue: refusal.kind),
                kind == .invalid || kind == .badParams
            else {
                verbs.report(error)
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
    /// - Parameter problem: what is wrong with the field of a form; nil where nothing is.
    func ask(for index: Int, _ form: inout PlainForm, problem: (PlainForm) -> String? = { _ in nil }) -> Bool {
        while true {
            guard let answer = answer(to: form.question(for: index)) else { return false }
            let before = form.fields[index]
            switch form.take(answer, for: index) {
            case .left: return false
            case .again(let reason): tell(reason)
            case .taken:
                guard !answer.isEmpty, let reason = problem(form) else { return true }
                form.restore(before, at: index)
                tell(reason)
            }
        }
    }

    /// The daemon's error for the value of a field; nil where there is none, or no answer comes: the preview
    /// tells that.
    private func problem(of field: String, in submission: PlainSubmission) -> String? {
        do throws(CommandError) {
            _ = try verbs.call(.submit, submission.parameters(isDryRun: true), isPreview: true)
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
            guard let answer = answer(to: "\(messages.keepFile(Escaping.line(file.name))): ") else { return false }
            if answer == "." { return false }
            if answer == "-" {
                submission.detached.append(known.reference(to: file))
                submission.detachedLines.append(file.line(messages))
            }
        }
        return true
    }

    /// Asks for files and sends them; false if the form is left.
    private func attachFiles(_ submission: inout PlainSubmission) -> Bool {
        submission.files = []
        guard let limits = submission.action.files else { return true }
        while Int64(submission.files.count) < limits.max {
            guard let answer = answer(to: "\(messages.fileOrEnough) (\(limits.words(messages))): ") else {
                return false
            }
            let path = FormFile(line: EditedLine(answer), state: .typed).path
            if path.isEmpty { break }
            if path == "." { return false }
            guard Files.isRegular(path) else {
                tell(messages.noFile(Escaping.line(path)))
                continue
            }
            do throws(CommandError) {
                submission.files.append(try verbs.upload(path, to: list.collection.name))
            } catch {
                verbs.report(error)
            }
        }
        return true
    }

    /// Shows what would become of the form, and asks whether it is to be; what is refused is asked for again.
    private func approve(_ submission: inout PlainSubmission) -> Bool {
        while true {
            do throws(CommandError) {
                let answer = try verbs.call(.submit, submission.parameters(isDryRun: true), isPreview: true)
                let fileLines = submission.files.map(\.line)
                write(
                    verbs.preview(
                        answer, of: list.collection, fileLines: fileLines, takenLines: submission.detachedLines))
                if confirms(messages.submitQuestion) { return true }
            } catch {
                if mend(&submission, after: error) { continue }
            }
            tell(messages.leftForm)
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
            verbs.report(error)
            guard confirms(messages.tryAgainQuestion) else { return false }
            // The difference has been shown: what is given now replaces what is there now.
            if isConflict, let id = submission.id, let record = detail(id)?[DetailResult.record] {
                submission.form.rebase(on: record)
            }
            return true
        }
        for problem in problems { tell(problem.line) }
        guard fill(fields, &submission) else { return false }
        return needsFiles ? attachFiles(&submission) : true
    }

    private func send(_ parameters: SubmitParameters) -> AnswerValue? {
        do throws(CommandError) {
            return try verbs.call(.submit, parameters)
        } catch {
            guard case .client(.closed(mayBeDone: true)) = error else {
                verbs.report(error)
                return nil
            }
            // The operation has its own name, so that asking again does nothing twice.
            return asking { () throws(CommandError) in try verbs.call(.submit, parameters) }
        }
    }
}
