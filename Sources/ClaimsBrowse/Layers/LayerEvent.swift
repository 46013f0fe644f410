// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// Something that happens to a layer, or to the tabs of outbox and status.
enum LayerEvent: Sendable {
    /// The layer is on top now, or its tab is shown: it requests its data.
    case opened
    /// Another tab is shown.
    case hidden
    case key(Key)
    case paste(String)
    /// A step of the wheel: -1 up, 1 down.
    case wheel(Int)
    /// The result of a request, which may be another layer's.
    case answered(BrowseRequest.Tag, AnswerValue)
    case refused(BrowseRequest.Tag, Refusal)
    /// A command that is no request is done.
    case performed(CommandOutcome)
    /// A connection stands; what was under way is lost.
    case connected
    case lost
    /// The time of `wakeAt` has come.
    case woken
    /// A feed reports that a record has changed.
    case changed(collection: String, id: String)
}

/// All that a layer reads for a decision, and the source of its requests.
struct LayerContext: Sendable {
    let collections: [CollectionDescription]
    /// The roles that the daemon grants.
    let roles: Set<String>
    let person: BrowsePerson
    let moment: BrowseMoment
    let isConnected: Bool
    /// The lists, for the titles of their records.
    let lists: BrowseLists
    /// The lines that a page moves by.
    let pageLines: Int
    /// The maximum first line of the uppermost layer, so that nothing scrolls past its end.
    let maxScroll: Int
    /// The line of each collection in the tab of the status; empty if another tab is shown.
    var collectionLines: [Int] = []
    /// Whether the detail stands beside its list.
    var isSplit = false
    var requests: RequestSource

    var messages: Messages { Messages(person.language) }

    func collection(_ name: String) -> CollectionDescription? { collections.first { $0.name == name } }

    /// A record's text for people: its bold field as a list shows it, else its id.
    func title(of id: String, in collection: String) -> String {
        let row = lists[collection]?.rows.first { $0.id == id }
        return title(of: row?.record, in: collection) ?? Escaping.line(id)
    }

    /// The bold field of a record, on one line and not too long for a question; nil if it has none.
    func title(of record: AnswerValue?, in collection: String) -> String? {
        record.flatMap { self.collection(collection)?.shortTitle(of: $0) }
    }
}

extension LayerContext {
    /// The lines that a step of the wheel moves by.
    static let wheelLines = 3

    /// A first line after a move by so many lines.
    func scrolled(_ line: Int, by step: Int) -> Int {
        max(0, min(min(line, maxScroll) + step, maxScroll))
    }

    /// A first line after an action that moves; nil for any other action.
    func scrolled(_ line: Int, by action: BrowseAction) -> Int? {
        switch action {
        case .nextRecord: scrolled(line, by: 1)
        case .previousRecord: scrolled(line, by: -1)
        case .nextPage: scrolled(line, by: pageLines)
        case .previousPage: scrolled(line, by: -pageLines)
        case .first: 0
        case .last: maxScroll
        default: nil
        }
    }
}

extension CollectionDescription {
    /// The maximum length of a record's title in notices and questions.
    static let maxTitleCharacters = 60

    /// The bold field of a record, on one line and not too long for a question; nil if it has none.
    func shortTitle(of record: AnswerValue) -> String? {
        let field = fields.first { $0.isEmphasized && record[utf8: $0.key] != nil }
        guard let text = field.flatMap({ record[utf8: $0.key]?.text }) else { return nil }
        let title = text.prefix(Self.maxTitleCharacters)
        return Escaping.line(String(title)) + (title.endIndex < text.endIndex ? "…" : "")
    }
}

/// The record that an action is about: the selected one, or that of the detail.
struct RecordTarget: Sendable {
    let collection: String
    let id: String
    /// The record as far as it is here; nil if nothing has come yet.
    var record: AnswerValue?
    /// Whether `record` has all fields, not only the listed ones.
    var isWhole = false

    /// Whether the record is archived.
    var isArchived: Bool { record?["archived"]?.bool ?? false }
}
