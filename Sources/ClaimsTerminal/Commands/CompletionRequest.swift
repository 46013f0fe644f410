// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The candidates that a command line asks for where its last word is being typed. It is made of the words alone, and
/// asks nobody.
///
/// ```swift
/// let request = CompletionRequest(["search", "--book", "shelf=a"], verbs: verbs)
/// // request.sources == [.codes(field: "shelf")], request.prefix == "shelf=", request.stem == "a"
/// ```
struct CompletionRequest: Equatable {
    /// Where candidates come from.
    enum Source: Equatable {
        case words([String])
        /// The options of claimsctl and the singulars of all collections, each with two hyphens.
        case selectors
        /// The names of the collections, each followed by this text.
        case collections(suffix: String)
        /// The fields, each followed by this text.
        case fields(suffix: String)
        /// The fields that an action takes, each followed by `=`.
        case inputs(action: String)
        case codes(field: String)
        case views
        /// The fields and the named orders.
        case keys
        case ids
        /// The names of actions.
        case actions
    }

    private(set) var sources: [Source] = []
    /// Whether the name of a file can stand there.
    private(set) var takesFiles = false
    /// The part of the last word that stays before each candidate.
    private(set) var prefix = ""
    /// The part of the last word that a candidate begins with.
    private(set) var stem = ""
    /// The collection that the line selects, by name or singular; nil for none.
    private(set) var collection: String?
    /// The path of the socket that the line names; nil for none.
    private(set) var socket: String?
    /// The other host that the line names; nil for none, and for what is no host.
    private(set) var host: RemoteHost?

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - words: the words after the program's name, up to the one that is being typed, which may be empty.
    ///   - verbs: all verbs of the program.
    init(_ words: [String], verbs: [Verb]) {
        var line = Line(verbs: verbs)
        for word in words.dropLast() { line.read(word) }
        collection = line.collection
        socket = line.socket
        host = line.host
        complete(words.last ?? "", line)
    }

    private mutating func complete(_ word: String, _ line: Line) {
        stem = word
        if let option = line.awaited { return complete(value: word, of: option) }
        if !line.haveOptionsEnded, word.hasPrefix("--"), let equals = word.firstIndex(of: "="),
            let option = Option(long: word[word.index(word.startIndex, offsetBy: 2)..<equals])
        {
            prefix = String(word[...equals])
            stem = String(word[word.index(after: equals)...])
            return complete(value: stem, of: option)
        }
        guard let verb = line.verb else {
            if word.hasPrefix("-") { return completeOptions(nil) }
            sources = [.words(line.verbs.filter { !$0.isHidden }.flatMap(\.words))]
            return
        }
        if !line.haveOptionsEnded, word.hasPrefix("-") {
            completeOptions(verb)
            // In `sort` a hyphen before a key makes it descend.
            if verb.takesKeys, !word.hasPrefix("--") {
                prefix = "-"
                stem = String(word.dropFirst())
                sources = [.keys]
            }
            return
        }
        if verb.terms == .topics {
            sources = [.words(line.verbs.filter { !$0.isHidden }.flatMap(\.words) + HelpText.topics)]
        } else {
            complete(term: word, of: verb, line)
        }
    }

    private mutating func completeOptions(_ verb: Verb?) {
        let options = Option.allCases.filter { verb?.takes($0) ?? ($0.isCommon || $0 == .collection) }
        sources = [.words(options.map { "--\($0.rawValue)" })]
        if verb?.takesSelector ?? true, collection == nil { sources.append(.selectors) }
    }

    private mutating func complete(value: String, of option: Option) {
        switch option.row.offers {
        case .nothing: break
        case .words(let words): sources = [.words(words)]
        case .files: takesFiles = true
        case .collections: sources = [.collections(suffix: "")]
        case .views: sources = [.views]
        case .fields: completeList([.fields(suffix: "")])
        case .keys:
            completeList([.keys])
            readHyphen()
        case .filter: complete(filter: value)
        case .ids: completeID()
        }
    }

    /// An id, or after at least one of them a field of an action with its value.
    ///
    /// - Parameter hasID: whether an id is there already.
    private mutating func completeEdit(_ word: String, by action: String, hasID: Bool) {
        if hasID, word.utf8.contains(UInt8(ascii: "=")) { return complete(filter: word) }
        completeID()
        if hasID { sources.append(.inputs(action: action)) }
    }

    private mutating func complete(term word: String, of verb: Verb, _ line: Line) {
        if verb == .attempt {
            takesFiles = true
            sources = [.collections(suffix: "")]
            return
        }
        switch verb.terms {
        case .nothing, .topics: break
        case .filters: complete(filter: word)
        case .fields:
            if FilterComposer.isFilter(word) { complete(filter: word) } else { completeList([.fields(suffix: "")]) }
        case .keys: sources = [.keys]
        case .ids:
            takesFiles = verb == .share && line.terms > 0
            completeID()
        case .actions:
            guard let action = line.firstTerm else { return sources = [.actions] }
            completeEdit(word, by: action, hasID: line.terms > 1)
        case .edits: completeEdit(word, by: "update", hasID: line.terms > 0)
        case .assignments:
            if word.utf8.contains(UInt8(ascii: "=")) {
                complete(filter: word)
            } else {
                sources = [.inputs(action: "create")]
            }
        case .words(let words): sources = [.words(words)]
        }
    }

    /// Fields, or after an operator the codes of the field.
    private mutating func complete(filter word: String) {
        let bytes = Array(word.utf8)
        let name = bytes.prefix { ArgumentShape.isNameByte($0) }
        let rest = bytes[name.count...]
        if rest.isEmpty {
            sources = [.fields(suffix: "=")]
            return
        }
        let operators = ["!=", "="].map { Array($0.utf8) }
        guard !name.isEmpty, let sign = operators.first(where: rest.starts(with:)) else { return }
        sources = [.codes(field: String(decoding: name, as: UTF8.self))]
        split(word, afterLast: ",", from: name.count + sign.count)
    }

    private mutating func completeID() {
        if collection == nil {
            guard let slash = stem.firstIndex(of: "/") else {
                sources = [.collections(suffix: "/")]
                return
            }
            collection = String(stem[..<slash])
            split(stem, afterLast: "", from: stem.utf8.distance(from: stem.startIndex, to: slash) + 1)
        }
        sources = [.ids]
    }

    private mutating func completeList(_ sources: [Source]) {
        self.sources = sources
        split(stem, afterLast: ",", from: 0)
    }

    private mutating func readHyphen() {
        guard stem.hasPrefix("-") else { return }
        prefix += "-"
        stem = String(stem.dropFirst())
    }

    /// Divides a word into what stays and what is completed: after the last separator, but not before an offset.
    private mutating func split(_ word: String, afterLast separator: String, from offset: Int) {
        let bytes = Array(word.utf8)
        var start = offset
        if let sign = separator.utf8.first, let last = bytes[offset...].lastIndex(of: sign) { start = last + 1 }
        prefix += String(decoding: bytes[..<start], as: UTF8.self)
        stem = String(decoding: bytes[start...], as: UTF8.self)
    }
}

/// The words before the one that is being typed. None of them is an error.
private struct Line {
    let verbs: [Verb]
    var verb: Verb?
    var collection: String?
    var socket: String?
    var host: RemoteHost?
    var haveOptionsEnded = false
    /// How many words after the verb are no options, and the first of them.
    var terms = 0
    var firstTerm: String?
    /// The option whose value the next word is.
    var awaited: Option?

    init(verbs: [Verb]) { self.verbs = verbs }

    mutating func read(_ word: String) {
        if let option = awaited {
            awaited = nil
            return record(word, of: option)
        }
        if haveOptionsEnded || !word.hasPrefix("-") || word == "-" {
            if verb == nil {
                verb = verbs.first { $0.words.contains(word) }
            } else {
                terms += 1
                firstTerm = firstTerm ?? word
            }
        } else if word == "--" {
            haveOptionsEnded = true
        } else if word.hasPrefix("--") {
            read(longOption: word.dropFirst(2))
        } else if let letter = word.dropFirst().first, let option = Option(short: letter), option.value != nil {
            if word.utf8.count == 2 {
                awaited = option
            } else {
                record(String(word.dropFirst(word.dropFirst(2).first == "=" ? 3 : 2)), of: option)
            }
        }
    }

    private mutating func read(longOption text: Substring) {
        let name = text.prefix { $0 != "=" }
        let value = text.dropFirst(name.count + 1)
        guard let option = Option(long: name) else {
            collection = collection ?? String(name)
            return
        }
        guard option.value != nil else { return }
        if name.count == text.count { awaited = option } else { record(String(value), of: option) }
    }

    private mutating func record(_ value: String, of option: Option) {
        if option == .collection { collection = value }
        if option == .socket { socket = value }
        if option == .host { host = RemoteHost(value) }
    }
}
