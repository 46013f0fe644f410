// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

/// A request about records that no layer waits for. `RecordTasks` sends it and makes a notice of its outcome.
enum RecordTask: Sendable {
    case archive(ArchiveStep)
    /// Takes an archiving or unarchiving back.
    case undo(ArchiveStep)
    /// Submits an operation that has a UUID.
    case submit(SubmitParameters, title: String)
    case outbox(OutboxParameters)
    case deal(collection: String)
    /// Copies the whole record as JSON, which is asked for first.
    case copy(RecordTarget)
    /// Opens a file or an address of the record, which is asked for first.
    case open(RecordTarget)

    /// Whether the task changes something, so that it is repeated where its answer was lost. Each of these does nothing
    /// the second time.
    var isChange: Bool {
        switch self {
        case .archive, .undo, .submit: true
        // The state of an operation may have changed since; a person looks at it before the verb is said again.
        case .outbox, .deal, .copy, .open: false
        }
    }
}

/// Records that were archived or unarchived together.
struct ArchiveStep: Equatable, Sendable {
    let collection: String
    var ids: [String]
    /// Whether they were archived; unarchived otherwise.
    let isArchive: Bool

    /// The step that takes this one back.
    var inverse: ArchiveStep { ArchiveStep(collection: collection, ids: ids, isArchive: !isArchive) }
}

extension OutboxParameters {
    /// Asks for an operation with its values.
    static func get(_ op: String) -> OutboxParameters {
        var parameters = OutboxParameters()
        parameters.action = .get
        parameters.ops = NameList([op])
        return parameters
    }
}
