// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The part of a collection that a peer sees.
enum Sight: Sendable, Hashable {
    /// Everything.
    case whole
    /// The records that any of these filters selects, or all, with a part of their fields, by the rule of that number.
    case limited(rule: Int, filters: [String]?, sights: [FieldSight]?)
    /// Its definition and figures, and no record.
    case figures
    /// Nothing: the peer does not see that there is such a collection.
    case none
}

/// The collections as one peer sees them. Handlers get no other ones.
///
/// ```swift
/// let scoped = ScopedCatalog(publisher.current(), for: peer)
/// let view = scoped.catalog["letters"]
/// ```
struct ScopedCatalog: Sendable {
    /// The collections whose records the peer sees. Those that were removed are there for an administrator, and for a
    /// peer that sees everything.
    let catalog: Catalog
    /// The same collections, and the ones of which the peer sees only the definition and figures.
    let known: Catalog
    /// Whether the peer sees everything of all collections: no definition, record or figure is left out.
    let isWhole: Bool
    /// Whether the peer sees what concerns the whole daemon.
    let seesDaemon: Bool

    private init(catalog: Catalog, known: Catalog, isWhole: Bool, seesDaemon: Bool) {
        self.catalog = catalog
        self.known = known
        self.isWhole = isWhole
        self.seesDaemon = seesDaemon
    }

    /// All collections, whole.
    init(whole catalog: Catalog) {
        self.init(catalog: catalog, known: catalog, isWhole: true, seesDaemon: true)
    }

    /// Makes a catalog without any collection.
    init(nothingOf catalog: Catalog) {
        let nothing = Catalog(revision: catalog.revision)
        self.init(catalog: nothing, known: nothing, isWhole: false, seesDaemon: false)
    }

    /// - Parameter rowSets: has the rows that rules leave out.
    init(_ catalog: Catalog, for peer: Peer, _ rowSets: RowSets) {
        self.init(
            catalog, catalog.views.map { peer.sight(of: $0.definition) }, isAdmin: peer.roles.has(.admin), rowSets)
    }

    /// - Parameters:
    ///   - sights: one for each collection of the catalog, in its order.
    ///   - isAdmin: whether the peer has the role `admin`.
    ///   - rowSets: has the rows that rules leave out.
    init(_ catalog: Catalog, _ sights: [Sight], isAdmin: Bool, _ rowSets: RowSets) {
        guard sights.contains(where: { $0 != .whole }) else {
            self.init(whole: catalog)
            return
        }
        var (seen, known): ([CollectionView], [CollectionView]) = ([], [])
        for (view, sight) in zip(catalog.views, sights) {
            let part = view.seen(by: sight, rowSets)
            if let part { seen.append(part) }
            if let shown = part ?? (isAdmin ? view : nil) { known.append(shown) }
        }
        let removed = isAdmin ? catalog.removed : []
        self.init(
            catalog: Catalog(revision: catalog.revision, views: seen, removed: removed),
            known: Catalog(revision: catalog.revision, views: known, removed: removed),
            isWhole: false, seesDaemon: isAdmin)
    }

    /// The problems that the peer may see. An administrator sees all. Other peers see problems that name only
    /// collections that they see whole.
    func visible(_ problems: [ConfigurationProblem]) -> [ConfigurationProblem] {
        if seesDaemon { return problems }
        return problems.filter { ($0.collection.map(seesWhole) ?? false) && ($0.rival.map(seesWhole) ?? true) }
    }

    /// Whether the peer sees an operation: every one of a collection that it sees whole, and its own of others.
    func sees(_ operation: Operation, of user: UInt32) -> Bool {
        isWhole || seesWhole(operation.collection)
            || operation.submittedBy == user && catalog[operation.collection] != nil
    }

    /// Whether the peer sees all figures of a collection.
    func seesAllFigures(of collection: String) -> Bool { known[collection].map { $0.limit == nil } ?? false }

    /// Whether the peer sees all of a collection.
    func seesWhole(_ collection: String) -> Bool { catalog[collection].map { $0.limit == nil } ?? false }
}

extension CollectionView {
    /// The part of the collection that a peer sees; nil if it sees none of its records.
    func seen(by sight: Sight, _ rowSets: RowSets) -> CollectionView? {
        switch sight {
        case .whole: self
        case .figures, .none: nil
        case .limited: ViewLimit(sight, of: definition).map { limited(to: $0, rowSets) }
        }
    }
}

extension ViewLimit {
    /// The limit of a peer that sees a part; nil: it sees nothing, or is not limited.
    init?(_ sight: Sight, of definition: Definition) {
        guard case .limited(let rule, let filters, let sights) = sight else { return nil }
        do throws(FilterError) {
            try self.init(rule: rule, filters: filters, sights: sights, of: definition)
        } catch {
            // A filter that has no meaning in the definition selects nothing.
            return nil
        }
    }
}

extension Peer {
    /// The part of a collection that the peer sees.
    func sight(of definition: Definition) -> Sight {
        guard let access = definition.access, access.rules != nil, !isUnlimited else { return .whole }
        if let (number, rule) = rule(of: access) {
            let filters = rule.filters(where: { credentials.isMember(of: $0) })
            let sights = rule.sights(of: definition)
            if filters == nil, sights == nil { return .whole }
            if filters?.isEmpty != true { return .limited(rule: number, filters: filters, sights: sights) }
        }
        return roles.has(.admin) ? .figures : .none
    }

    /// The records of the collection that the peer sees, for its writes.
    func recordSight(of definition: Definition) -> RecordSight {
        let sight = sight(of: definition)
        if sight == .whole { return .all }
        return ViewLimit(sight, of: definition).map { .limited($0) } ?? .none
    }

    /// The number of the rule that limits the peer in a collection; nil if no rule limits or names it.
    func ruleNumber(of definition: Definition) -> Int? {
        guard let access = definition.access, access.rules != nil, !isUnlimited else { return nil }
        return rule(of: access)?.number
    }

    /// Whether the rules of a collection let the peer do an act, if its roles do.
    func isAllowed(_ act: String, by definition: Definition) -> Bool {
        guard let access = definition.access, access.rules != nil, !isUnlimited else { return true }
        guard let (_, rule) = rule(of: access) else { return false }
        return rule.acts?.contains(act) ?? true
    }

    /// Checks that the rules of a collection let the peer do an act.
    ///
    /// - Throws: `forbidden`; for an administrator it has the number of the rule.
    func requireAllowed(_ act: String, by definition: Definition) throws(RequestError) {
        guard !isAllowed(act, by: definition) else { return }
        let name = definition.name
        var details = [RequestError.detail("collection", name)]
        if roles.has(.admin), let access = definition.access, let (number, _) = rule(of: access) {
            details.append(RequestError.detail("rule", Int64(number)))
        }
        var error = RequestError(
            .forbidden,
            TranslatedText(
                en: "the rules of \(name) do not let your user do '\(act)'",
                pl: "reguły kolekcji \(name) nie pozwalają Twojemu użytkownikowi na „\(act)”"),
            hint: TranslatedText(
                en: "an administrator grants it in collections.d/\(name).json5: access.rules, may",
                pl: "nadaje to administrator w pliku collections.d/\(name).json5: access.rules, may"),
            details: details)
        error.look = .refused(name)
        throw error
    }

    private func rule(of access: AccessRules) -> (number: Int, rule: AccessRules.Rule)? {
        access.rule(of: uid) { credentials.isMember(of: $0) }
    }
}

extension RequestError {
    /// The error about an answer that is made of all records of a collection, for a peer that a rule shows a part of them.
    static func limitedView(_ collection: String) -> RequestError {
        var error = RequestError(
            .forbidden,
            TranslatedText(
                en: "the rules of \(collection) show a part of its records to your user, and this needs all of them",
                pl:
                    "reguły kolekcji \(collection) pokazują Twojemu użytkownikowi część rekordów, a to wymaga wszystkich"
            ),
            hint: TranslatedText(
                en:
                    "search, sort, count, facets, detail, history, changes, subscribe, explain and deal answer of that part",
                pl:
                    "search, sort, count, facets, detail, history, changes, subscribe, explain i deal odpowiadają o tej części"
            ),
            details: [detail("collection", collection)])
        error.look = .refused(collection)
        return error
    }

    /// The error about the records of a collection of which an administrator sees no more than figures.
    static func recordsHidden(_ collection: String) -> RequestError {
        var error = RequestError(
            .forbidden,
            TranslatedText(
                en: "the rules of \(collection) do not show its records to your user",
                pl: "reguły kolekcji \(collection) nie pokazują jej rekordów Twojemu użytkownikowi"),
            hint: TranslatedText(
                en: "a rule for you in collections.d/\(collection).json5, access.rules, would; the role 'admin' alone "
                    + "shows its definition and figures",
                pl:
                    "pokazałaby je reguła dla Ciebie w pliku collections.d/\(collection).json5, access.rules; sama rola "
                    + "„admin” pokazuje jej definicję i liczby"),
            details: [detail("collection", collection)])
        error.look = .refused(collection)
        return error
    }
}

/// The peers' parts of one catalog, kept so that they are found by credentials. Confined to the thread of its owner.
struct CatalogScopes {
    /// The credentials that decide rules and roles.
    private struct Key: Hashable {
        let user: UInt32
        let group: UInt32
        let groups: [UInt32]
        let isAdmin: Bool
    }

    /// The sights that decide a scope. Peers with equal ones share it.
    private struct Sights: Hashable {
        let sights: [Sight]
        let isAdmin: Bool
    }

    private var numbers: [Key: Int] = [:]
    private var numbersOfSights: [Sights: Int] = [:]

    /// The maximal number of remembered credentials, and of remembered scopes.
    static let maxRemembered = 256

    /// The number of the scope of a peer; nil if it is not known.
    func number(of peer: Peer) -> Int? { numbers[key(of: peer)] }

    /// The number of the scope of a peer, which is remembered.
    ///
    /// - Parameters:
    ///   - rowSets: has the rows that rules leave out.
    ///   - make: makes a scope that is not there yet, and returns its number.
    mutating func number(
        of peer: Peer, in catalog: Catalog, _ rowSets: RowSets, make: (ScopedCatalog) -> Int
    ) -> Int {
        let isAdmin = peer.roles.has(.admin)
        let sights = Sights(sights: catalog.views.map { peer.sight(of: $0.definition) }, isAdmin: isAdmin)
        let number =
            numbersOfSights[sights] ?? make(ScopedCatalog(catalog, sights.sights, isAdmin: isAdmin, rowSets))
        numbersOfSights[sights] = number
        // Credentials are cheap to examine again; the scopes that were made for them stay.
        if numbers.count >= Self.maxRemembered { numbers.removeAll(keepingCapacity: true) }
        numbers[key(of: peer)] = number
        return number
    }

    /// Whether no more scopes are made before all are forgotten.
    var isFull: Bool { numbersOfSights.count >= Self.maxRemembered }

    private func key(of peer: Peer) -> Key {
        Key(
            user: peer.uid, group: peer.gid, groups: peer.credentials.groups, isAdmin: peer.roles.has(.admin))
    }
}
