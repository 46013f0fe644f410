// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

// How old data is, and why it is not newer.

extension Messages {
    public var noData: String { text(en: "there is no data", pl: "nie ma danych") }

    public var builtIn: String { text(en: "built-in data", pl: "dane wbudowane") }

    public var builtInUnanswered: String {
        text(
            en: "built-in data; no upstream has answered yet",
            pl: "dane wbudowane; żaden serwer jeszcze nie odpowiedział")
    }

    /// How old the data is: `12 min old (expired)`.
    public func dataOf(age: Int64, isExpired: Bool) -> String {
        let age = text(en: old(age), pl: "dane \(old(age))")
        return isExpired ? text(en: "\(age) (expired)", pl: "\(age) (przeterminowane)") : age
    }

    /// How many sites of a collection have data that is not fresh, or none.
    public func oldSites(_ old: Int, of total: Int) -> String {
        let (count, all) = (number(Int64(old)), number(Int64(total)))
        return text(
            en: "\(count) of \(all) \(Plural.sites.form(Int64(total)).english) \(old == 1 ? "is" : "are") not fresh",
            pl: "nieaktualne oddziały: \(count) z \(all)")
    }

    /// The advice for data that has no source any more.
    public func nameSource(in file: String) -> String {
        text(en: "name one in \(file)", pl: "wpisz je w \(file)")
    }

    /// Why a refresh failed, and when.
    ///
    /// - Parameter isHeld: whether the reason ends with what data is held for, which the time is not about.
    public func failed(_ reason: String, at clock: String?, isHeld: Bool = false) -> String {
        guard let clock else { return reason }
        if isHeld { return text(en: "at \(clock) \(reason)", pl: "(\(clock)) \(reason)") }
        return text(en: "\(reason) at \(clock)", pl: "\(reason) (\(clock))")
    }

    /// When the upstream is asked next: `next try in 40 s`.
    ///
    /// - Parameters:
    ///   - distance: how far that is; nil if it is due.
    ///   - isAnotherTry: whether the last one failed.
    public func nextRefresh(_ distance: String?, isAnotherTry: Bool) -> String {
        let name =
            isAnotherTry
            ? text(en: "next try", pl: "następna próba") : text(en: "next refresh", pl: "następne odświeżenie")
        guard let distance else { return text(en: "\(name) is due", pl: "\(name) zaraz") }
        return "\(name) \(distance)"
    }

    /// That data is older than was asked for.
    ///
    /// - Parameters:
    ///   - age: in milliseconds; nil if it is unknown.
    ///   - maxAge: the age that was asked for, as it was written.
    public func tooOld(_ collection: String, age: Int64?, maxAge: String) -> String {
        guard let age else {
            return text(
                en: "\(collection): of unknown age, and --max-age is \(maxAge)",
                pl: "\(collection): dane w nieznanym wieku, a --max-age to \(maxAge)")
        }
        // A short age is shown in tenths, because it is compared with what may be as short.
        let short = age < 60_000 ? shortSpan(age) : nil
        return text(
            en: "\(collection): \(short ?? span(age)) old, and --max-age is \(maxAge)",
            pl: "\(collection): dane sprzed \(short ?? spanAfterPreposition(age)), a --max-age to \(maxAge)")
    }

    /// The collections that an answer over all of them leaves out.
    public func leftOut(_ collections: String) -> String {
        text(en: "left out: \(collections)", pl: "pominięto: \(collections)")
    }
}
