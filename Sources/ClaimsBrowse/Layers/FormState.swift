// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsScreen
import ClaimsTerminal

/// A form of an action: its fields in the order of the definition, then its files.
struct FormState: LayerMachine {
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
    var files: [FormFile]
    /// The entry that keys go to: a field, then a file.
    var focus = 0
    var phase: Phase
    /// A problem of the whole form, such as a daemon that refuses it.
    var problem: String?

    /// A form of an action.
    ///
    /// - Parameter target: the record; nil where one is made.
    init(
        _ offered: OfferedAction, of collection: CollectionDescription, on target: RecordTarget?,
        _ context: inout LayerContext
    ) {
        self.collection = collection.name
        action = offered.name
        id = target?.id
        op = context.requests.operation(at: context.moment)
        title = context.messages.formTitle(
            offered, of: collection, record: target.map { context.title(of: $0.id, in: collection.name) })
        fields = offered.fields.map { FormField($0, of: collection, context.messages) }
        files = []
        phase = target == nil ? .editing : .loading
    }

    mutating func take(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        guard case .key(.escape) = event else { return .stay }
        return .close
    }
}
