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
