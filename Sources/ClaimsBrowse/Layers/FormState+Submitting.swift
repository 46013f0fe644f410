// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// The requests of a form, and their answers.

extension FormState {
    /// Asks for the record, or for the operation that is corrected.
    mutating func load(_ context: inout LayerContext) -> LayerOutcome {
        guard context.isConnected else { return .stay }
        let language = context.messages.language
        switch purpose {
        case .submit:
            var parameters = DetailParameters()
            parameters.collection = collection
            parameters.id = RecordID(id ?? "")
            parameters.language = language
            return ask(.detail, parameters, for: .load, &context)
        case .retry(let op):
            var parameters = OutboxParameters.get(op)
            parameters.language = language
            return ask(.outbox, parameters, for: .load, &context)
        }
    }

    /// Has the daemon check the values; problems are shown of the fields that were visited.
    mutating func check(_ context: inout LayerContext) -> LayerOutcome {
        for index in fields.indices where fields[index].isVisited {
            guard let problem = fields[index].localProblem(context.messages) else { continue }
            fields[index].problems = [problem]
        }
        guard purpose == .submit, context.isConnected, isChanged, localProblem(context) == nil else { return .stay }
        guard tags[.check] == nil else {
            isCheckDue = true
            return .stay
        }
        isCheckDue = false
        return ask(.submit, parameters(isDryRun: true, context), for: .check, &context)
    }

    /// The first field with a problem that can be seen without the daemon; nil without any.
    private func localProblem(_ context: LayerContext) -> Int? {
        fields.firstIndex { $0.localProblem(context.messages) != nil }
    }

    /// Asks for the preview, if there is something to submit.
    mutating func preview(_ context: inout LayerContext) -> LayerOutcome {
        var outcome = sendFile(at: focus - fields.count, &context)
        guard context.isConnected else { return .notice(context.messages.notConnected, .wrong) }
        for index in fields.indices { fields[index].isVisited = true }
        if let index = localProblem(context) {
            focus = index
            outcome.add(check(&context))
            return outcome
        }
        if isSending {
            isPreviewDue = true
            outcome.notice = Notice(kind: .news, text: context.messages.stillSending)
            return outcome
        }
        if entryCount > 0, id != nil || purpose != .submit, !isChanged, action == "update" || purpose != .submit {
            outcome.notice = Notice(kind: .news, text: context.messages.nothingChanged)
            return outcome
        }
        problem = nil
        scroll = 0
        isCheckDue = false
        // The preview checks all that a check of one field would.
        if let tag = tags.removeValue(forKey: .check) { outcome.commands.append(.cancel(tag)) }
        // Other values of an operation are checked as it is tried again.
        guard purpose == .submit else {
            outcome.add(submit(&context))
            return outcome
        }
        phase = .checking
        outcome.add(ask(.submit, parameters(isDryRun: true, context), for: .preview, &context))
        return outcome
    }

    mutating func submit(_ context: inout LayerContext) -> LayerOutcome {
        guard context.isConnected else { return .notice(context.messages.notConnected, .wrong) }
        phase = .submitting
        problem = nil
        switch purpose {
        case .submit: return ask(.submit, parameters(isDryRun: false, context), for: .submit, &context)
        case .retry(let op):
            var parameters = OutboxParameters(.correct, about: [op])
            parameters.fields = FieldValues(values)
            parameters.language = context.messages.language
            return ask(.outbox, parameters, for: .submit, &context)
        }
    }

    private mutating func ask(
        _ method: Method, _ parameters: any MethodParameters, for kind: RequestKind, _ context: inout LayerContext
    ) -> LayerOutcome {
        let request = context.requests.request(method, parameters)
        tags[kind] = request.tag
        return .commands(.ask(request))
    }

    /// The values that are given: of a new record all, else those that were changed.
    private var values: JSONObject {
        var values = JSONObject()
        for field in fields {
            guard let value = field.value else { continue }
            let isGiven = id == nil && purpose == .submit ? !value.isNull : field.isChanged
            if isGiven { values[field.name] = value }
        }
        return values
    }

    private func parameters(isDryRun: Bool, _ context: LayerContext) -> SubmitParameters {
        var parameters = SubmitParameters()
        parameters.collection = collection
        parameters.action = action
        parameters.id = id.map { RecordID($0) }
        let values = values
        if !values.isEmpty { parameters.fields = FieldValues(values) }
        if !uploads.isEmpty { parameters.attach = NameList(uploads) }
        if !detached.isEmpty { parameters.detach = NameList(detached) }
        if id != nil, !fields.isEmpty {
            parameters.expect = FieldValues(JSONObject(fields.map { JSONObject.Member($0.name, $0.original) }))
        }
        parameters.op = op
        parameters.isDryRun = isDryRun
        parameters.timeZone = context.person.zoneName
        parameters.language = context.messages.language
        return parameters
    }

    // MARK: - Answers

    mutating func take(
        _ value: AnswerValue, of kind: RequestKind, _ context: inout LayerContext
    ) -> LayerOutcome {
        switch kind {
        case .load: return loaded(value, &context)
        case .check:
            show([], onlyVisited: true)
            return isCheckDue ? check(&context) : .stay
        case .preview:
            show([], onlyVisited: false)
            phase = .preview(value)
            return .stay
        case .submit:
            if case .retry = purpose { return retried(value, context) }
            let record = value[SubmitResult.record]
            let name = context.title(of: record, in: collection)
            let id = value[SubmitResult.id] ?? id ?? ""
            var outcome = LayerOutcome.close
            outcome.notice = context.messages.submitted(
                value, title: name ?? Escaping.line(id), of: context.collection(collection))
            outcome.effects = [.written(collection: collection, id: id, isNew: self.id == nil)]
            outcome.reloadsOutbox = true
            return outcome
        }
    }

    private mutating func loaded(_ value: AnswerValue, _ context: inout LayerContext) -> LayerOutcome {
        if case .retry(let op) = purpose {
            guard let operation = value[OutboxResult.operations].first else {
                return LayerOutcome(closes: 1, notice: Notice(kind: .wrong, text: context.messages.isGone(op)))
            }
            fill(operation: operation)
            return .stay
        }
        guard let description = context.collection(collection) else { return .close }
        fill(
            RecordTarget(collection: collection, id: id ?? "", record: value[DetailResult.record], isWhole: true),
            description)
        if case .loading = phase {
            return LayerOutcome(closes: 1, notice: Notice(kind: .wrong, text: context.messages.isGone(id ?? "")))
        }
        return entryCount == 0 ? preview(&context) : .stay
    }

    private func retried(_ value: AnswerValue, _ context: LayerContext) -> LayerOutcome {
        LayerOutcome(closes: 1, notice: context.messages.outcome(of: .correct, value), reloadsOutbox: true)
    }

    mutating func take(
        _ refusal: Refusal, of kind: RequestKind, _ context: inout LayerContext
    ) -> LayerOutcome {
        let message = context.messages.refused(refusal)
        if kind == .load { return LayerOutcome(closes: 1, notice: Notice(kind: .wrong, text: message)) }
        if kind != .check { phase = .editing }
        switch ErrorKind(rawValue: refusal.kind) {
        case .invalid: show(FieldProblemText.all(in: refusal.data), onlyVisited: kind == .check)
        case .conflict where refusal.data?["\(OperationErrorData.served)"] != nil:
            takeServed(refusal.data)
            problem = context.messages.changedMeanwhile
        default: problem = message
        }
        // A form that is nothing but a preview has no entry that could be mended.
        if entryCount == 0 { return LayerOutcome(closes: 1, notice: Notice(kind: .wrong, text: message)) }
        if kind != .check { focusProblem() }
        return kind == .check && isCheckDue ? check(&context) : .stay
    }

    /// Puts each problem under its field or files, and others over the form.
    private mutating func show(_ problems: [FieldProblemText], onlyVisited: Bool) {
        var rest = problems
        for index in fields.indices where !onlyVisited || fields[index].isVisited {
            fields[index].problems = problems.filter { $0.field == fields[index].name }
        }
        rest.removeAll { problem in fields.contains { $0.name == problem.field } }
        if let fileLimits, let last = files.indices.last {
            let ofFiles = rest.filter { $0.field == fileLimits.field }
            files[last].problems = onlyVisited ? [] : ofFiles
            rest.removeAll { $0.field == fileLimits.field }
        }
        problem = rest.isEmpty ? nil : rest.map(\.line).joined(separator: " · ")
    }

    /// Takes over values that the record has by now; a field that was changed here too shows both.
    private mutating func takeServed(_ data: AnswerValue?) {
        for (name, value) in data?["\(OperationErrorData.served)"]?.members ?? [] {
            guard let index = fields.firstIndex(where: { $0.name == name }) else { continue }
            let words = value.kind == .null ? "" : Escaping.line(value.text)
            fields[index].takeServed(Self.value(of: value), words)
        }
    }

    /// Goes to the first entry with a problem.
    private mutating func focusProblem() {
        if let index = fields.firstIndex(where: { !$0.problems.isEmpty || $0.served != nil }) {
            focus = index
        } else if let index = files.firstIndex(where: { !$0.problems.isEmpty }) {
            focus = fields.count + index
        }
    }
}
