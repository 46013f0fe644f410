// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A noun, or a phrase, in the forms that it takes after numbers, in English and in Polish.
///
/// ```swift
/// let books = Plural(en: ("book", "books"), pl: ("książka", "książki", "książek", "książki"))
/// books.text(22).text("pl")  // 22 książki
/// ```
public struct Plural: Sendable {
    /// The English form after 1, and the one after any other number.
    public let english: (one: String, other: String)
    /// The Polish forms after 1, after 2 to 4, after 5, and that of a part, as after "half a". The last one stands after
    /// prepositions too: "z 1 rekordu".
    public let polish: (one: String, two: String, five: String, part: String)

    /// Makes a plural of the forms in both languages.
    public init(
        en english: (one: String, other: String), pl polish: (one: String, two: String, five: String, part: String)
    ) {
        self.english = english
        self.polish = polish
    }

    /// The form that follows the number.
    public func form(_ number: Int64) -> TranslatedText {
        TranslatedText(en: number == 1 ? english.one : english.other, pl: polishForm(number))
    }

    /// The form that follows the number after a preposition, such as "of" and "z".
    public func formAfterPreposition(_ number: Int64) -> TranslatedText {
        TranslatedText(
            en: number == 1 ? english.one : english.other, pl: number == 1 ? polish.part : polish.five)
    }

    /// The number, in digits that stand in no groups, with the form that follows it: `1 record`, `22 rekordy`.
    public func text(_ number: Int64) -> TranslatedText {
        let form = form(number)
        return TranslatedText(en: "\(number) \(form.english)", pl: "\(number) \(form.polish)")
    }

    /// The number, in digits that stand in no groups, with the form that follows it.
    public func text(_ number: Int) -> TranslatedText { text(Int64(number)) }

    private func polishForm(_ number: Int64) -> String {
        if number == 1 { return polish.one }
        let (ones, tens) = (number.magnitude % 10, number.magnitude / 10 % 10)
        return (2...4).contains(ones) && tens != 1 ? polish.two : polish.five
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
    public static let arguments = Plural(
        en: ("argument", "arguments"), pl: ("argument", "argumenty", "argumentów", "argumentu"))
    public static let files = Plural(en: ("file", "files"), pl: ("plik", "pliki", "plików", "pliku"))
    public static let addresses = Plural(en: ("address", "addresses"), pl: ("adres", "adresy", "adresów", "adresu"))
    public static let clients = Plural(en: ("client", "clients"), pl: ("klient", "klienci", "klientów", "klienta"))
    public static let characters = Plural(
        en: ("character", "characters"), pl: ("znak", "znaki", "znaków", "znaku"))
    public static let decimals = Plural(
        en: ("decimal", "decimals"),
        pl: ("miejsce po przecinku", "miejsca po przecinku", "miejsc po przecinku", "miejsca po przecinku"))
    public static let pages = Plural(en: ("page", "pages"), pl: ("strona", "strony", "stron", "strony"))
    public static let days = Plural(en: ("day", "days"), pl: ("dzień", "dni", "dni", "dnia"))
    public static let years = Plural(en: ("year", "years"), pl: ("rok", "lata", "lat", "roku"))
    public static let mistakes = Plural(en: ("mistake", "mistakes"), pl: ("błąd", "błędy", "błędów", "błędu"))
    public static let sites = Plural(en: ("site", "sites"), pl: ("oddział", "oddziały", "oddziałów", "oddziału"))
    public static let rules = Plural(en: ("rule", "rules"), pl: ("reguła", "reguły", "reguł", "reguły"))
}
