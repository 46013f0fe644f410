// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads one trigger, merged from its files, and reports all mistakes in it.
struct TriggerReader {
    private let name: String
    private let root: ConfigurationNode

    init(name: String, node: JSON5Node, log: ProblemLog) {
        self.name = name
        root = ConfigurationNode(node: node, keyPath: "", log: log)
    }

    /// The keys of a trigger's file.
    static let keys = [
        "collection", "view", "filter", "archived", "fields", "time_zone", "events", "first", "every", "at", "command",
        "timeout",
    ]

    /// The trigger; nil if anything is wrong.
    func read() -> TriggerDefinition? {
        guard let object = root.object(Self.keys) else { return nil }
        if object["collection"] == nil { object.complain(missing: "collection", "the name of a collection") }
        let collection = object["collection"]?.name("the name of a collection")
        let view = object["view"].flatMap { $0.name("the name of a view") }
        let filter = object["filter"].flatMap { $0.name("a filter") }
        let archived = object["archived"].flatMap { $0.choice(ArchivedMode.self) }
        let fields = object["fields"].flatMap { readFields($0) }
        let timeZone = object["time_zone"].flatMap { $0.name("the name of a time zone, such as \"Europe/Warsaw\"") }
        let events = object["events"].flatMap { readEvents($0) }
        let first = object["first"].flatMap { $0.choice(TriggerDefinition.First.self) }
        let pace = readPace(object)
        let command = object["command"].flatMap { readCommand($0) }
        let timeout = object["timeout"].flatMap { $0.span(in: TriggerDefinition.timeoutRange) }
        guard let collection, root.log.problems.isEmpty else { return nil }
        return TriggerDefinition(
            name: name, collection: collection, view: view, filter: filter, archived: archived ?? .exclude,
            fields: fields, timeZone: timeZone, events: events ?? [.added], first: first ?? .skip,
            pace: pace ?? .every(.zero), command: command, timeout: timeout ?? TriggerDefinition.standardTimeout)
    }

    private func readFields(_ node: ConfigurationNode) -> [String]? {
        guard let elements = node.elements(of: "an array of field names") else { return nil }
        if elements.isEmpty { node.complain("expected at least one name of a field; without the key all are told") }
        var names: [String] = []
        for element in elements {
            guard let name = element.name("the name of a field") else { continue }
            if names.contains(name) { element.complain("'\(name)' is in the list already") }
            names.append(name)
        }
        return names
    }

    private func readEvents(_ node: ConfigurationNode) -> Set<TriggerDefinition.Event>? {
        let names = TriggerDefinition.Event.allCases.map(\.rawValue)
        guard let elements = node.elements(of: "an array of \(names.joined(separator: ", "))") else { return nil }
        if elements.isEmpty { node.complain("expected at least one of \(names.joined(separator: ", "))") }
        var events: Set<TriggerDefinition.Event> = []
        for element in elements {
            guard let event = element.choice(TriggerDefinition.Event.self) else { continue }
            if !events.insert(event).inserted { element.complain("'\(event.rawValue)' is in the list already") }
        }
        return events
    }

    private func readPace(_ object: ConfigurationObject) -> TriggerDefinition.Pace? {
        let every = object["every"].flatMap { $0.span(in: .zero...TriggerDefinition.maxEvery) }
        guard let node = object["at"] else { return every.map { .every($0) } }
        // A null removes the value of the vendor's file.
        if let other = object["every"] {
            let isLater = (other.node.line, other.node.column) > (node.node.line, node.node.column)
            let later = isLater && other.node.file == node.node.file ? other : node
            later.complain("'every' and 'at' exclude each other; null takes one of them back")
        }
        var times: [Int] = []
        let expected = "a time such as \"08:00\", or an array of times"
        let elements: [ConfigurationNode]
        if case .string = node.node.value { elements = [node] } else { elements = node.elements(of: expected) ?? [] }
        if elements.isEmpty, case .array = node.node.value { node.complain(expected: expected) }
        let maximum = TriggerDefinition.maxTimes
        if elements.count > maximum { node.complain("more than \(maximum) times") }
        for element in elements {
            guard let text = element.string(expected) else { continue }
            guard let time = Self.minutes(text) else {
                element.complain(expected: "a time from \"00:00\" to \"23:59\"")
                continue
            }
            if times.contains(time) { element.complain("'\(text)' is in the list already") }
            times.append(time)
        }
        return .at(times.sorted())
    }

    /// The minutes after midnight that a text `HH:MM` names; nil for any other text.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }),
            parts.joined().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let hour = Int(String(decoding: parts[0], as: UTF8.self)), hour < 24,
            let minute = Int(String(decoding: parts[1], as: UTF8.self)), minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private func readCommand(_ node: ConfigurationNode) -> [String]? {
        let expected = "an array of a program and its arguments, such as [\"/usr/share/claimsd/actions/mail\", \"a@b\"]"
        guard let elements = node.elements(of: expected) else { return nil }
        if elements.isEmpty { node.complain(expected: expected) }
        let words = elements.compactMap { element -> String? in
            guard let word = element.string("a string") else { return nil }
            if word.utf8.contains(0) { element.complain("no argument can have a NUL in it") }
            return word
        }
        if let first = elements.first, let program = words.first, !program.hasPrefix("/") {
            first.complain(expected: "the absolute path of a program")
        }
        return words
    }
}

extension ConfigurationNode {
    /// One of the words of an enumeration.
    fileprivate func choice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) -> Choice? {
        let names = Choice.allCases.map(\.rawValue)
        let expected = "one of \(names.joined(separator: ", "))"
        guard let text = string(expected) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let hint = Suggestion.hint(text, among: names)
        complain(hint.map { "'\(text)' is not \(expected); \($0)" } ?? "expected \(expected), found '\(text)'")
        return nil
    }

    /// A span of time within bounds.
    fileprivate func span(in range: ClosedRange<Duration>) -> Duration? {
        let count = log.problems.count
        guard let span = span() else { return nil }
        if !range.contains(span), log.problems.count == count {
            complain(
                expected: "a span of time from \(TimeSpan.text(of: range.lowerBound)) to "
                    + TimeSpan.text(of: range.upperBound))
            return nil
        }
        return span
    }
}

extension Configuration {
    /// The folder below that of a layer that holds the triggers.
    public static let triggerFolder = "triggers.d"

    /// Reads the triggers of `triggers.d`, the site's files merged over the vendor's, ordered by name.
    ///
    /// It never fails: each file has its problems, and folders that cannot be read are among `problems`.
    ///
    /// - Returns: the files, and the problems of folders.
    public static func loadTriggers(
        configDirectory: String, dataDirectory: String, files: ConfigurationFiles
    ) -> (files: [(name: String, file: MergedFile<TriggerDefinition>)], problems: [ConfigurationProblem]) {
        let loader = ConfigurationLoader(layers: [(.vendor, dataDirectory), (.site, configDirectory)], files: files)
        return loader.loadTriggers()
    }
}
