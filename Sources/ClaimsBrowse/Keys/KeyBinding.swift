// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsProtocol

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
    public let title: ErrorText
    /// The action in one word, as the bottom line shows it; nil where that line does not name it.
    public let shortTitle: ErrorText?

    init(
        _ action: BrowseAction, keys: [Key], areas: Set<BrowseArea>, need: KeyNeed = .nothing, title: ErrorText,
        shortTitle: ErrorText? = nil
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

    /// The need as help and refusals name it; nil where there is none.
    public var text: ErrorText? {
        switch self {
        case .nothing: nil
        case .role(let role):
            ErrorText(en: "needs the role \(role.rawValue)", pl: "wymaga roli \(role.rawValue)")
        case .archiving:
            ErrorText(
                en: "needs 'archive' in the definition, and the role archive",
                pl: "wymaga „archive” w definicji i roli archive")
        case .writing:
            ErrorText(
                en: "needs 'writes' in the definition, and the role write",
                pl: "wymaga „writes” w definicji i roli write")
        case .source: ErrorText(en: "needs an upstream", pl: "wymaga serwera źródłowego")
        case .deals: ErrorText(en: "needs 'deal' in the definition", pl: "wymaga „deal” w definicji")
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
