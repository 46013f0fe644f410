// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// A form of an action: its fields in the order of the definition, then its files.
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

    let purpose: Purpose
    let collection: String
    /// The action of submit: `create`, `update` or a name of the definition.
    let action: String
    /// The id of the record; nil where a record is made.
    let id: String?
    /// The heading: `New document`.
    let title: String
    /// The UUID of the operation, the same for each attempt.
    let op: String
    var fields: [FormField]
    var files: [FormFile] = []
    /// The rules for files; nil where none can be attached.
    let fileLimits: FileLimits?
    /// Whether files can be taken from the record.
    let canDetach: Bool
    /// The entry that keys go to: a field, then a file.
    var focus = 0
    var phase = Phase.editing
    /// A problem of the whole form, such as a record that is gone.
    var problem: String?
    /// The first line of the preview that is shown.
    var scroll = 0
    /// The requests under way, by what they are for.
    var tags: [RequestKind: BrowseRequest.Tag] = [:]
    /// Whether something was typed while a check was under way.
    var isCheckDue = false

    /// The reason of a request of a form.
    enum RequestKind: Hashable, Sendable {
        case load, check, preview, submit
    }

    /// A form of an action.
    ///
    /// - Parameter target: the record; nil where one is made.
    init(
        _ offered: OfferedAction, of collection: CollectionDescription, on target: RecordTarget?,
        _ context: inout LayerContext
    ) {
        self.init(
            offered, of: collection, id: target?.id, .submit,
            title: context.messages.formTitle(
                offered, of: collection, record: target.map { context.title(of: $0.id, in: collection.name) }),
            &context)
        if let target { fill(target, collection) } else { addEmptyFile() }
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
        fields = offered.fields.map { FormField($0, of: collection, context) }
        fileLimits = purpose == .submit ? offered.files : nil
        canDetach = collection.writes?.isUpstream == false
    }

    /// Whether the preview comes as soon as all files are sent.
    var isPreviewDue = false

    /// The number of entries: fields, then files.
    var entryCount: Int { fields.count + files.count }

    /// Whether something was typed or chosen that leaving would lose.
    var isChanged: Bool {
        fields.contains(where: \.isChanged)
            || files.contains { file in
                if case .kept = file.state { false } else { !file.isEmpty }
            }
    }

    mutating func take(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .opened:
            if case .loading = phase { return load(&context) }
            // An action without entries has only its preview.
            return entryCount == 0 ? preview(&context) : .stay
        case .key(let key): return take(key, &context)
        case .paste(let text): return paste(text)
        case .wheel(let step):
            if case .preview = phase { scroll = context.scrolled(scroll, by: step * LayerContext.wheelLines) }
            return .stay
        case .answered(let tag, let value):
            guard let kind = takeTag(tag) else { return .unhandled }
            return take(value, of: kind, &context)
        case .refused(let tag, let refusal):
            guard let kind = takeTag(tag) else { return .unhandled }
            return take(refusal, of: kind, &context)
        case .performed(let outcome): return take(outcome, &context)
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

    private mutating func takeTag(_ tag: BrowseRequest.Tag) -> RequestKind? {
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

    // MARK: - Values of the record

    /// Fills the form with a record; asks for it first where not all of it is here.
    mutating func fill(_ target: RecordTarget, _ description: CollectionDescription) {
        guard target.isWhole, let record = target.record else {
            phase = .loading
            return
        }
        for index in fields.indices {
            fields[index].fill(Self.value(of: record[fields[index].name]))
        }
        if fileLimits != nil {
            let known = RecordFiles(record, description)
            files = known.files.map { file in
                FormFile(line: EditedLine(file.name), state: .kept(reference: known.reference(to: file)))
            }
            addEmptyFile()
        }
        phase = .editing
    }

    /// Fills the form with the values of an operation.
    mutating func fill(operation: AnswerValue) {
        let values = operation[OutboxResult.Operation.values]
        // An operation on a record is corrected in what it gives; a new record can get more.
        let given = fields.filter { field in values?.members.contains { $0.name == field.name } ?? false }
        if action != "create", !given.isEmpty { fields = given }
        for index in fields.indices { fields[index].fill(Self.value(of: values?[fields[index].name])) }
        phase = .editing
    }

    static func value(of value: AnswerValue?) -> JSONValue {
        value.flatMap { try? JSONValue.parse($0.source) } ?? .null
    }

    /// Adds an entry for one more file, where the rules have room for it.
    mutating func addEmptyFile() {
        guard let fileLimits, files.last?.isEmpty != true, Int64(files.count) < fileLimits.max else { return }
        files.append(.empty)
    }
}

// The keys of a form.

extension FormState {
    mutating func take(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        // Somebody who goes on typing does not want to be interrupted.
        isPreviewDue = false
        switch phase {
        case .loading, .checking: return key == .escape ? .close : .stay
        case .submitting: return .stay
        case .unanswered:
            guard key == .escape else { return .stay }
            return .open(QuestionState(purpose: .leaveForm, text: context.messages.leaveUnansweredQuestion))
        case .preview: return takeInPreview(key, &context)
        case .editing: return takeInEditor(key, &context)
        }
    }

    private mutating func takeInPreview(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        if key == .control("s") || key == .enter || context.messages.isYes(key) { return submit(&context) }
        if let action = BrowseKeys.action(of: key, in: .detail), let line = context.scrolled(scroll, by: action) {
            scroll = line
            return .stay
        }
        guard key == .escape || key == .left || key == .character("n") || key == .character("q") else { return .stay }
        // Without entries the form consists of its preview.
        if entryCount == 0 { return .close }
        phase = .editing
        return .stay
    }

    private mutating func takeInEditor(_ key: Key, _ context: inout LayerContext) -> LayerOutcome {
        switch key {
        case .escape:
            guard isChanged else { return .close }
            return .open(QuestionState(purpose: .leaveForm, text: context.messages.leaveQuestion))
        case .control("s"): return preview(&context)
        case .tab: return move(to: focus + 1, &context)
        case .backTab: return move(to: focus - 1, &context)
        default: break
        }
        if takeInEntry(key) { return .stay }
        switch key {
        case .down: return move(to: focus + 1, &context)
        case .up: return move(to: focus - 1, &context)
        case .pageDown: return move(to: entryCount - 1, &context)
        case .pageUp: return move(to: 0, &context)
        // Behind the last entry comes the preview.
        case .enter: return focus == entryCount - 1 ? preview(&context) : move(to: focus + 1, &context)
        default: return .stay
        }
    }

    private mutating func takeInEntry(_ key: Key) -> Bool {
        if fields.indices.contains(focus) { return fields[focus].take(key) }
        let index = focus - fields.count
        guard files.indices.contains(index) else { return false }
        return files[index].take(key, canDetach: canDetach)
    }

    mutating func paste(_ text: String) -> LayerOutcome {
        guard case .editing = phase else { return .stay }
        if fields.indices.contains(focus) {
            fields[focus].paste(text)
        } else if files.indices.contains(focus - fields.count) {
            files[focus - fields.count].paste(text)
        }
        return .stay
    }

    /// Goes to another entry; the one that is left is checked, or its file sent.
    private mutating func move(to index: Int, _ context: inout LayerContext) -> LayerOutcome {
        let outcome = leave(&context)
        focus = max(0, min(index, entryCount - 1))
        return outcome
    }

    /// Checks the entry that is left: the file of a path is sent, any value is checked by the daemon.
    mutating func leave(_ context: inout LayerContext) -> LayerOutcome {
        guard fields.indices.contains(focus) else { return sendFile(at: focus - fields.count, &context) }
        fields[focus].isVisited = true
        return check(&context)
    }
}

// The files of a form: each is sent as soon as its path is left, and submit then names it.

extension FormState {
    /// Sends the file whose path was typed there.
    mutating func sendFile(at index: Int, _ context: inout LayerContext) -> LayerOutcome {
        guard files.indices.contains(index) else { return .stay }
        switch files[index].state {
        case .typed where !files[index].path.isEmpty: break
        case .typed, .failed, .kept, .detached, .sending, .sent: return .stay
        }
        guard context.isConnected else {
            files[index].state = .failed(context.messages.notConnected)
            return .stay
        }
        let number = context.requests.file()
        let path = files[index].path
        files[index].state = .sending(number, sent: 0, size: 0)
        addEmptyFile()
        return .commands(.upload(number, path: path, collection: collection))
    }

    /// Takes the progress or the outcome of an upload.
    mutating func take(_ outcome: CommandOutcome, _ context: inout LayerContext) -> LayerOutcome {
        let number: SentFile.Number
        let state: FormFile.State
        switch outcome {
        case .uploading(let sending, let sent, let size):
            (number, state) = (sending, .sending(sending, sent: sent, size: size))
        case .uploaded(let sent, let file): (number, state) = (sent, .sent(file))
        case .notUploaded(let failed, let reason): (number, state) = (failed, .failed(reason))
        case .copied, .notCopied, .opened, .notOpened: return .unhandled
        }
        let index = files.firstIndex { file in
            if case .sending(number, _, _) = file.state { true } else { false }
        }
        guard let index else { return .unhandled }
        files[index].state = state
        guard isPreviewDue, !isSending else { return .stay }
        isPreviewDue = false
        guard case .failed(let reason) = state else { return preview(&context) }
        focus = fields.count + index
        return .notice(Escaping.line("\(files[index].name): \(reason)"), .wrong)
    }

    /// Whether a file is still on its way to the daemon.
    var isSending: Bool {
        files.contains { file in
            if case .sending = file.state { true } else { false }
        }
    }

    /// The uploads that submit attaches.
    var uploads: [String] {
        files.compactMap { file in
            if case .sent(let sent) = file.state { sent.upload } else { nil }
        }
    }

    /// The files that the record loses, as `submit` takes them.
    var detached: [String] {
        files.compactMap { file in
            if case .detached(let reference) = file.state { reference } else { nil }
        }
    }
}
