// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

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
    private var wantsHelp = false
    private var wantsVersion = false

    /// Stands in an invocation until its verb has come.
    private static let noVerb = Verb("", summary: "", details: "")

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

    private mutating func parse() throws(UsageError) -> Outcome {
        var optionsEnded = false
        while position < arguments.count {
            let argument = arguments[position]
            position += 1
            if optionsEnded {
                try take(term: argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument.hasPrefix("--") {
                try take(longOption: argument.dropFirst(2))
            } else if argument.hasPrefix("-"), argument.utf8.count > 1, !isKey(argument) {
                try take(shortOption: argument)
            } else {
                try take(term: argument)
            }
        }
        if wantsVersion { return .version }
        guard let verb else { return .help(nil, isAsked: wantsHelp) }
        if wantsHelp { return .help(verb, isAsked: true) }
        for option in given where !verb.takes(option) { throw misplaced(option, verb) }
        return .run(invocation)
    }

    /// In `sort`, `-` with two or more letters is a key that descends.
    private func isKey(_ argument: String) -> Bool {
        verb?.takesKeys == true && argument.utf8.count > 2
    }

    private mutating func take(term: String) throws(UsageError) {
        if verb != nil {
            invocation.terms.append(.argument(term))
        } else if let verb = verbs.first(where: { $0.words.contains(term) }) {
            invocation.verb = verb
        } else {
            throw unknownVerb(term)
        }
    }

    private func unknownVerb(_ word: String) -> UsageError {
        if let near = Suggestion.nearest(word, among: verbs.flatMap(\.words)) {
            return UsageError("unknown verb '\(word)'", hint: "did you mean '\(near)'?")
        }
        return UsageError("unknown verb '\(word)'", hint: "to look for it: claimsctl search '\(word)'")
    }

    private func misplaced(_ option: Option, _ verb: Verb) -> UsageError {
        if option == .sort, verb.takesKeys {
            return UsageError(
                "'\(verb.word)' takes its keys as they are",
                hint: "for example: claimsctl \(verb.word) --book -shelf author")
        }
        let homes = verbs.filter { $0.takes(option) }.map(\.word).joined(separator: ", ")
        return UsageError("'\(verb.word)' has no option --\(option.rawValue)", hint: "it belongs to: \(homes)")
    }

    private mutating func take(shortOption argument: String) throws(UsageError) {
        let letters = argument.dropFirst()
        guard let letter = letters.first, letters.count == 1, let option = Option(short: letter) else {
            if let letter = letters.first, let option = Option(short: letter), let name = option.value {
                throw UsageError(
                    "unknown option '\(argument)'",
                    hint: "\(name) is an argument of its own: -\(letter) \(letters.dropFirst())")
            }
            throw UsageError(
                "unknown option '\(argument)'",
                hint: "to look for such a text, put -- before it; long options have two hyphens")
        }
        given.append(option)
        try apply(option, value: option.value == nil ? nil : try nextValue(of: argument))
    }

    private mutating func take(longOption text: Substring) throws(UsageError) {
        let equals = text.firstIndex(of: "=")
        let name = String(text[..<(equals ?? text.endIndex)])
        guard let option = Option(long: name) else {
            return try take(selector: name, hasValue: equals != nil)
        }
        given.append(option)
        var value: String?
        if let equals {
            guard option.value != nil else { throw UsageError("--\(name) takes no value") }
            value = String(text[text.index(after: equals)...])
        } else if option.value != nil {
            value = try nextValue(of: "--\(name)")
        }
        try apply(option, value: value)
    }

    private mutating func nextValue(of option: String) throws(UsageError) -> String {
        guard position < arguments.count else { throw UsageError("\(option) needs a value") }
        defer { position += 1 }
        return arguments[position]
    }

    /// An option that is none of ours names a collection; the daemon knows which there are.
    private mutating func take(selector name: String, hasValue: Bool) throws(UsageError) {
        let isName = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        if hasValue || name.isEmpty || !isName { throw Self.unknownOption(name) }
        try take(Selector(name, isOption: true))
    }

    private mutating func take(_ selector: Selector) throws(UsageError) {
        if let other = invocation.selector, other.name != selector.name {
            throw UsageError(
                "two collections: '\(other.name)' and '\(selector.name)'", hint: "name one, or none for all of them")
        }
        invocation.selector = selector
    }

    /// The error about an unknown option, with the most similar option as its hint.
    public static func unknownOption(_ name: String) -> UsageError {
        let near = Suggestion.nearest(name, among: Option.allCases.map(\.rawValue))
        return UsageError("unknown option '--\(name)'", hint: near.map { "did you mean '--\($0)'?" })
    }
}

extension ArgumentParser {
    private mutating func apply(_ option: Option, value: String?) throws(UsageError) {
        let value = value ?? ""
        switch option {
        case .collection:
            if value.isEmpty { throw UsageError("--collection needs a name") }
            try take(Selector(value, isOption: false))
        case .output: invocation.output = try Self.choice(value, of: option)
        case .quiet: invocation.isQuiet = true
        case .color: invocation.color = try Self.choice(value, of: option)
        case .lang: invocation.language = value
        case .timeout: invocation.timeout = try Self.span(value, of: "--timeout")
        case .socket: invocation.socket = value
        case .help: wantsHelp = true
        case .version: wantsVersion = true
        case .sort: invocation.sort += Self.list(value)
        case .limit: invocation.limit = try Self.limit(value)
        case .all: invocation.wantsAll = true
        case .fields:
            if value == "help" { invocation.wantsFieldHelp = true } else { invocation.fields += Self.list(value) }
        case .view: invocation.view = value
        case .archived: invocation.archived = try Self.choice(value, of: option) as ArchivedMode
        case .group: invocation.isGrouped = true
        case .facets: invocation.facets += Self.list(value)
        case .filter:
            if invocation.filter != nil {
                throw UsageError("--filter is given twice", hint: "join them with 'and' or 'or'")
            }
            invocation.filter = value
        case .text: invocation.terms.append(.literal(value))
        case .exists: invocation.mustExist = true
        case .maxAge: invocation.maxAge = try Self.span(value, of: "--max-age")
        case .raw: invocation.wantsUpstream = true
        case .dryRun: invocation.isDryRun = true
        case .wait: invocation.waits = true
        case .force: invocation.isForced = true
        case .accept: invocation.accepts = true
        }
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: String, of option: Option
    ) throws(UsageError) -> Choice {
        guard let choice = Choice(rawValue: value) else {
            let all = Choice.allCases.map(\.rawValue)
            let near = Suggestion.nearest(value, among: all)
            throw UsageError(
                "--\(option.rawValue) '\(value)' is none of \(all.joined(separator: ", "))",
                hint: near.map { "did you mean '\($0)'?" })
        }
        return choice
    }

    /// Parses a span of time in the form of systemd.time(7), such as `1h 30m`, and returns it in milliseconds.
    ///
    /// - Parameter option: the option's name, for the error.
    /// - Throws: a `UsageError` for text of another form.
    public static func span(_ value: String, of option: String) throws(UsageError) -> Int64 {
        guard let duration = TimeSpan.parse(value) else {
            throw UsageError("\(option) '\(value)' is no span of time", hint: "for example: 500ms, 30s, 10m, 1h 30m")
        }
        return duration.wholeMilliseconds
    }

    private static func limit(_ value: String) throws(UsageError) -> Int {
        guard let limit = Int(value), limit >= 1, value.utf8.first != UInt8(ascii: "+") else {
            throw UsageError("--limit '\(value)' is no number from 1", hint: "for all records: --all")
        }
        return limit
    }

    /// Splits a text at its commas, trims each part, and drops empty parts.
    public static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
    }
}
