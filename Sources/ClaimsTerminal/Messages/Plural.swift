// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A noun, or a phrase, in the forms that it takes after numbers.
///
/// ```swift
/// Plural(en: ("book", "books"), pl: ("książka", "książki", "książek", "książki"))
/// ```
public struct Plural: Sendable {
    /// The English form after 1, and the one after any other number.
    let english: (one: String, other: String)
    /// The Polish forms after 1, after 2 to 4, after 5, and that of a part, as after "half a". The last one stands after
    /// prepositions too: "z 1 rekordu".
    let polish: (one: String, two: String, five: String, part: String)

    /// Makes a plural of the forms in both languages.
    public init(
        en english: (one: String, other: String), pl polish: (one: String, two: String, five: String, part: String)
    ) {
        self.english = english
        self.polish = polish
    }

    /// Makes a plural of words that are the same in both languages, such as the names of a collection.
    ///
    /// The other form stands for all Polish forms but the first, which such words do not have.
    public init(one: String, other: String) {
        self.init(en: (one, other), pl: (one, other, other, one))
    }

    /// The form that follows the number.
    public func form(_ number: Int64, _ messages: Messages) -> String {
        guard messages.isPolish else { return number == 1 ? english.one : english.other }
        if number == 1 { return polish.one }
        let (ones, tens) = (number.magnitude % 10, number.magnitude / 10 % 10)
        return (2...4).contains(ones) && tens != 1 ? polish.two : polish.five
    }

    /// The form that follows the number after a preposition, such as "of" and "z".
    public func formAfterPreposition(_ number: Int64, _ messages: Messages) -> String {
        guard messages.isPolish else { return form(number, messages) }
        return number == 1 ? polish.part : polish.five
    }
}

extension Plural {
    public static let records = Plural(en: ("record", "records"), pl: ("rekord", "rekordy", "rekordów", "rekordu"))
    public static let collections = Plural(
        en: ("collection", "collections"), pl: ("kolekcja", "kolekcje", "kolekcji", "kolekcji"))
    public static let values = Plural(en: ("value", "values"), pl: ("wartość", "wartości", "wartości", "wartości"))
    public static let entries = Plural(en: ("entry", "entries"), pl: ("wpis", "wpisy", "wpisów", "wpisu"))
    public static let operations = Plural(
        en: ("operation", "operations"), pl: ("operacja", "operacje", "operacji", "operacji"))
    static let arguments = Plural(
        en: ("argument", "arguments"), pl: ("argument", "argumenty", "argumentów", "argumentu"))
    public static let files = Plural(en: ("file", "files"), pl: ("plik", "pliki", "plików", "pliku"))
    static let addresses = Plural(en: ("address", "addresses"), pl: ("adres", "adresy", "adresów", "adresu"))
    public static let clients = Plural(en: ("client", "clients"), pl: ("klient", "klienci", "klientów", "klienta"))
    public static let characters = Plural(
        en: ("character", "characters"), pl: ("znak", "znaki", "znaków", "znaku"))
    public static let decimals = Plural(
        en: ("decimal", "decimals"),
        pl: ("miejsce po przecinku", "miejsca po przecinku", "miejsc po przecinku", "miejsca po przecinku"))
    public static let pages = Plural(en: ("page", "pages"), pl: ("strona", "strony", "stron", "strony"))
    public static let days = Plural(en: ("day", "days"), pl: ("dzień", "dni", "dni", "dnia"))
    public static let years = Plural(en: ("year", "years"), pl: ("rok", "lata", "lat", "roku"))
}
