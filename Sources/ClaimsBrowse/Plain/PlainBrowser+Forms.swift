// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

// Forms, and the actions of a record.

extension PlainBrowser {
    /// Asks for the fields and files of an action, shows what would become of it, and submits it.
    func submit(_ name: String, id: String?) {
        let description = list.collection
        guard let action = description.writes?.action(name) else { return tell(messages.notOffered) }
        var record: AnswerValue?
        if let id, !action.fields.isEmpty {
            guard let answer = detail(id)?[DetailResult.record] else { return }
            record = answer
        }
        // The same operation however often an answer is lost.
        let random = (RandomBytes.integer(), RandomBytes.integer())
        var parameters = SubmitParameters()
        parameters.collection = list.collection.name
        parameters.action = name
        parameters.id = id.map { RecordID($0) }
        parameters.op = OperationID(time: SystemClock.wall, random: random).text
        parameters.timeZone = context.zoneParameter
        parameters.language = context.language
        var form = PlainForm(action, of: description, record: record, messages)
        tell(Escaping.line(action.title))
        if !form.fields.isEmpty || action.files != nil { tell(messages.formHelp) }
        guard ask(form.fields, &form), let files = files(of: action) else { return tell(messages.leftForm) }
        if name == "update", form.values.isEmpty, files.isEmpty { return tell(messages.unchangedForm) }
        parameters.attach = files.isEmpty ? nil : NameList(files.map(\.upload))
        var fileLines = files.map(\.line)
        while approve(&form, &parameters, action, &fileLines) {
            if let answer = send(parameters) {
                news.expect([answer[SubmitResult.id] ?? ""])
                let title = [list.title, (id ?? answer[SubmitResult.id]).map(Escaping.line)]
                tell(messages.submitted(answer, title: title.compactMap(\.self).joined(separator: " ")).text)
                if id == nil { reload() }
                return
            }
            // The form stays until somebody gives it up.
            guard confirms(messages.tryAgainQuestion) else { return tell(messages.leftForm) }
        }
    }

    /// Asks for fields; false if the form is left.
    func ask(_ fields: [OfferedField], _ form: inout PlainForm) -> Bool {
        for field in fields {
            while true {
                guard let answer = answer(to: form.question(for: field)) else { return false }
                switch form.take(answer, for: field) {
                case .left: return false
                case .again(let reason):
                    tell(reason)
                    continue
                case .taken: break
                }
                break
            }
        }
        return true
    }

    /// Asks for files and sends them; nil if the form is left.
    private func files(of action: OfferedAction) -> [(upload: String, line: String)]? {
        guard let limits = action.files else { return [] }
        var files: [(upload: String, line: String)] = []
        while Int64(files.count) < limits.max {
            guard let path = answer(to: "\(messages.fileOrEnough) (\(limits.words(messages))): ") else { return nil }
            if path.isEmpty { break }
            if path == "." { return nil }
            guard Files.isRegular(path) else {
                tell(messages.noFile(Escaping.line(path)))
                continue
            }
            do throws(CommandError) {
                files.append(try verbs.upload(path, to: list.collection.name))
            } catch {
                verbs.report(error)
            }
        }
        return files
    }

    /// Shows what would become of the form, and asks whether it is to be; fields that are refused are asked for again.
    ///
    /// - Parameter fileLines: the lines about the files that were sent; more may be asked for.
    private func approve(
        _ form: inout PlainForm, _ parameters: inout SubmitParameters, _ action: OfferedAction,
        _ fileLines: inout [String]
    ) -> Bool {
        while true {
            parameters.fields = form.values.isEmpty ? nil : FieldValues(form.values)
            parameters.expect = parameters.action == "update" && !form.values.isEmpty ? FieldValues(form.expected) : nil
            var preview = parameters
            preview.isDryRun = true
            do throws(CommandError) {
                let answer = try verbs.call(.submit, preview)
                write(verbs.preview(answer, of: list.collection, fileLines: fileLines))
                if confirms(messages.submitQuestion) { return true }
                tell(messages.leftForm)
                return false
            } catch {
                guard mend(&form, &parameters, action, &fileLines, after: error) else {
                    tell(messages.leftForm)
                    return false
                }
            }
        }
    }

    /// Asks again for what was refused, or whether the same is to be tried again; false if the form is left.
    private func mend(
        _ form: inout PlainForm, _ parameters: inout SubmitParameters, _ action: OfferedAction,
        _ fileLines: inout [String], after error: CommandError
    ) -> Bool {
        var problems: [FieldProblemText] = []
        var isConflict = false
        if case .client(.refused(let refusal)) = error {
            problems = FieldProblemText.all(in: refusal.data)
            isConflict = refusal.kind == ErrorKind.conflict.rawValue
        }
        let fields = form.fields.filter { field in problems.contains { $0.field == field.name } }
        let needsFiles = action.files.map { limits in problems.contains { $0.field == limits.field } } ?? false
        guard !fields.isEmpty || needsFiles else {
            verbs.report(error)
            guard confirms(messages.tryAgainQuestion) else { return false }
            // The difference has been shown: what is given now replaces what is there now.
            if isConflict, let id = parameters.id?.text, let record = detail(id)?[DetailResult.record] {
                form.rebase(on: record)
            }
            return true
        }
        for problem in problems { tell(problem.line) }
        guard ask(fields, &form) else { return false }
        guard needsFiles else { return true }
        guard let files = files(of: action) else { return false }
        fileLines = files.map(\.line)
        parameters.attach = files.isEmpty ? nil : NameList(files.map(\.upload))
        return true
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

    /// Lists what can be done with a record, asks which, and does it.
    func actions(_ numbers: [Int], _ words: String) {
        withRecord(numbers, words) { id in
            guard let writes = list.collection.writes else { return tell(messages.notOffered) }
            let offered = writes.actions.filter { $0.name != "create" && $0.name != "update" }
            guard !offered.isEmpty else { return tell(messages.noActions) }
            let titles = offered.map { action in
                Escaping.line(action.title)
                    + (action.isGranted ? "" : " (\(messages.needsRole(Escaping.line(action.role))))")
            }
            guard let index = chosen(among: titles) else { return }
            if offered[index].name == "delete" {
                news.expect([id])
                verbs.run(["delete", "--collection", list.collection.name, "--", id])
            } else {
                submit(offered[index].name, id: id)
            }
        }
    }

    /// Lists titles by numbers and asks for one; nil for none.
    func chosen(among titles: [String]) -> Int? {
        for (index, title) in titles.enumerated() { tell("\(index + 1). \(title)") }
        guard let answer = answer(to: "\(messages.choose): "), !answer.isEmpty else { return nil }
        guard let number = Int(answer), titles.indices.contains(number - 1) else {
            tell(messages.noNumber(Escaping.line(answer)))
            return nil
        }
        return number - 1
    }
}
