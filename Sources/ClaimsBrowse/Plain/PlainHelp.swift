// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The lines that explain what can be typed: from the keys, and those of this form; pure.
struct PlainHelp {
    private let messages: Messages
    private let roles: Set<String>
    private let description: CollectionDescription

    /// The actions whose letters work in lines, with what is written behind them.
    static let letters: [(action: BrowseAction, words: String)] = [
        (.search, "TEXT"), (.filter, "EXPR"), (.sort, "KEYS"), (.view, "VIEW"), (.archived, ""), (.first, ""),
        (.last, ""), (.nextGroup, ""), (.previousGroup, ""), (.followingRecord, ""), (.precedingRecord, ""),
        (.archive, "3"), (.undo, ""), (.refresh, ""), (.refreshAll, ""), (.accept, ""), (.add, ""), (.edit, "3"),
        (.actions, "3"), (.openAddress, "3"), (.copyID, "3"), (.copyRecord, "3"), (.upstream, "3"), (.deal, ""),
        (.help, ""),
    ]

    init(_ messages: Messages, roles: Set<String>, _ description: CollectionDescription) {
        self.messages = messages
        self.roles = roles
        self.description = description
    }

    var lines: [String] {
        var lines = [
            ("Enter", messages.text(en: "next page", pl: "następna strona")),
            ("b", messages.text(en: "page before", pl: "poprzednia strona")),
            ("3", messages.text(en: "everything about record 3", pl: "wszystko o rekordzie 3")),
            ("c NAME", messages.text(en: "another collection, outbox, status", pl: "inna kolekcja, outbox, status")),
        ]
        for (action, words) in Self.letters {
            guard let binding = BrowseKeys.binding(of: action), let key = binding.keys.first else { continue }
            let isJoined = action == .search
            lines.append((key.name + (words.isEmpty ? "" : (isJoined ? "" : " ") + words), title(of: binding)))
        }
        lines.append(("q", messages.text(en: "quit", pl: "koniec")))
        return lines.map { "\($0): \($1)" }
    }

    /// The effect of the key, in parentheses where it is refused.
    private func title(of binding: KeyBinding) -> String {
        let title = messages.text(binding.title)
        guard let obstacle = messages.obstacle(to: binding.action, in: description, roles: roles) else { return title }
        return "(\(title)) \(obstacle)"
    }
}
