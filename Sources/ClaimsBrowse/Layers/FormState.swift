// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// A form of an action: what becomes of its entries, from the first key to the answer of submit.
///
/// Each field is checked by the daemon when it is left. ^S asks for a preview, and once more submits.
struct FormState: LayerMachine {
    enum Purpose: Equatable, Sendable {
        /// A new operation.
        case submit
        /// Other values for an operation of the outbox, which is then tried again.
        case retry(op: String)
    }

    enum Phase: Sendable {
        /// The record, or the operation to be corrected, is asked for.
        case loading
        case editing
        /// A preview is asked for; it comes before anything is submitted.
        case checking
        /// The preview of submit; ^S submits.
        case preview(AnswerValue)
        case submitting
        /// No answer has come. The same operation goes out again once a connection stands.
        case unanswered
    }

    /// The reason of a request of a form.
    private enum RequestKind: Hashable {
        case load, check, preview, submit
    }

    let purpose: Purpose
    let collection: String
    /// The action of submit: `create`, `update` or a name of the definition.
    let action: String
    /// The id of the record; nil if a record is made.
    let id: String?
    /// The heading: `New document`.
    let title: String
    /// The UUID of the operation, the same for each attempt.
    let op: String
    private(set) var entries: FormEntries
    private(set) var phase = Phase.editing
    /// A problem of the whole form, such as a record that is gone.
    private(set) var problem: String?
    /// The first line of the preview that is shown.
    private(set) var scroll = 0
    /// The requests under way, by what they are for.
    private var tags: [RequestKind: BrowseRequest.Tag] = [:]
    /// Whether something was typed while a check was under way.
    private var isCheckDue = false
    /// Whether the preview comes as soon as all files are sent.
    private var isPreviewDue = false

    var isPreview: Bool { if case .preview = phase { true } else { false } }
    var fields: [FormField] { entries.fields }
    var files: [FormFile] { entries.files }
    var focus: Int { entries.focus }

    /// A form of an action.
    ///
    /// - Parameter target: the record; nil if one is made.
    init(
        _ offered: OfferedAction, of collection: CollectionDescription, on target: RecordTarget?,
        _ context: inout LayerContext
    ) {
        self.init(
            offered, of: collection, id: target?.id, .submit,
            title: context.messages.formTitle(
                offered, of: collection, record: target.map { context.title(of: $0.id, in: collection.name) }),
            &context)
        if let target { fill(target, collection) } else { entries.addEmptyFile() }
    }

    /// A form that corrects the values of an operation.
    init(
        correcting op: String, _ offered: OfferedAction, of collection: CollectionDescription, title: String,
        _ context: inout LayerContext
    ) {
        self.init(
            offered, of: collection, id: nil, .retry(op: op), title: context.messages.correctionTitle(title), &context)
        phase = .loading
    }

    private init(
        _ offered: OfferedAction, of collection: CollectionDescription, id: String?, _ purpose: Purpose, title: String,
        _ context: inout LayerContext
    ) {
        self.purpose = purpose
        self.collection = collection.name
        action = offered.name
        self.id = id
        self.title = title
        op = context.requests.operation(at: context.moment)
        let time = LocalTime(zone: context.person.zone, now: context.moment.wall, messages: context.messages)
        entries = FormEntries(
            RecordForm(offered.fields, of: collection, choosesBools: true, time),
            purpose == .submit ? offered.files : nil,
            canDetach: collection.writes?.isUpstream == false)
    }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .opened:
            if case .loading = phase { return load(&context) }
            // An action without entries has only its preview.
            return entries.count == 0 ? preview(&context) : .stay
        case .key(let key): return handle(key, &context)
        case .paste(let text):
            if case .editing = phase { entries.paste(text) }
            return .stay
        case .wheel(let step):
            if case .preview = phase { scroll = context.scrolled(scroll, by: step * LayerContext.wheelLines) }
            return .stay
        case .answered(let tag, let value):
            guard let kind = close(tag) else { return .unhandled }
            return read(value, of: kind, &context)
        case .refused(let tag, let refusal):
            guard let kind = close(tag) else { return .unhandled }
            return read(refusal, of: kind, &context)
        case .performed(let outcome): return read(outcome, &context)
        case .connected: return resume(&context)
        case .lost:
            tags = [:]
            switch phase {
            case .submitting: phase = .unanswered
            case .checking: phase = .editing
            case .loading, .editing, .preview, .unanswered: break
            }
            return .stay
        case .hidden, .woken, .changed: return .unhandled
        }
    }

    private mutating func close(_ tag: BrowseRequest.Tag) -> RequestKind? {
        guard let kind = tags.first(where: { $0.value == tag })?.key else { return nil }
        tags[kind] = nil
        return kind
    }

    /// Goes on after the connection was lost: an operation without an answer is submitted again under its UUID.
    private mutating func resume(_ context: inout LayerContext) -> LayerOutcome {
        switch phase {
        case .loading: return load(&context)
        case .unanswered: return submit(&context)
        case .editing, .checking, .preview, .submitting: return .stay
        }
    }

    /// Fills the form with a record; asks for it first if not all of it is here.
    private mutating func fill(_ target: RecordTarget, _ description: CollectionDescription) {
        guard target.isWhole, let record = target.record else {
            phase = .loading
            return
        }
        entries.fill(record, description)
        phase = .editing
    }

    // MARK: - Keys

    private mutating func handle(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        // Somebody who goes on typing does not want to be interrupted.
        isPreviewDue = false
        switch phase {
        case .loading, .checking: return key == .escape ? .close : .stay
        case .submitting: return .stay
        case .unanswered:
            guard key == .escape else { return .stay }
            return .open(QuestionState(purpose: .leaveForm, text: context.messages.leaveUnansweredQuestion))
        case .preview: return handleInPreview(key, &context)
        case .editing: return handleInEditor(key, &context)
        }
    }

    private mutating func handleInPreview(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        if key == .control("s") || key == .enter || context.messages.isYes(key) { return submit(&context) }
        if let action = BrowseKeys.action(of: key, in: .detail), let line = context.scrolled(scroll, by: action) {
            scroll = line
            return .stay
        }
        guard key == .escape || key == .left || key == .character("n") || key == .character("q") else { return .stay }
        // Without entries the form consists of its preview.
        if entries.count == 0 { return .close }
        phase = .editing
        return .stay
    }

    private mutating func handleInEditor(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        switch key {
        case .escape:
            guard entries.isChanged else { return .close }
            return .open(QuestionState(purpose: .leaveForm, text: context.messages.leaveQuestion))
        case .control("s"): return preview(&context)
        case .tab: return move(to: focus + 1, &context)
        case .backTab: return move(to: focus - 1, &context)
        default: break
        }
        if entries.apply(key) { return .stay }
        switch key {
        case .down: return move(to: focus + 1, &context)
        case .up: return move(to: focus - 1, &context)
        case .pageDown: return move(to: entries.count - 1, &context)
        case .pageUp: return move(to: 0, &context)
        // Behind the last entry comes the preview.
        case .enter: return focus == entries.count - 1 ? preview(&context) : move(to: focus + 1, &context)
        default: return .stay
        }
    }

    /// Goes to another entry. The one that is left is checked: the file of a path is sent, any value goes to the daemon.
    private mutating func move(to index: Int, _ context: inout LayerContext) -> LayerOutcome {
        let outcome = entries.leaveField() ? check(&context) : sendFile(&context)
        entries.move(to: index)
        return outcome
    }

    // MARK: - Files

    /// Sends the file whose path was typed in the entry that has the focus.
    private mutating func sendFile(_ context: inout LayerContext) -> LayerOutcome {
        guard let path = entries.typedPath else { return .stay }
        guard context.isConnected else {
            entries.fail(context.messages.notConnected)
            return .stay
        }
        let number = context.requests.file()
        entries.send(number)
        return .commands(.upload(number, path: path, collection: collection))
    }

    /// Reads the progress or the outcome of an upload.
    private mutating func read(_ outcome: CommandOutcome, _ context: inout LayerContext) -> LayerOutcome {
        let number: SentFile.Number
        let state: FormFile.State
        switch outcome {
        case .uploading(let sending, let sent, let size):
            (number, state) = (sending, .sending(sending, sent: sent, size: size))
        case .uploaded(let sent, let file): (number, state) = (sent, .sent(file))
        case .notUploaded(let failed, let reason): (number, state) = (failed, .failed(reason))
        case .copied, .notCopied, .opened, .notOpened: return .unhandled
        }
        guard let index = entries.update(number, state) else { return .unhandled }
        guard isPreviewDue, !entries.isSending else { return .stay }
        isPreviewDue = false
        guard case .failed(let reason) = state else { return preview(&context) }
        entries.move(toFile: index)
        return .notice(Escaping.line("\(files[index].name): \(reason)"), .wrong)
    }

    // MARK: - Requests

    /// Asks for the record, or for the operation that is corrected.
    private mutating func load(_ context: inout LayerContext) -> LayerOutcome {
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
    private mutating func check(_ context: inout LayerContext) -> LayerOutcome {
        entries.showLocalProblems()
        guard purpose == .submit, context.isConnected, entries.isChanged,
            entries.form.firstMistake == nil
        else { return .stay }
        guard tags[.check] == nil else {
            isCheckDue = true
            return .stay
        }
        isCheckDue = false
        return ask(.submit, parameters(isDryRun: true, context), for: .check, &context)
    }

    /// Asks for the preview, if there is something to submit.
    private mutating func preview(_ context: inout LayerContext) -> LayerOutcome {
        var outcome = sendFile(&context)
        guard context.isConnected else { return .notice(context.messages.notConnected, .wrong) }
        entries.visitAll()
        if let index = entries.form.firstMistake {
            entries.move(to: index)
            outcome.add(check(&context))
            return outcome
        }
        if entries.isSending {
            isPreviewDue = true
            outcome.notice = Notice(kind: .news, text: context.messages.stillSending)
            return outcome
        }
        let isCorrection = purpose != .submit
        if entries.count > 0, id != nil || isCorrection, !entries.isChanged, action == "update" || isCorrection {
            outcome.notice = Notice(kind: .news, text: context.messages.nothingChanged)
            return outcome
        }
        problem = nil
        scroll = 0
        isCheckDue = false
        // The preview checks all that a check of one field would.
        if let tag = tags.removeValue(forKey: .check) { outcome.commands.append(.cancel(tag)) }
        // Other values of an operation are checked as it is tried again.
        guard !isCorrection else {
            outcome.add(submit(&context))
            return outcome
        }
        phase = .checking
        outcome.add(ask(.submit, parameters(isDryRun: true, context), for: .preview, &context))
        return outcome
    }

    private mutating func submit(_ context: inout LayerContext) -> LayerOutcome {
        guard context.isConnected else { return .notice(context.messages.notConnected, .wrong) }
        phase = .submitting
        problem = nil
        switch purpose {
        case .submit: return ask(.submit, parameters(isDryRun: false, context), for: .submit, &context)
        case .retry(let op):
            var parameters = OutboxParameters(.correct, about: [op])
            parameters.fields = FieldValues(entries.form.values(.changed))
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

    private func parameters(isDryRun: Bool, _ context: LayerContext) -> SubmitParameters {
        var parameters = SubmitParameters()
        parameters.collection = collection
        parameters.action = action
        parameters.id = id.map { RecordID($0) }
        let values = entries.form.values(id == nil ? .present : .changed)
        let (uploads, detached) = (entries.uploads, entries.detached)
        if !values.isEmpty { parameters.fields = FieldValues(values) }
        if !uploads.isEmpty { parameters.attach = NameList(uploads) }
        if !detached.isEmpty { parameters.detach = NameList(detached) }
        if id != nil, !fields.isEmpty { parameters.expect = FieldValues(entries.form.originals) }
        parameters.op = op
        parameters.isDryRun = isDryRun
        parameters.timeZone = context.person.zoneName
        parameters.language = context.messages.language
        return parameters
    }

    // MARK: - Answers

    private mutating func read(
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
            if case .retry = purpose {
                return LayerOutcome(
                    closes: 1, notice: context.messages.outcome(of: .correct, value), reloadsOutbox: true)
            }
            let record = value[SubmitResult.record]
            let name = context.title(of: record, in: collection)
            let id = value[SubmitResult.id] ?? id ?? ""
            var outcome = LayerOutcome.close
            outcome.notice = context.messages.submitted(
                value, title: name ?? Escaping.line(id), of: context.collection(collection))
            outcome.effects = [.changed(collection: collection, .written(id, isNew: self.id == nil))]
            outcome.reloadsOutbox = true
            return outcome
        }
    }

    private mutating func loaded(_ value: AnswerValue, _ context: inout LayerContext) -> LayerOutcome {
        if case .retry(let op) = purpose {
            guard let operation = value[OutboxResult.operations].first else {
                return LayerOutcome(closes: 1, notice: Notice(kind: .wrong, text: context.messages.isGone(op)))
            }
            let values = operation[OutboxResult.Operation.values]
            // An operation on a record is corrected in what it gives; a new record can get more.
            if action != "create" { entries.keep(only: values) }
            entries.fill(values: values)
            phase = .editing
            return .stay
        }
        guard let description = context.collection(collection) else { return .close }
        fill(
            RecordTarget(collection: collection, id: id ?? "", record: value[DetailResult.record], isWhole: true),
            description)
        if case .loading = phase {
            return LayerOutcome(closes: 1, notice: Notice(kind: .wrong, text: context.messages.isGone(id ?? "")))
        }
        return entries.count == 0 ? preview(&context) : .stay
    }

    private mutating func read(
        _ refusal: Refusal, of kind: RequestKind, _ context: inout LayerContext
    ) -> LayerOutcome {
        let message = context.messages.refused(refusal)
        if kind == .load { return LayerOutcome(closes: 1, notice: Notice(kind: .wrong, text: message)) }
        if kind != .check { phase = .editing }
        let served = refusal.data?["\(OperationErrorData.served)"]
        switch ErrorKind(rawValue: refusal.kind) {
        case .invalid: show(FieldProblemText.all(in: refusal.data), onlyVisited: kind == .check)
        case .conflict where served != nil:
            entries.adopt(served: served)
            problem = context.messages.changedMeanwhile
        default: problem = message
        }
        // A form that is nothing but a preview has no entry that could be mended.
        if entries.count == 0 { return LayerOutcome(closes: 1, notice: Notice(kind: .wrong, text: message)) }
        if kind != .check { entries.focusProblem() }
        return kind == .check && isCheckDue ? check(&context) : .stay
    }

    /// Puts each problem under its field or files, and others over the form.
    private mutating func show(_ problems: [FieldProblemText], onlyVisited: Bool) {
        let rest = entries.show(problems, onlyVisited: onlyVisited)
        problem = rest.isEmpty ? nil : rest.map(\.line).joined(separator: " · ")
    }
}
