// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The parser of claimsctl's command line.
///
/// Options and terms come in any order. The first word that is neither an option nor an option's value is the verb. The
/// parser has no state beyond one call, and touches neither files nor the terminal.
public struct ArgumentParser {
    /// The meaning of a command line.
    public enum Outcome: Equatable {
        case run(Invocation)
        /// A request for help: `--help`, or a line without a verb (`isAsked` is false then, and the line is a mistake).
        case help(Verb?, isAsked: Bool)
        case version
    }

    private let arguments: [String]
    private let verbs: [Verb]
    private var position = 0
    private var invocation = Invocation(verb: Self.noVerb)
    private var verb: Verb? { invocation.verb == Self.noVerb ? nil : invocation.verb }
    private var given: [Option] = []
    /// The collections that the line names, each once.
    private var selectors: [Selector] = []
    private var wantsHelp = false
    private var wantsVersion = false

    /// Stands in an invocation until its verb has come.
    private static let noVerb = Verb(
        "", summary: TranslatedText(en: "", pl: ""), details: TranslatedText(en: "", pl: ""))

    private init(_ arguments: [String], verbs: [Verb]) {
        self.arguments = arguments
        self.verbs = verbs
    }

    /// Parses a command line.
    ///
    /// - Parameters:
    ///   - arguments: the words after the program's name.
    ///   - verbs: all verbs of the program.
    /// - Throws: a `UsageError` for an unknown or misplaced option, a bad value, or an argument that the verb does not
    ///   take. The caller prints it and exits with code 2.
    public static func parse(_ arguments: [String], verbs: [Verb]) throws(UsageError) -> Outcome {
        var parser = ArgumentParser(arguments, verbs: verbs)
        return try parser.parse()
    }

    /// The verb of a command line, which may have mistakes; nil for a line without one.
    static func verb(of arguments: [String], verbs: [Verb]) -> Verb? {
        var parser = ArgumentParser(arguments, verbs: verbs)
        _ = try? parser.parse()
        return parser.verb
    }

    private mutating func parse() throws(UsageError) -> Outcome {
        var optionsEnded = false
        while position < arguments.count {
            let argument = arguments[position]
            position += 1
            if optionsEnded {
                try read(term: argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument.hasPrefix("--") {
                try read(longOption: argument.dropFirst(2))
            } else if argument.hasPrefix("-"), argument.utf8.count > 1, !isKey(argument) {
                try read(shortOption: argument)
            } else {
                try read(term: argument)
            }
        }
        if wantsVersion { return .version }
        guard let verb else { return .help(nil, isAsked: wantsHelp) }
        // Whether the word is an action only the daemon knows; all else on the line must fit one.
        if invocation.isActionImplied, let word = invocation.terms.first?.text, !mayBeAction(word) {
            throw unknownVerb(word)
        }
        if wantsHelp { return .help(verb, isAsked: true) }
        for option in given where !verb.takes(option) { throw misplaced(option, verb) }
        if invocation.host != nil, invocation.socket != nil {
            throw UsageError(
                en: "-H and --socket are both given", pl: "podano i -H, i --socket",
                hint: TranslatedText(en: "--socket is about this host", pl: "--socket dotyczy tego hosta"))
        }
        try checkArguments(of: verb)
        invocation.selector = try selector(for: verb)
        return .run(invocation)
    }

    /// In `sort`, `-` with two or more letters is a key that descends. No key has `=` in it.
    private func isKey(_ argument: String) -> Bool {
        verb?.takesKeys == true && argument.utf8.count > 2 && !argument.utf8.contains(UInt8(ascii: "="))
    }

    private func checkArguments(of verb: Verb) throws(UsageError) {
        guard invocation.terms.count > verb.maxArguments else { return }
        let surplus = invocation.terms[verb.maxArguments].text
        guard verb.maxArguments == 0 else {
            let bound = TranslatedText { $0.noMore(than: $0.count(verb.maxArguments, .arguments)) }
            throw UsageError(
                en: "'\(verb.word)' takes \(bound.english): '\(surplus)' is one too many",
                pl: "„\(verb.word)” przyjmuje \(bound.polish): „\(surplus)” to o jeden za dużo", hint: verb.helpHint)
        }
        let line = "claimsctl \(verb.word) --collection \(surplus)"
        throw UsageError(
            en: "'\(verb.word)' takes no arguments: '\(surplus)'",
            pl: "„\(verb.word)” nie przyjmuje argumentów: „\(surplus)”",
            hint: verb.takesSelector
                ? TranslatedText(en: "to name a collection: \(line)", pl: "aby wskazać kolekcję: \(line)")
                : verb.helpHint)
    }

    /// The one collection that the line selects. The daemon knows which there are, so a name is not checked here.
    private func selector(for verb: Verb) throws(UsageError) -> Selector? {
        guard let first = selectors.first else { return nil }
        if !verb.takesSelector {
            let near = Self.nearestOption(first.name, of: verb)
            throw UsageError(
                en: "'\(verb.word)' has no option '--\(first.name)'",
                pl: "„\(verb.word)” nie ma opcji „--\(first.name)”",
                hint: near.map { Suggestion.question("--\($0)") } ?? verb.helpHint)
        }
        guard selectors.count > 1 else { return first }
        for selector in selectors where selector.isOption {
            guard let near = Self.nearestOption(selector.name, of: verb) else { continue }
            let others = selectors.filter { $0 != selector }.map(\.name)
            throw UsageError(
                en: "unknown option '--\(selector.name)', or a second collection beside "
                    + others.map { "'\($0)'" }.joined(separator: ", "),
                pl: "nieznana opcja „--\(selector.name)” albo druga kolekcja obok "
                    + others.map { "„\($0)”" }.joined(separator: ", "),
                hint: Suggestion.question("--\(near)"))
        }
        throw UsageError(
            en: "two collections: '\(first.name)' and '\(selectors[1].name)'",
            pl: "dwie kolekcje: „\(first.name)” i „\(selectors[1].name)”",
            hint: TranslatedText(
                en: "name one, or none for all of them", pl: "podaj jedną albo żadnej, by objąć wszystkie"))
    }

    private mutating func read(term: String) throws(UsageError) {
        if verb != nil {
            invocation.terms.append(.argument(term))
        } else if let verb = verbs.first(where: { $0.words.contains(term) }) {
            invocation.verb = verb
        } else if let act = verbs.first(where: { $0.takesActionNames }), !followsMisspeltOption {
            invocation.verb = act
            invocation.isActionImplied = true
            invocation.terms.append(.argument(term))
        } else {
            throw unknownVerb(term)
        }
    }

    /// Whether an option before the word looks misspelt, so that the word may be its value.
    private var followsMisspeltOption: Bool {
        selectors.contains { $0.isOption && Self.nearestOption($0.name, of: nil) != nil }
    }

    /// Whether a line whose word is no verb can be about an action: it names records and gives only its options.
    private func mayBeAction(_ word: String) -> Bool {
        guard let verb, !wantsHelp, ReservedNames.isName(word), given.allSatisfy(verb.takes) else { return false }
        return invocation.terms.count > 1 || !selectors.isEmpty
    }

    private func unknownVerb(_ word: String) -> UsageError {
        // The word may be the value of an option that is misspelt.
        for selector in selectors where selector.isOption && Self.nearestOption(selector.name, of: nil) != nil {
            return Self.unknownOption(selector.name)
        }
        return Self.unknownVerb(word, among: verbs)
    }

    /// The error about a word that is neither a verb nor one of some actions, with the nearest of both as its hint.
    static func unknownVerb(_ word: String, among verbs: [Verb], actions: [String] = []) -> UsageError {
        let known = verbs.filter { !$0.isHidden }.flatMap(\.words) + actions
        let search = "claimsctl search '\(word)'"
        let near = Suggestion.question(word, among: known)
        return UsageError(
            en: "unknown verb '\(word)'", pl: "nieznane polecenie „\(word)”", isSuggestion: near != nil,
            hint: near
                ?? TranslatedText(en: "to look for it: \(search)", pl: "aby tego poszukać: \(search)"))
    }

    private func misplaced(_ option: Option, _ verb: Verb) -> UsageError {
        if option == .sort, verb.takesKeys {
            return UsageError(
                en: "'\(verb.word)' takes its keys as they are", pl: "„\(verb.word)” przyjmuje klucze bez opcji",
                hint: .example("claimsctl \(verb.word) --collection NAME -FIELD FIELD"))
        }
        if option == .host {
            return UsageError(
                en: "'\(verb.word)' has no option --host", pl: "„\(verb.word)” nie ma opcji --host",
                hint: TranslatedText(
                    en: "it asks no daemon, or only the one here", pl: "nie pyta demona albo pyta tylko tutejszego"))
        }
        let homes = verbs.filter { $0.takes(option) }.map(\.word).joined(separator: ", ")
        return UsageError(
            en: "'\(verb.word)' has no option --\(option.rawValue)",
            pl: "„\(verb.word)” nie ma opcji --\(option.rawValue)",
            hint: TranslatedText(en: "it belongs to: \(homes)", pl: "mają ją: \(homes)"))
    }

    /// A short option; its value is joined to it, comes after `=`, or is the next argument.
    private mutating func read(shortOption argument: String) throws(UsageError) {
        let letters = argument.dropFirst()
        if letters.count > 1, let near = Option(rawValue: String(letters))?.rawValue {
            throw Self.unknown(argument, hint: Suggestion.question("--\(near)"))
        }
        guard let letter = letters.first, let option = Option(short: letter) else {
            let near = letters.count > 2 ? Self.nearestOption(String(letters), of: verb) : nil
            throw Self.unknown(
                argument,
                hint: near.map { Suggestion.question("--\($0)") }
                    ?? TranslatedText(
                        en: "to look for such a text, put -- before it; long options have two hyphens",
                        pl: "aby poszukać takiego tekstu, postaw przed nim --; długie opcje mają dwa łączniki"))
        }
        let joined = letters.dropFirst()
        guard option.value != nil else {
            guard joined.isEmpty else {
                throw Self.unknown(
                    argument,
                    hint: TranslatedText(
                        en: "-\(letter) takes no value, and stands alone",
                        pl: "-\(letter) nie przyjmuje wartości i stoi osobno"))
            }
            given.append(option)
            return try apply(option, value: nil)
        }
        given.append(option)
        let value = joined.first == "=" ? joined.dropFirst() : joined
        try apply(option, value: joined.isEmpty ? try nextValue(of: argument) : String(value))
    }

    private mutating func read(longOption text: Substring) throws(UsageError) {
        let equals = text.firstIndex(of: "=")
        let name = String(text[..<(equals ?? text.endIndex)])
        guard let option = Option(long: name) else {
            return try read(selector: name, hasValue: equals != nil)
        }
        given.append(option)
        var value: String?
        if let equals {
            guard option.value != nil else {
                throw UsageError(en: "--\(name) takes no value", pl: "--\(name) nie przyjmuje wartości")
            }
            value = String(text[text.index(after: equals)...])
        } else if option.value != nil {
            value = try nextValue(of: "--\(name)")
        }
        try apply(option, value: value)
    }

    private mutating func apply(_ option: Option, value: String?) throws(UsageError) {
        let value = value ?? ""
        switch option {
        case .collection:
            if value.isEmpty { throw UsageError(en: "--collection needs a name", pl: "--collection wymaga nazwy") }
            read(Selector(value, isOption: false))
        case .help: wantsHelp = true
        case .version: wantsVersion = true
        default: try option.row.set?(&invocation, value, option)
        }
    }

    private mutating func nextValue(of option: String) throws(UsageError) -> String {
        guard position < arguments.count else {
            throw UsageError(en: "\(option) needs a value", pl: "\(option) wymaga wartości")
        }
        defer { position += 1 }
        return arguments[position]
    }

    /// An option that is none of ours names a collection; the daemon knows which there are.
    private mutating func read(selector name: String, hasValue: Bool) throws(UsageError) {
        let isName = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        if hasValue || name.isEmpty || !isName { throw Self.unknownOption(name, of: verb) }
        read(Selector(name, isOption: true))
    }

    private mutating func read(_ selector: Selector) {
        if !selectors.contains(where: { $0.name == selector.name }) { selectors.append(selector) }
    }

    /// The option that resembles `name` most, of those that the verb takes; of all where the verb is not known.
    private static func nearestOption(_ name: String, of verb: Verb?) -> String? {
        Suggestion.nearest(name, among: Option.allCases.filter { verb?.takes($0) ?? true }.map(\.rawValue))
    }

    /// The error about an unknown option, with the most similar option as its hint.
    ///
    /// - Parameter verb: the verb whose options are meant; nil for those of all verbs.
    public static func unknownOption(_ name: String, of verb: Verb? = nil) -> UsageError {
        let near = nearestOption(name, of: verb)
        return unknown("--\(name)", hint: near.map { Suggestion.question("--\($0)") })
    }

    private static func unknown(_ option: String, hint: TranslatedText?) -> UsageError {
        UsageError(en: "unknown option '\(option)'", pl: "nieznana opcja „\(option)”", hint: hint)
    }
}

// Readers of the values of options.

extension ArgumentParser {
    /// The path of a file.
    static func path(_ value: String, of option: Option) throws(UsageError) -> String {
        if !value.isEmpty { return value }
        throw UsageError(
            en: "--\(option.rawValue) needs the path of a file", pl: "--\(option.rawValue) wymaga ścieżki pliku")
    }

    /// Sets what an option can set only once.
    static func give(_ value: String, to property: inout String?, of option: Option) throws(UsageError) {
        if property != nil {
            throw UsageError(
                en: "--\(option.rawValue) is given twice", pl: "--\(option.rawValue) podano dwa razy")
        }
        property = value
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: String, of option: Option
    ) throws(UsageError) -> Choice {
        guard let choice = Choice(rawValue: value) else {
            let all = Choice.allCases.map(\.rawValue)
            let known = all.joined(separator: ", ")
            throw UsageError(
                en: "--\(option.rawValue) '\(value)' is none of \(known)",
                pl: "--\(option.rawValue) „\(value)” nie jest żadnym z: \(known)",
                hint: Suggestion.question(value, among: all))
        }
        return choice
    }

    /// Parses a span of time in the form of systemd.time(7), such as `1h 30m`.
    ///
    /// - Parameter option: the option's name, for the error.
    /// - Throws: a `UsageError` for text of another form.
    public static func span(_ value: String, of option: String) throws(UsageError) -> WrittenSpan {
        guard let duration = TimeSpan.parse(value) else {
            throw UsageError(
                en: "\(option) '\(value)' is no span of time", pl: "\(option) „\(value)” nie jest odcinkiem czasu",
                hint: .example("500ms, 30s, 10m, 1h 30m"))
        }
        return WrittenSpan(text: value, duration: duration)
    }

    /// Parses the purpose of requests.
    ///
    /// - Parameter option: the name of the option or variable, for the error.
    static func purpose(_ value: String, of option: String) throws(UsageError) -> Purpose {
        guard let purpose = Purpose(value) else {
            throw UsageError(
                en: "\(option): expected \(Purpose.expectation.english)",
                pl: "\(option): oczekiwano: \(Purpose.expectation.polish)", hint: .example("--purpose 'ticket 4711'"))
        }
        return purpose
    }

    static func host(_ value: String) throws(UsageError) -> RemoteHost {
        guard let host = RemoteHost(value) else {
            throw UsageError(
                en: "-H '\(value)' is no host", pl: "-H „\(value)” nie jest hostem",
                hint: .example("-H depot, -H anna@depot:2222, -H [::1]:22"))
        }
        return host
    }

    static func limit(_ value: String) throws(UsageError) -> Int {
        guard let limit = Int(value), limit >= 1, value.utf8.first != UInt8(ascii: "+") else {
            throw UsageError(
                en: "--limit '\(value)' is no number from 1", pl: "--limit „\(value)” nie jest liczbą od 1",
                hint: TranslatedText(en: "for all records: --all", pl: "wszystkie rekordy: --all"))
        }
        return limit
    }

    /// Splits a text at its commas, trims each part, and drops empty parts.
    public static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
    }
}
