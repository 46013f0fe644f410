// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

// The states of the layers, as far as others read them. Each moves into a file of its own when it grows.

/// A record with all its fields.
struct DetailState: Sendable {
    let collection: String
    let id: String
    /// The answer of detail; nil until it comes.
    var answer: AnswerValue?
    /// The versions of history, newest first; nil until they come.
    var history: AnswerValue?
    /// The reason why there is no answer.
    var refusal: Refusal?
    /// Whether the upstream's own object is shown in place of the fields.
    var showsUpstream = false
    /// The first line that is shown.
    var scroll = 0
}

struct HelpState: Sendable {
    var scroll = 0
}

/// A choice among entries.
struct SheetState: Sendable {
    enum Purpose: Sendable {
        case view, order, actions
    }

    struct Entry: Sendable {
        /// The name in a request; nil for none, such as no view.
        var name: String?
        var title: String
        /// The reason why it cannot be chosen; nil where it can.
        var obstacle: String?
    }

    let purpose: Purpose
    var title: String
    var entries: [Entry]
    var selected = 0
}

/// A line of input.
struct InputState: Sendable {
    enum Purpose: Sendable {
        case search, filter
    }

    let purpose: Purpose
    var line: EditedLine
    /// A mistake in the filter: the message and the bytes it is about.
    var problem: InputProblem?
    /// Completions of the word before the cursor, while they are shown.
    var completions: [String] = []
}

/// A mistake in a line of input.
struct InputProblem: Equatable, Sendable {
    var message: String
    var hint: String?
    /// The bytes of the line that are wrong; nil where it is the whole.
    var range: Range<Int>?
}

/// A text with a cursor.
struct EditedLine: Equatable, Sendable {
    var text = ""
    /// The position of the cursor in characters, from 0 to the number of characters.
    var cursor = 0
}

/// A question that y answers; any other key is no.
struct QuestionState: Sendable {
    enum Purpose: Sendable {
        case acceptHeld, delete, leaveForm, outboxVerb
    }

    let purpose: Purpose
    /// The question without the `y/N` behind it.
    var text: String
}

/// A form of an action.
struct FormState: Sendable {
    let collection: String
    let action: String
    /// The id of the record; nil where a record is made.
    var id: String?
}

/// A deal.
struct DealState: Sendable {
    let message: String
    let record: AnswerValue
    /// The step of the movement.
    var step = 0
}

/// The tab of operations that are not settled.
struct OutboxState: Sendable {
    /// The operations of the newest answer.
    var operations: [AnswerValue] = []
    var selected: Int?
    var top = 0
    var refusal: Refusal?
}

/// The tab of the daemon's and the collections' state.
struct HealthState: Sendable {
    /// The newest answer of refreshes, from which the plots are made.
    var refreshes: AnswerValue?
    var scroll = 0
}
