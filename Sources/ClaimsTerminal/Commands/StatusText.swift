// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The text of `status` around its table: a verdict and the daemon above, what is to be said and done below.
struct StatusText {
    private let answer: AnswerValue
    private let time: LocalTime
    private let files: DaemonFiles
    private let options: TextOptions
    private let concerns: [Concern]
    private var messages: Messages { options.messages }

    /// The titles shown for the names of collections outside of commands; a name without a title is shown itself.
    var titles: [String: String] = [:]

    /// The fleet in a line; nil where there is none.
    var fleet: String?

    /// The number of collections that the verdict names.
    private static let maxNamed = 8
    /// The number of removed collections that have a remark each; more of them share one.
    private static let maxRemarkedRemovals = 3

    init(_ answer: AnswerValue, time: LocalTime, unit: DaemonUnit?, _ options: TextOptions) {
        self.answer = answer
        self.time = time
        files = DaemonFiles(answer, unit: unit)
        self.options = options
        concerns = answer[StatusResult.collections].flatMap { Concern.all(of: $0, options.messages) }
    }

    /// The collections, those with the worst concern first, and those alike as the daemon orders them.
    var worstFirst: [AnswerValue] {
        let severities = answer[StatusResult.collections].map { ($0, severity(of: name($0))) }
        return severities.enumerated().sorted {
            ($1.element.1?.rawValue ?? -1, $0.offset) < ($0.element.1?.rawValue ?? -1, $1.offset)
        }.map(\.element.0)
    }

    /// A collection as the verdict and the remarks name it.
    private func shown(_ collection: String) -> String { titles[collection] ?? collection }

    private func name(_ collection: AnswerValue) -> String { collection[StatusResult.Collection.name] ?? "" }

    private func severity(of collection: String) -> Concern.Severity? {
        concerns.filter { $0.collection == collection }.map(\.severity).max()
    }

    /// The verdict, and the daemon in a line.
    var heading: String {
        let verdict = verdict
        let lines = Fitting.wrap(Escaping.line(verdict.text), to: options.lineWidth)
        let style: Style = verdict.isWell ? .bold : .warning
        return lines.map { style.apply(to: $0, isColored: options.isColored) + "\n" }.joined()
            + Fitting.hang(daemonLine, to: options.lineWidth, indent: 2) + "\n"
            + (fleet.map { Fitting.hang($0, to: options.lineWidth, indent: 2) + "\n" } ?? "")
    }

    /// How all is in a few words: `2 of 5 collections need attention: units, packs.`
    var verdict: (text: String, isWell: Bool) {
        let all = worstFirst.map(name)
        let needy = all.filter { severity(of: $0)?.needsAttention ?? false }
        let idle = answer[StatusResult.collections].filter { collection in
            AnswerMeta(collection[StatusResult.Collection.meta])?.state == "unconfigured"
                && !needy.contains(name(collection))
        }.count
        var parts: [String] = []
        func names(_ collections: [String]) -> String {
            collections.prefix(Self.maxNamed).map(shown).joined(separator: ", ")
                + (collections.count > Self.maxNamed ? ", …" : "")
        }
        let old = all.filter { severity(of: $0) == .old }
        if !needy.isEmpty {
            parts.append(messages.needAttention(needy.count, of: all.count, names(needy)))
            if !old.isEmpty { parts.append(messages.alsoStale(names(old))) }
        } else if old.isEmpty {
            parts.append(messages.allWell(all.count - idle, idle: idle))
        } else {
            parts.append(messages.onlyStale(old.count, names(old)))
        }
        let problems = ProblemText.total(answer)
        if problems > 0 { parts.append(messages.mistakes(problems)) }
        let stuck = answer[StatusResult.outbox]?[StatusResult.Outbox.stuck] ?? 0
        if stuck > 0 { parts.append(messages.operationsStuck(Int64(stuck))) }
        return (parts.joined(separator: " "), needy.isEmpty && problems == 0 && stuck == 0)
    }

    /// `claimsd 0.1.0, up 3 h, 4 clients, 31 MiB of memory, 12 MiB on disk`
    private var daemonLine: String {
        var parts = ["claimsd \(Escaping.line(answer[StatusResult.version] ?? ""))"]
        if let uptime = answer[StatusResult.uptime] { parts.append(messages.up(uptime)) }
        if let clients = answer[StatusResult.clients] { parts.append(messages.count(clients, .clients)) }
        if let memory = answer[StatusResult.memory] { parts.append(messages.memory(memory)) }
        if let disk = answer[StatusResult.disk] { parts.append(messages.onDisk(disk)) }
        if let log = answer[StatusResult.keptLog] { parts.append(messages.keptLog(log)) }
        return parts.joined(separator: ", ")
    }

    /// All that stands below the table.
    var remarks: String {
        let (width, isColored) = (options.lineWidth, options.isColored)
        return groups.map(text).joined()
            + OutboxLines.text(answer[StatusResult.outbox], time: time, width: width, isColored: isColored)
            + HostLines.text(answer[StatusResult.hosts], time: time, width: width, isColored: isColored)
            + removals
            + DriftText.text(answer[StatusResult.drift], messages, width: width, isColored: isColored)
            + ProblemText.text(answer, messages, width: width, isColored: isColored, files: files)
    }

    /// The concerns that share a cause, the worst first; the same server may have left some fresh and some old.
    private var groups: [[Concern]] {
        var groups: [[Concern]] = []
        let ranked = concerns.enumerated().sorted {
            ($1.element.severity.rawValue, $0.offset) < ($0.element.severity.rawValue, $1.offset)
        }
        for concern in ranked.map(\.element) {
            if let index = groups.firstIndex(where: { $0[0].isTold(with: concern) }) {
                groups[index].append(concern)
            } else {
                groups.append([concern])
            }
        }
        return groups
    }

    private func text(_ group: [Concern]) -> String {
        // The sites of a collection are described together.
        let sites = group.compactMap(\.site)
        let told = sites.isEmpty ? group : [group[0]]
        let names = told.map { Escaping.line($0.collection) }
        let subject = told.map { Escaping.line(shown($0.collection)) }.joined(separator: ", ")
        let within = sites.isEmpty ? "" : "\(sites.joined(separator: ", ")): "
        let at = group.compactMap(\.at).max().map(time.clock)
        var parts = [messages.failed(group[0].cause, at: at, isHeld: group[0].isHeld)]
        if let next = group.compactMap(\.next).min() {
            let distance = next < time.now + 1000 ? nil : time.relative(next)
            parts.append(messages.nextRefresh(distance, isAnotherTry: group[0].at != nil))
        }
        let line = Escaping.line("\(subject): \(within)\(parts.joined(separator: ", "))")
        var lines = Fitting.wrap(line, to: max(20, options.lineWidth - 2))
        // The names are bold where they fit the first line.
        if lines[0].hasPrefix(subject) {
            let title = Style.bold.apply(to: subject, isColored: options.isColored)
            lines[0] = title + lines[0].dropFirst(subject.count)
        }
        var text = "\n" + lines.joined(separator: "\n  ") + "\n"
        if let advice = group[0].advice.text(names, files: files, messages) {
            text += "  \(Fitting.hang(Escaping.line(advice), to: max(20, options.lineWidth - 2), indent: 4))\n"
        }
        return text
    }

    /// The collections that have lost their definitions, how long they are kept, and how to erase them now.
    private var removals: String {
        let removed = answer[StatusResult.removed]
        if removed.count > Self.maxRemarkedRemovals {
            let line = Fitting.hang(removedInAll ?? "", to: options.lineWidth, indent: 2)
            let advice = Fitting.hang(messages.eraseNow(nil), to: max(20, options.lineWidth - 2), indent: 4)
            return "\n\(line)\n  \(advice)\n"
        }
        var text = ""
        for collection in removed {
            guard let name = collection[StatusResult.Removed.collection].map(Escaping.line) else { continue }
            let until = collection[StatusResult.Removed.until]?.text
            let end = until.flatMap { Instant.parse($0)?.ms }.map(time.clock) ?? until.map(Escaping.line)
            let records = Int64(collection[StatusResult.Removed.records] ?? 0)
            let line = Fitting.hang(
                "\(name): \(messages.definitionRemoved(records, until: end))", to: options.lineWidth, indent: 2)
            text += "\n" + Style.bold.apply(to: name, isColored: options.isColored) + line.dropFirst(name.count) + "\n"
            text += "  \(Fitting.hang(messages.eraseNow(name), to: max(20, options.lineWidth - 2), indent: 4))\n"
        }
        return text
    }

    /// The collections that have lost their definitions in one line; nil if there are none.
    private var removedInAll: String? {
        let removed = answer[StatusResult.removed]
        guard !removed.isEmpty else { return nil }
        let names = removed.prefix(Self.maxNamed).compactMap { $0[StatusResult.Removed.collection].map(Escaping.line) }
        let records = removed.reduce(0) { $0 &+ Int64($1[StatusResult.Removed.records] ?? 0) }
        let first = removed.compactMap { $0[StatusResult.Removed.until]?.text }.compactMap { Instant.parse($0)?.ms }
            .min()
        return messages.definitionsRemoved(
            removed.count, names.joined(separator: ", ") + (removed.count > names.count ? ", …" : ""), records,
            until: first.map(time.clock))
    }

    /// The remarks for which lines of data have no room, one a line: mistakes in the configuration, and removed collections.
    var notices: [String] {
        let problems = ProblemText.total(answer)
        let mistakes = problems > 0 ? messages.mistakes(problems, toSee: files.check) : nil
        return [mistakes].compactMap(\.self) + ProblemText.warnings(answer, messages)
            + [removedInAll].compactMap(\.self)
    }
}

extension Concern {
    /// Whether one line describes both: the same cause, of collections or of sites of one collection.
    fileprivate func isTold(with other: Concern) -> Bool {
        let isAlike = site == nil ? other.site == nil : other.site != nil && other.collection == collection
        return cause == other.cause && isAlike
    }
}

/// The texts of `status` without its table, for a screen that draws a table of its own. Collections have their titles.
public struct StatusSummary {
    private var text: StatusText

    /// - Parameters:
    ///   - unit: the unit of the daemon that has answered; nil if it is not known.
    ///   - width: the cells of a line.
    public init(_ answer: AnswerValue, time: LocalTime, unit: DaemonUnit?, width: Int) {
        let options = TextOptions(
            width: width, lineWidth: width, isColored: false, isWide: false, messages: time.messages, plot: nil)
        text = StatusText(answer, time: time, unit: unit, options)
        typealias Entry = StatusResult.Collection
        let titles = answer[StatusResult.collections].compactMap { entry in
            entry[Entry.name].map { ($0, entry[Entry.title] ?? $0) }
        }
        text.titles = Dictionary(titles, uniquingKeysWith: { first, _ in first })
    }

    /// The verdict about all collections, and whether none of them needs anybody.
    public var verdict: (text: String, isWell: Bool) { text.verdict }

    /// The names of the collections that need somebody, as the verdict counts them.
    public static func needyCollections(_ answer: AnswerValue) -> Set<String> {
        let concerns = answer[StatusResult.collections].flatMap { Concern.all(of: $0, .english) }
        return Set(concerns.filter(\.severity.needsAttention).map(\.collection))
    }

    /// The lines of the remarks: failures with what to do about them, hosts that are waited for, operations, mistakes in
    /// the configuration. Each group has an empty line before it.
    public var remarks: [String] {
        text.remarks.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// The lines of `status` about hosts that are waited for.
enum HostLines {
    /// The maximum number of hosts that are shown.
    private static let maxShown = 16

    /// The lines, an empty one before them; empty if no host is waited for.
    static func text(_ hosts: [AnswerValue], time: LocalTime, width: Int, isColored: Bool) -> String {
        typealias Host = StatusResult.Host
        let awaited = hosts.filter { $0[Host.waiting] ?? 0 > 0 || $0[Host.until] != nil }
        guard !awaited.isEmpty else { return "" }
        let title = time.messages.awaitedHosts
        var text = "\n" + Style.bold.apply(to: title, isColored: isColored) + ":\n"
        for host in awaited.prefix(maxShown) {
            text += "  " + Fitting.hang(line(host, time), to: max(20, width - 2), indent: 4) + "\n"
        }
        if awaited.count > maxShown { text += "  …\n" }
        return text
    }

    private static func line(_ host: AnswerValue, _ time: LocalTime) -> String {
        typealias Host = StatusResult.Host
        let messages = time.messages
        var parts: [String] = []
        if let until = host[Host.until]?.string.flatMap({ Instant.parse($0) }) {
            parts.append(messages.hostClosed(until: time.short(until.ms)))
        }
        if let count = host[Host.inFlight], count > 0 { parts.append(messages.requestsUnderWay(count)) }
        if let count = host[Host.waiting], count > 0 { parts.append(messages.requestsWaiting(count)) }
        let rate = host[Host.rate]
        parts.append(messages.hostLimits(host[Host.concurrency] ?? 0, rate: rate))
        return Escaping.line("\(host[Host.host] ?? ""): \(parts.joined(separator: ", "))")
    }
}

/// The lines of `status` about operations that are to go to upstreams.
enum OutboxLines {
    /// The lines, an empty one before them; empty if no operation is under way.
    static func text(_ outbox: AnswerValue?, time: LocalTime, width: Int, isColored: Bool) -> String {
        typealias Outbox = StatusResult.Outbox
        guard let outbox else { return "" }
        let (queued, accepted) = (outbox[Outbox.queued] ?? 0, outbox[Outbox.accepted] ?? 0)
        let stuck = outbox[Outbox.stuck] ?? 0
        guard queued + accepted + stuck > 0 else { return "" }
        var parts: [String] = []
        let messages = time.messages
        if queued > 0 { parts.append(messages.queued(queued)) }
        if accepted > 0 { parts.append(messages.accepted(accepted)) }
        if stuck > 0 { parts.append(messages.stuck(stuck)) }
        if let oldest = outbox[Outbox.oldest] { parts.append(messages.oldest(oldest)) }
        var text = "\n" + Style.bold.apply(to: messages.outbox, isColored: isColored)
        text +=
            Fitting.hang("\(messages.outbox): " + parts.joined(separator: ", "), to: width, indent: 2)
            .dropFirst(messages.outbox.count) + "\n"
        if stuck > 0 { text += "  \(messages.seeStuck)\n" }
        for origin in outbox[Outbox.paused] {
            text += "  " + Fitting.hang(line(paused: origin, time), to: max(20, width - 2), indent: 4) + "\n"
        }
        return text
    }

    /// An origin that is not sent to now, as a sentence.
    static func line(paused origin: AnswerValue, _ time: LocalTime) -> String {
        let next = origin[PausedOrigin.nextTry]?.string.flatMap { Instant.parse($0) }.map { time.short($0.ms) } ?? ""
        let reason = FreshnessLine.clause(origin[PausedOrigin.reason] ?? "")
        return time.messages.paused(Escaping.line(origin[PausedOrigin.origin] ?? ""), reason, next: next)
    }
}
