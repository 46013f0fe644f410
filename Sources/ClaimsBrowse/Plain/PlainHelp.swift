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
    static let letters: [(action: BrowseAction, words: TranslatedText?)] = [
        (.search, TranslatedText(en: "TEXT", pl: "TEKST")), (.filter, TranslatedText(en: "FILTER", pl: "FILTR")),
        (.sort, TranslatedText(en: "FIELDS", pl: "POLA")), (.view, TranslatedText(en: "VIEW", pl: "WIDOK")),
        (.archived, nil),
        (.first, nil), (.last, nil), (.nextGroup, nil), (.previousGroup, nil), (.followingRecord, nil),
        (.precedingRecord, nil), (.archive, number), (.undo, nil), (.refresh, nil), (.refreshAll, nil), (.accept, nil),
        (.add, nil), (.edit, number), (.actions, number), (.openAddress, number), (.copyID, number),
        (.copyRecord, number), (.upstream, number), (.deal, nil), (.help, nil),
    ]
    private static let number = TranslatedText(en: "3", pl: "3")

    init(_ messages: Messages, roles: Set<String>, _ description: CollectionDescription) {
        self.messages = messages
        self.roles = roles
        self.description = description
    }

    /// The effect of an action in lines, where it is another than on a screen.
    private static let titles: [BrowseAction: TranslatedText] = [
        .search: TranslatedText(
            en: "search for words; / alone shows all again", pl: "szukaj słów; samo / pokazuje znów wszystko"),
        .filter: TranslatedText(en: "filter; f alone shows all again", pl: "filtruj; samo f pokazuje znów wszystko"),
        .sort: TranslatedText(
            en: "sort by fields or by the number of an order; s alone lists the orders",
            pl: "porządkuj według pól lub numeru porządku; samo s wymienia porządki"),
        .view: TranslatedText(
            en: "the view of that number or name; v alone lists them",
            pl: "widok o tym numerze lub nazwie; samo v wymienia je"),
        .first: TranslatedText(en: "the list as it is now, from its start", pl: "lista taka jak teraz, od początku"),
        .last: TranslatedText(en: "the end of the list", pl: "koniec listy"),
        .followingRecord: TranslatedText(
            en: "everything about the record after the open one", pl: "wszystko o rekordzie po otwartym"),
        .precedingRecord: TranslatedText(
            en: "everything about the record before the open one", pl: "wszystko o rekordzie przed otwartym"),
        .archive: TranslatedText(
            en: "archive record 3, or take it out; a 3 5 7 takes several",
            pl: "rekord 3 do archiwum lub z archiwum; a 3 5 7 bierze kilka"),
        .actions: TranslatedText(
            en: "what can be done with record or operation 3: actions, delete, share",
            pl: "co można zrobić z rekordem lub operacją 3: akcje, usuwanie, udostępnianie"),
        .openAddress: TranslatedText(
            en: "open the file or address of record 3; o 3 2 opens the second",
            pl: "otwórz plik lub adres rekordu 3; o 3 2 otwiera drugi"),
        .copyID: TranslatedText(en: "the id of record 3", pl: "identyfikator rekordu 3"),
        .copyRecord: TranslatedText(en: "record 3 as JSON", pl: "rekord 3 jako JSON"),
        .help: TranslatedText(en: "these lines", pl: "te wiersze"),
    ]

    var lines: [String] {
        var lines = [
            ("Enter", messages.text(en: "next page", pl: "następna strona")),
            ("b", messages.text(en: "page before", pl: "poprzednia strona")),
            ("3", messages.text(en: "everything about record 3", pl: "wszystko o rekordzie 3")),
            (
                messages.text(en: "c NAME", pl: "c NAZWA"),
                messages.text(
                    en: "the collection of that number or name, outbox, status; c alone lists them",
                    pl: "kolekcja o tym numerze lub nazwie, outbox, status; samo c wymienia je")
            ),
        ]
        for (action, words) in Self.letters {
            guard let binding = BrowseKeys.binding(of: action), let key = binding.keys.first else { continue }
            let blank = action == .search ? "" : " "
            lines.append((key.name + (words.map { blank + messages.text($0) } ?? ""), title(of: binding)))
        }
        lines.append(("q", messages.text(en: "quit", pl: "zakończ")))
        return lines.map { "\($0): \($1)" }
    }

    /// The effect of the key, in parentheses where it is refused.
    private func title(of binding: KeyBinding) -> String {
        let title = messages.text(Self.titles[binding.action] ?? binding.title)
        guard let obstacle = messages.obstacle(to: binding.action, in: description, roles: roles) else { return title }
        return "(\(title)) \(obstacle)"
    }
}
