// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// Reasons why an action is not possible: the role, or the setting or key of the definition that is lacking. They
// are short, so that a line of 40 cells shows them whole.

extension Messages {
    func needsRole(_ role: String) -> String {
        text(
            en: "Needs the role \(role) (setting roles)", pl: "Wymaga roli \(role) (ustawienie roles)")
    }

    func notArchivable(_ collection: CollectionDescription) -> String {
        let title = Escaping.line(collection.title)
        return text(
            en: "\(title): no archive (archive: false)", pl: "\(title): bez archiwum (archive: false)")
    }

    /// The reason why an action is not offered at all.
    func notOffered(_ action: String, of collection: CollectionDescription) -> String {
        let title = Escaping.line(collection.title)
        guard collection.writes != nil else {
            return text(
                en: "\(title): read-only (no writes)", pl: "\(title): tylko odczyt (brak writes)")
        }
        return text(
            en: "\(title): not offered (no writes.\(action))", pl: "\(title): niedostępne (brak writes.\(action))")
    }

    func noDeals(_ collection: CollectionDescription) -> String {
        let title = Escaping.line(collection.title)
        return text(
            en: "\(title): no deals (no deal)", pl: "\(title): bez ofert (brak deal)")
    }

    /// The reason why an action cannot be done with a record that does not match its filter.
    func onlyWhere(_ filter: String) -> String { text(en: "only where \(filter)", pl: "tylko gdy \(filter)") }

    var nothingSelected: String { text(en: "No record is selected.", pl: "Nie wybrano rekordu.") }

    /// The reason why the key of an action does nothing here; nil if it may be done.
    ///
    /// - Parameter collection: the collection that is shown; nil if none is.
    func obstacle(
        to action: BrowseAction, in collection: CollectionDescription?, roles: Set<String>
    ) -> String? {
        let canAdminister = roles.contains(Role.admin.rawValue)
        switch action {
        case .archive, .undo:
            // The step that is undone may be of another collection than the one that is shown.
            if action == .archive, let collection, !collection.offers.isArchivable { return notArchivable(collection) }
            return roles.contains(Role.archive.rawValue) || canAdminister ? nil : needsRole(Role.archive.rawValue)
        case .accept: return canAdminister ? nil : needsRole(Role.admin.rawValue)
        case .deal: return collection.flatMap { $0.offers.hasDeals ? nil : noDeals($0) }
        case .add: return collection.flatMap { obstacle(to: "create", in: $0) }
        case .edit: return collection.flatMap { obstacle(to: "update", in: $0) }
        default: return nil
        }
    }

    /// The reason why an action of the definition cannot be submitted; nil if it can.
    func obstacle(to action: String, in collection: CollectionDescription) -> String? {
        guard let offered = collection.writes?.action(action) else { return notOffered(action, of: collection) }
        return offered.isGranted ? nil : needsRole(Escaping.line(offered.role))
    }
}
