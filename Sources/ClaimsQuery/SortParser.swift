// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// The parser of the order in a request.
///
/// A key is the name of a named order or, if there is none, of a field. A `-` before it makes a field descend, or
/// reverses all keys of a named order. Absent values come last in both directions, and every order ends in the id.
public enum SortParser {
    /// The maximal number of keys in one order, before named orders are expanded.
    public static let maxKeys = 64

    /// Parses a string of keys separated by commas, or an array of strings with one key each.
    ///
    /// Throws `bad_sort` for an unknown key, a field without an order, no key or more than ``maxKeys``.
    public static func parse(_ value: JSONValue, in definition: Definition) throws(FilterError) -> RecordOrder {
        switch value {
        case .string(let text): return try parse(text, in: definition)
        case .array(let elements):
            var keys: [Key] = []
            for (index, element) in elements.enumerated() {
                guard case .string(let text) = element else {
                    throw FilterError.badSort(
                        TranslatedText(en: "a sort key is a string", pl: "klucz sortowania musi być tekstem"),
                        at: .tree("/\(index)"))
                }
                keys.append(Key(text: text[...], location: .tree("/\(index)")))
            }
            return try order(keys, in: definition)
        default:
            throw FilterError.badSort(
                TranslatedText(
                    en: "an order is a string or an array of strings",
                    pl: "kolejność musi być tekstem lub tablicą tekstów"),
                at: nil, hint: TranslatedText(en: "\"-status,name\"", pl: "\"-status,name\""))
        }
    }

    /// Parses a text of keys separated by commas; positions in errors are bytes of `text`.
    ///
    /// Throws `bad_sort` for an unknown key, a field without an order, or more than ``maxKeys`` keys.
    public static func parse(_ text: String, in definition: Definition) throws(FilterError) -> RecordOrder {
        var keys: [Key] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let key = trimmed(part)
            let start = text.utf8.distance(from: text.startIndex, to: key.startIndex)
            keys.append(Key(text: key, location: .text(position: start, length: key.utf8.count)))
        }
        return try order(keys, in: definition)
    }

    private struct Key {
        let text: Substring
        let location: FilterLocation
    }

    private static func order(_ keys: [Key], in definition: Definition) throws(FilterError) -> RecordOrder {
        guard !keys.isEmpty else {
            throw FilterError.badSort(
                TranslatedText(en: "an order without keys", pl: "kolejność bez kluczy"), at: nil,
                hint: TranslatedText(
                    en: "leave it out for the default order", pl: "pomiń ją, żeby użyć kolejności domyślnej"))
        }
        guard keys.count <= maxKeys else {
            throw FilterError.badSort(
                TranslatedText(
                    en: "an order of more than \(maxKeys) keys", pl: "liczba kluczy sortowania przekracza \(maxKeys)"),
                at: keys[maxKeys].location)
        }
        var sortKeys: [SortKey] = []
        for (index, key) in keys.enumerated() {
            let expanded = try expand(key, in: definition)
            // The id at the end of a named order would hide all keys behind it.
            let isLast = index == keys.count - 1
            let isNamed = definition.order(named: name(of: key)) != nil
            sortKeys += isLast || !isNamed ? expanded : expanded.filter { $0.field != definition.idField }
        }
        return RecordOrder(sortKeys, idField: definition.idField)
    }

    private static func name(of key: Key) -> String {
        String(key.text.utf8.first == UInt8(ascii: "-") ? key.text.dropFirst() : key.text)
    }

    private static func expand(_ key: Key, in definition: Definition) throws(FilterError) -> [SortKey] {
        let name = name(of: key)
        let descends = name.utf8.count < key.text.utf8.count
        if let named = definition.order(named: name) {
            return descends ? named.reversed.keys : named.order.keys
        }
        guard let field = definition.fieldIndex(name) else { throw unknown(name, key.location, in: definition) }
        guard definition.sight(of: field) == .whole else {
            throw FilterError.badSort(
                TranslatedText(
                    en: "the rules mask '\(name)', so that records cannot be sorted by it",
                    pl: "reguły maskują pole „\(name)”, więc nie można po nim sortować"),
                at: key.location)
        }
        let type = definition.fields[field].type
        guard type.isSortable else {
            throw FilterError.badSort(
                TranslatedText(
                    en: "'\(name)', \(type.phrase.english), has no order",
                    pl: "po polu „\(name)” \(type.phrase.polish) nie można sortować"),
                at: key.location)
        }
        return [SortKey(field: field, descending: descends)]
    }

    private static func unknown(_ name: String, _ location: FilterLocation, in definition: Definition) -> FilterError {
        guard !name.isEmpty else {
            return FilterError.badSort(
                TranslatedText(en: "an empty sort key", pl: "pusty klucz sortowania"), at: location,
                hint: TranslatedText(
                    en: "leave 'sort' out for the default order", pl: "pomiń „sort”, żeby użyć kolejności domyślnej"))
        }
        if definition.hasPendingField, name == PendingState.fieldName {
            return FilterError.badSort(
                TranslatedText(en: "'pending' has no order", pl: "po polu „pending” nie można sortować"), at: location,
                hint: FilterAdvice.filterPending)
        }
        let orders = definition.orders.map(\.name)
        let fields = definition.wholeFields.map { definition.fields[$0] }
        let names = orders + fields.filter(\.type.isSortable).map(\.name).filter { !orders.contains($0) }
        let shown = Excerpt.of(name)
        return FilterError.badSort(
            TranslatedText(en: "unknown sort key '\(shown)'", pl: "nieznany klucz sortowania „\(shown)”"), at: location,
            hint: direction(in: name, names) ?? Suggestion.question(name, among: names) ?? FilterAdvice.oneOf(names))
    }

    /// The correct form of a direction in another spelling: `name:desc`, `name desc`, `+name`.
    private static func direction(in name: String, _ names: [String]) -> TranslatedText? {
        let parts = name.split { $0 == ":" || $0 == " " || $0 == "+" }.map(String.init)
        guard let key = parts.first, names.contains(key), parts.count < 3 else { return nil }
        switch parts.last?.lowercased() {
        case "desc", "descending": return TranslatedText(en: "write '-\(key)'", pl: "napisz „-\(key)”")
        default:
            return TranslatedText(
                en: "write '\(key)', or '-\(key)' to descend", pl: "napisz „\(key)” albo malejąco „-\(key)”")
        }
    }

    private static func trimmed(_ part: Substring) -> Substring {
        var part = part
        while part.utf8.first == UInt8(ascii: " ") { part = part.dropFirst() }
        while part.utf8.last == UInt8(ascii: " ") { part = part.dropLast() }
        return part
    }
}
