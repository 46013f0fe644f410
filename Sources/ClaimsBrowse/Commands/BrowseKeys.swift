// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsProtocol

/// The keys of `claimsctl browse`: one table, from which the model, the help, the bottom line, the manual page and the
/// letters of `--plain` are made.
///
/// A new key has one line here, and the model performs its action.
public enum BrowseKeys {
    /// All bindings, in the order of the help.
    public static let bindings: [KeyBinding] = moving + selecting + changing + asking + showing

    /// The binding of the key in that area; nil if it does nothing there.
    public static func binding(of key: Key, in area: BrowseArea) -> KeyBinding? {
        bindings.first { $0.areas.contains(area) && $0.keys.contains(key) }
    }

    /// The action of the key in that area; nil if it does nothing there.
    public static func action(of key: Key, in area: BrowseArea) -> BrowseAction? {
        binding(of: key, in: area)?.action
    }

    /// The binding that does the action; every action has one.
    public static func binding(of action: BrowseAction) -> KeyBinding? {
        bindings.first { $0.action == action }
    }

    /// The bindings of an area, in the order of the help.
    public static func bindings(in area: BrowseArea) -> [KeyBinding] {
        bindings.filter { $0.areas.contains(area) }
    }

    /// The bindings that the bottom line of an area names, the most wanted first: those with a short title. The last
    /// ones, from `back` on, are always named where they do something.
    public static func bottomLine(in area: BrowseArea) -> [KeyBinding] {
        let order: [BrowseAction] = [
            .open, .search, .filter, .followingRecord, .add, .deal, .view, .archived, .actions, .archive, .sort,
            .refresh, .edit, .copyID, .back, .leave, .help,
        ]
        return order.compactMap { action in
            bindings.first { $0.action == action && $0.shortTitle != nil && $0.areas.contains(area) }
        }
    }

    /// The number of the tab that a digit names, from 1; nil for another key.
    public static func tabNumber(of key: Key) -> Int? {
        guard case .character(let scalar) = key, ("1"..."9").contains(scalar) else { return nil }
        return Int(scalar.value - 48)
    }

    private static let everywhere = Set(BrowseArea.allCases)
    private static let records: Set<BrowseArea> = [.list, .detail]

    private static let moving = [
        KeyBinding(
            .nextRecord, keys: [.down, "j"], areas: everywhere,
            title: TranslatedText(en: "next record or line", pl: "następny rekord lub wiersz")),
        KeyBinding(
            .previousRecord, keys: [.up, "k"], areas: everywhere,
            title: TranslatedText(en: "previous record or line", pl: "poprzedni rekord lub wiersz")),
        KeyBinding(
            .nextPage, keys: [.pageDown, .control("f")], areas: everywhere,
            title: TranslatedText(en: "next page", pl: "następna strona")),
        KeyBinding(
            .previousPage, keys: [.pageUp, .control("b")], areas: everywhere,
            title: TranslatedText(en: "previous page", pl: "poprzednia strona")),
        KeyBinding(
            .first, keys: ["g", .home], areas: everywhere,
            title: TranslatedText(en: "show what is new; then the first", pl: "pokaż nowe; potem początek")),
        KeyBinding(.last, keys: ["G", .end], areas: everywhere, title: TranslatedText(en: "last", pl: "koniec")),
        KeyBinding(
            .previousGroup, keys: ["["], areas: [.list],
            title: TranslatedText(en: "previous group", pl: "poprzednia grupa")),
        KeyBinding(
            .nextGroup, keys: ["]"], areas: [.list], title: TranslatedText(en: "next group", pl: "następna grupa")),
        KeyBinding(
            .nextTab, keys: [.tab], areas: everywhere, title: TranslatedText(en: "next tab", pl: "następna karta")),
        KeyBinding(
            .previousTab, keys: [.backTab], areas: everywhere,
            title: TranslatedText(en: "previous tab", pl: "poprzednia karta")),
        KeyBinding(
            .chooseTab, keys: (UInt8(ascii: "1")...UInt8(ascii: "9")).map { .character(Unicode.Scalar($0)) },
            areas: everywhere, title: TranslatedText(en: "the tab of that number", pl: "karta o tym numerze")),
    ]

    private static let selecting = [
        KeyBinding(
            .open, keys: [.enter, .right, "l"], areas: [.list, .outbox, .status],
            title: TranslatedText(en: "everything about it", pl: "wszystko o nim"),
            shortTitle: TranslatedText(en: "details", pl: "szczegóły")),
        KeyBinding(
            .back, keys: [.escape, .left, "h"], areas: everywhere,
            title: TranslatedText(
                en: "back; takes back a search, a filter, a view", pl: "wstecz; cofa szukanie, filtr, widok"),
            shortTitle: TranslatedText(en: "back", pl: "wstecz")),
        KeyBinding(
            .leave, keys: ["q"], areas: everywhere,
            title: TranslatedText(en: "back; at last, quit", pl: "wstecz; na końcu: zakończ"),
            shortTitle: TranslatedText(en: "quit", pl: "koniec")),
        KeyBinding(
            .search, keys: ["/"], areas: [.list],
            title: TranslatedText(en: "search as you type", pl: "szukaj w trakcie pisania"),
            shortTitle: TranslatedText(en: "search", pl: "szukaj")),
        KeyBinding(
            .filter, keys: ["f"], areas: [.list],
            title: TranslatedText(en: "filter (Tab completes)", pl: "filtr (Tab uzupełnia)"),
            shortTitle: TranslatedText(en: "filter", pl: "filtr")),
        KeyBinding(
            .view, keys: ["v"], areas: [.list], title: TranslatedText(en: "choose a view", pl: "wybierz widok"),
            shortTitle: TranslatedText(en: "view", pl: "widok")),
        KeyBinding(
            .sort, keys: ["s"], areas: [.list], title: TranslatedText(en: "choose an order", pl: "wybierz porządek"),
            shortTitle: TranslatedText(en: "sort", pl: "porządek")),
        KeyBinding(
            .archived, keys: ["t"], areas: [.list],
            title: TranslatedText(
                en: "archived records: hidden, shown, only these", pl: "rekordy z archiwum: ukryte, pokazane, tylko one"
            ), shortTitle: TranslatedText(en: "archived", pl: "z archiwum")),
    ]

    private static let changing = [
        KeyBinding(
            .archive, keys: ["a"], areas: records, need: .archiving,
            title: TranslatedText(en: "archive or unarchive", pl: "do archiwum lub z archiwum"),
            shortTitle: TranslatedText(en: "archive", pl: "archiwum")),
        KeyBinding(
            .undo, keys: ["u"], areas: records, need: .archiving,
            title: TranslatedText(en: "undo the last archiving", pl: "cofnij ostatnią archiwizację")),
        KeyBinding(
            .add, keys: ["n"], areas: records, need: .writing,
            title: TranslatedText(en: "new record", pl: "nowy rekord"),
            shortTitle: TranslatedText(en: "new", pl: "nowy")),
        KeyBinding(
            .edit, keys: ["e"], areas: records, need: .writing,
            title: TranslatedText(en: "edit the record", pl: "zmień rekord")),
        KeyBinding(
            .actions, keys: ["x"], areas: [.list, .detail, .outbox],
            title: TranslatedText(en: "actions, delete, outbox", pl: "akcje, usuwanie, wysyłanie"),
            shortTitle: TranslatedText(en: "actions", pl: "akcje")),
    ]

    private static let asking = [
        KeyBinding(
            .refresh, keys: ["r"], areas: everywhere, need: .source,
            title: TranslatedText(en: "refresh", pl: "odśwież"),
            shortTitle: TranslatedText(en: "refresh", pl: "odśwież")),
        KeyBinding(
            .refreshAll, keys: ["R"], areas: everywhere, need: .source,
            title: TranslatedText(en: "refresh all collections", pl: "odśwież wszystkie kolekcje")),
        KeyBinding(
            .accept, keys: ["A"], areas: [.list, .detail, .status], need: .role(.admin),
            title: TranslatedText(en: "accept what is held (asks)", pl: "przyjmij wstrzymane dane (pyta)")),
    ]

    private static let showing = [
        KeyBinding(
            .copyID, keys: ["y"], areas: [.list, .detail, .outbox],
            title: TranslatedText(en: "copy the id", pl: "kopiuj identyfikator")),
        KeyBinding(
            .copyRecord, keys: ["Y"], areas: [.list, .detail, .outbox],
            title: TranslatedText(en: "copy the record as JSON", pl: "kopiuj rekord jako JSON")),
        KeyBinding(
            .openAddress, keys: ["o"], areas: records,
            title: TranslatedText(en: "open an address or attachment", pl: "otwórz adres lub załącznik")),
        KeyBinding(
            .followingRecord, keys: ["J"], areas: [.detail],
            title: TranslatedText(en: "next record", pl: "następny rekord"),
            shortTitle: TranslatedText(en: "next", pl: "następny")),
        KeyBinding(
            .precedingRecord, keys: ["K"], areas: [.detail],
            title: TranslatedText(en: "previous record", pl: "poprzedni rekord")),
        KeyBinding(
            .upstream, keys: ["U"], areas: [.detail],
            title: TranslatedText(en: "the object as the upstream sent it", pl: "obiekt w postaci z serwera źródłowego")
        ),
        KeyBinding(
            .deal, keys: ["D"], areas: [.list], need: .deals, title: TranslatedText(en: "deal", pl: "oferta"),
            shortTitle: TranslatedText(en: "deal", pl: "oferta")),
        KeyBinding(
            .help, keys: ["?"], areas: everywhere, title: TranslatedText(en: "these keys", pl: "te klawisze"),
            shortTitle: TranslatedText(en: "help", pl: "pomoc")),
        KeyBinding(
            .mouse, keys: ["m"], areas: everywhere,
            title: TranslatedText(en: "mouse on or off", pl: "mysz włączona lub wyłączona")),
        KeyBinding(
            .redraw, keys: [.control("l")], areas: everywhere,
            title: TranslatedText(en: "draw the screen anew", pl: "narysuj ekran od nowa")),
        KeyBinding(
            .quit, keys: [.control("c")], areas: everywhere,
            title: TranslatedText(en: "quit at once", pl: "zakończ od razu")),
    ]
}

extension Key: ExpressibleByUnicodeScalarLiteral {
    /// A character is written as its literal in the table.
    public init(unicodeScalarLiteral scalar: Unicode.Scalar) {
        self = .character(scalar)
    }
}

/// An action with its keys, the areas in which they count, and its texts.
public struct KeyBinding: Sendable {
    /// The action that the keys do.
    public let action: BrowseAction
    /// The keys, the one that help and bottom line name first.
    public let keys: [Key]
    /// The areas in which the keys do it.
    public let areas: Set<BrowseArea>
    /// The permission or setting without which it is refused.
    public let need: KeyNeed
    /// The action in a few words, as the help shows it.
    public let title: TranslatedText
    /// The action in one word, as the bottom line shows it; nil if that line does not name it.
    public let shortTitle: TranslatedText?

    init(
        _ action: BrowseAction, keys: [Key], areas: Set<BrowseArea>, need: KeyNeed = .nothing, title: TranslatedText,
        shortTitle: TranslatedText? = nil
    ) {
        self.action = action
        self.keys = keys
        self.areas = areas
        self.need = need
        self.title = title
        self.shortTitle = shortTitle
    }

    /// The names of the keys, such as `↓ j`.
    public var keyNames: String { keys.map(\.name).joined(separator: " ") }
}

/// The needs of an action beside the permission to read.
public enum KeyNeed: Sendable, Hashable {
    case nothing
    /// A role, which the configuration grants: `roles.archive` and so on.
    case role(Role)
    /// The key `archive` of the definition, and the role archive.
    case archiving
    /// Rules for writing in the definition of the collection, and the role that these name.
    case writing
    /// A source from which records can be fetched.
    case source
    /// The key `deal` of the definition.
    case deals

    /// The need as help and refusals name it; nil if there is none.
    public var text: TranslatedText? {
        switch self {
        case .nothing: nil
        case .role(let role):
            TranslatedText(en: "needs the role \(role.rawValue)", pl: "wymaga roli \(role.rawValue)")
        case .archiving:
            TranslatedText(
                en: "needs 'archive' in the definition, and the role archive",
                pl: "wymaga „archive” w definicji i roli archive")
        case .writing:
            TranslatedText(
                en: "needs 'writes' in the definition, and the role write",
                pl: "wymaga „writes” w definicji i roli write")
        case .source: TranslatedText(en: "needs an upstream", pl: "wymaga serwera źródłowego")
        case .deals: TranslatedText(en: "needs 'deal' in the definition", pl: "wymaga „deal” w definicji")
        }
    }
}

extension Key {
    /// The name of the key for people, such as `j`, `^F`, `PgDn` or `↓`. It is the same in every language.
    public var name: String {
        switch self {
        case .character(let scalar): scalar == " " ? "Space" : String(Character(scalar))
        case .control(let scalar): "^\(String(Character(scalar)).uppercased())"
        case .enter: "Enter"
        case .tab: "Tab"
        case .backTab: "⇧Tab"
        case .escape: "Esc"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .insert: "Ins"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .function(let number): "F\(number)"
        }
    }
}
