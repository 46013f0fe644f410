// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

// The texts of `status`.

extension Messages {
    /// That nobody is needed.
    ///
    /// - Parameters:
    ///   - count: the number of collections with an upstream, or with data of their own.
    ///   - idle: the number of those without.
    func allWell(_ count: Int, idle: Int) -> String {
        if count == 0, idle == 0 { return text(en: "There are no collections.", pl: "Nie ma żadnych kolekcji.") }
        let without = Plural(
            en: ("collection has", "collections have"),
            pl: ("kolekcja nie ma", "kolekcje nie mają", "kolekcji nie ma", ""))
        let rest = text(en: "\(self.count(idle, without)) no upstream.", pl: "\(self.count(idle, without)) serwera.")
        if count == 0 { return rest }
        let well: String
        let noun = Plural(
            en: ("collection is", "collections are"),
            pl: ("kolekcja jest", "kolekcje są", "kolekcji jest", ""))
        if idle > 0 {
            well = text(en: "\(self.count(count, noun)) well.", pl: "\(self.count(count, noun)) w porządku.")
        } else if count == 1 {
            well = text(en: "The collection is well.", pl: "Kolekcja jest w porządku.")
        } else {
            well = text(
                en: "All \(self.count(count, noun)) well.", pl: "Wszystkie \(self.count(count, noun)) w porządku.")
        }
        return idle == 0 ? well : "\(well) \(rest)"
    }

    /// The collections that need somebody, the worst first.
    func needAttention(_ count: Int, of total: Int, _ names: String) -> String {
        let verb = text(Self.needs.form(Int64(count)))
        let part = part(Int64(count), of: Int64(total), .collections)
        return text(en: "\(part) \(verb) attention: \(names).", pl: "\(part) \(verb) uwagi: \(names).")
    }

    /// That nothing has failed, and yet some collections are older than they should be.
    func onlyStale(_ count: Int, _ names: String) -> String {
        let noun = Plural(
            en: ("collection is", "collections are"),
            pl: ("kolekcja jest nieaktualna", "kolekcje są nieaktualne", "kolekcji jest nieaktualnych", ""))
        let stale = self.count(count, noun)
        return text(
            en: "Nothing has failed, but \(stale) stale: \(names).", pl: "Błędów nie ma, ale \(stale): \(names).")
    }

    func alsoStale(_ names: String) -> String {
        text(en: "Stale, too: \(names).", pl: "Nieaktualne też: \(names).")
    }

    /// The number of mistakes in the configuration.
    ///
    /// - Parameter command: the command that shows them; nil if they stand below.
    public func mistakes(_ count: Int, toSee command: String? = nil) -> String {
        let end = command.map { text(en: "; to see all: \($0)", pl: "; aby zobaczyć wszystkie: \($0)") } ?? "."
        return text(
            en: "The configuration has \(self.count(count, .mistakes))\(end)",
            pl: "Konfiguracja ma \(self.count(count, .mistakes))\(end)")
    }

    func moreMistakes(_ count: Int) -> String {
        let noun = Plural(
            en: ("more mistake is", "more mistakes are"),
            pl: ("dalszego błędu", "dalszych błędów", "dalszych błędów", "dalszego błędu"))
        let more = self.count(count, noun)
        return text(en: "\(more) not shown here", pl: "nie pokazano tu \(more)")
    }

    public func operationsStuck(_ count: Int64) -> String {
        let noun = Plural(
            en: ("operation needs", "operations need"),
            pl: ("operacja wymaga", "operacje wymagają", "operacji wymaga", ""))
        return text(en: "\(self.count(count, noun)) attention.", pl: "\(self.count(count, noun)) uwagi.")
    }

    // The daemon.

    func up(_ ms: Int64) -> String {
        text(en: "up \(span(ms))", pl: "działa od \(spanAfterPreposition(ms))")
    }

    func memory(_ bytes: Int64) -> String { text(en: "\(size(bytes)) of memory", pl: "\(size(bytes)) pamięci") }

    func onDisk(_ bytes: Int64) -> String { text(en: "\(size(bytes)) on disk", pl: "\(size(bytes)) na dysku") }

    func keptLog(_ bytes: Int64) -> String {
        text(
            en: "\(size(bytes)) of write-ahead log kept by another program",
            pl: "\(size(bytes)) dziennika zapisu zatrzymane przez inny program")
    }

    var due: String { text(en: "due", pl: "zaraz") }

    // Collections.

    var noSourceAnyMore: String {
        text(
            en: "no source any more; what was fetched before is served",
            pl: "nie ma już źródła; podawane jest to, co pobrano wcześniej")
    }

    var noUpstream: String { text(en: "no upstream is configured", pl: "nie skonfigurowano serwera") }

    var builtInNoUpstream: String {
        text(
            en: "built-in data, and no upstream is configured", pl: "dane wbudowane, a serwera nie skonfigurowano")
    }

    var firstFetch: String {
        text(en: "being fetched for the first time", pl: "trwa pierwsze pobieranie")
    }

    /// Why data counts as old without a failure.
    ///
    /// - Parameter ttl: the time for which it counts as fresh, in milliseconds; nil if it is not known.
    func older(than ttl: Int64?, isExpired: Bool) -> String {
        if isExpired { return text(en: "expired", pl: "przeterminowane") }
        guard let ttl else { return text(en: "stale", pl: "nieaktualne") }
        return text(
            en: "stale: older than its ttl of \(span(ttl))", pl: "nieaktualne: starsze niż ttl, czyli \(span(ttl))")
    }

    var withheldData: String {
        text(en: "withheld: its data is too old to be shown", pl: "niepokazywana: jej dane są za stare")
    }

    var definitionBefore: String {
        text(
            en: "the definition before the mistake is in force", pl: "obowiązuje definicja sprzed błędu")
    }

    /// - Parameters:
    ///   - mistake: with its file and line; nil if it is not known.
    ///   - command: the command that shows it.
    func definitionBefore(_ mistake: String?, toSee command: String) -> String {
        let told = mistake ?? text(en: "to see it: \(command)", pl: "aby go zobaczyć: \(command)")
        return text(
            en: "its new definition has a mistake, and the one before is in force; \(told)",
            pl: "jej nowa definicja zawiera błąd i obowiązuje poprzednia; \(told)")
    }

    /// - Parameter count: at least 2.
    func definitionsBefore(_ count: Int, toSee command: String) -> String {
        text(
            en: "the new definitions of \(count) collections have mistakes, and those before are in force; "
                + "to see them: \(command)",
            pl:
                "nowe definicje kolekcji (\(count)) zawierają błędy i obowiązują poprzednie; aby je zobaczyć: \(command)"
        )
    }

    var limitedView: String {
        text(en: "the rules show you a part of the records", pl: "reguły pokazują Ci część rekordów")
    }

    func inQuarantine(_ count: Int64) -> String {
        let noun = Plural(
            en: ("record is", "records are"), pl: ("rekord jest", "rekordy są", "rekordów jest", ""))
        return text(en: "\(self.count(count, noun)) in quarantine", pl: "\(self.count(count, noun)) w kwarantannie")
    }

    func seeQuarantine(_ collection: String) -> String {
        let command = "claimsctl quarantine --collection \(collection)"
        return text(en: "to see why: \(command)", pl: "aby zobaczyć dlaczego: \(command)")
    }

    func heldBack(before: String, after: String, changes: [String]) -> String {
        let changes = changes.joined(separator: ", ")
        return text(
            en: "held back: \(before) records would become \(after), with \(changes)",
            pl: "wstrzymano: z \(before) rekordów zostałoby \(after): \(changes)")
    }

    func added(_ number: String) -> String { text(en: "\(number) added", pl: "dodane: \(number)") }

    func updated(_ number: String) -> String { text(en: "\(number) updated", pl: "zmienione: \(number)") }

    func removed(_ number: String) -> String { text(en: "\(number) removed", pl: "usunięte: \(number)") }

    func quarantined(_ number: String) -> String {
        text(en: "\(number) quarantined", pl: "w kwarantannie: \(number)")
    }

    /// - Parameter until: when it is deleted; nil if nobody knows.
    func definitionRemoved(_ records: Int64, until: String?) -> String {
        let count = count(records, .records)
        let end = until.map { text(en: " kept until \($0)", pl: ", do \($0)") } ?? text(en: " kept", pl: "")
        return text(
            en: "its definition was removed; \(count)\(end)", pl: "jej definicję usunięto; zachowano \(count)\(end)")
    }

    /// Removed collections in one line.
    ///
    /// - Parameters:
    ///   - names: the first of them.
    ///   - records: the records of all.
    ///   - end: the time until which the first one is kept; nil if that has no end.
    func definitionsRemoved(_ count: Int, _ names: String, _ records: Int64, until end: String?) -> String {
        let noun = Plural(
            en: ("collection has", "collections have"),
            pl: ("kolekcja nie ma", "kolekcje nie mają", "kolekcji nie ma", ""))
        let (subject, kept) = (self.count(count, noun), self.count(records, .records))
        let until = end.map { text(en: ", the first until \($0)", pl: ", pierwsza do \($0)") } ?? ""
        return text(
            en: "\(subject) no definition any more: \(names); \(kept) kept\(until)",
            pl: "\(subject) już definicji: \(names); zachowano \(kept)\(until)")
    }

    /// The command that erases a removed collection; without a name, one of several.
    func eraseNow(_ collection: String?) -> String {
        let command = "claimsctl forget --collection \(collection ?? "NAME")"
        guard collection != nil else {
            return text(en: "to erase one now: \(command)", pl: "aby wymazać jedną teraz: \(command)")
        }
        return text(en: "to erase it now: \(command)", pl: "aby wymazać ją teraz: \(command)")
    }

    // The outbox.

    var outbox: String { text(en: "outbox", pl: "do wysłania") }

    func queued(_ count: Int64) -> String { text(en: "\(number(count)) queued", pl: "w kolejce: \(number(count))") }

    func accepted(_ count: Int64) -> String {
        text(en: "\(number(count)) accepted", pl: "przyjęte: \(number(count))")
    }

    func stuck(_ count: Int64) -> String {
        text(
            en: "\(number(count)) \(Self.needs.form(count).english) attention",
            pl: "wymagają uwagi: \(number(count))")
    }

    private static let needs = Plural(en: ("needs", "need"), pl: ("wymaga", "wymagają", "wymaga", ""))

    func oldest(_ ms: Int64) -> String {
        text(en: "the oldest from \(span(ms)) ago", pl: "najstarsza sprzed \(spanAfterPreposition(ms))")
    }

    var seeStuck: String {
        text(
            en: "to see them: claimsctl outbox --state stuck", pl: "aby je zobaczyć: claimsctl outbox --state stuck")
    }

    // Drift.

    var drift: String { text(en: "Unknown to the definitions", pl: "Nowe na serwerze") }

    /// The meaning of ``drift``.
    var driftMeaning: String {
        text(
            en:
                "An upstream sends values or members that its definition does not know. Records are kept and shown; to "
                + "show these too, add them to the definition.",
            pl: "Serwer przysyła coś, czego nie zna jeszcze żadna definicja. Rekordy są mimo to przechowywane i "
                + "pokazywane; aby pokazać także to, dopisz je do definicji.")
    }

    func unknownValue(_ value: String, of field: String) -> String {
        text(en: "\(field) has the unknown value '\(value)'", pl: "\(field) ma nieznaną wartość „\(value)”")
    }

    func unreadMember(_ name: String) -> String {
        text(en: "a member '\(name)' that is not read", pl: "składowa „\(name)”, której nic nie czyta")
    }

    func otherType(of field: String, found: String, expected: String) -> String {
        text(en: "\(field) is \(found) instead of \(expected)", pl: "\(field) to \(found) zamiast \(expected)")
    }

    func futureValue(of field: String) -> String {
        text(en: "\(field) is in the future", pl: "\(field) to czas w przyszłości")
    }

    public func andMore(_ count: Int64) -> String {
        text(en: "and \(number(count)) more", pl: "i jeszcze \(number(count))")
    }
}
