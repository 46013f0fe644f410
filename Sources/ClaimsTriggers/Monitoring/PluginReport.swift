// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

/// The report of a monitoring plug-in: findings, lines for people, and performance data.
///
/// ```swift
/// var report = PluginReport()
/// report.findings.append(PluginFinding(.warning, "books: stale"))
/// report.performance.append(PluginValue("books.age", 252, unit: "s", warning: "600"))
/// print(report.text(.english))  // CLAIMSD WARNING - books: stale | books.age=252s;600;;0;
/// ```
struct PluginReport: Equatable {
    /// The findings, in the order in which they were made.
    var findings: [PluginFinding] = []
    /// The text of the first line if all is well and there are no findings.
    var summary = ""
    /// The lines after the first one.
    var lines: [String] = []
    var performance: [PluginValue] = []

    /// The maximum number of findings on the first line, which some monitoring systems cut at 1,024 bytes.
    private static let maxFindings = 8

    /// The worst status of all findings.
    var status: PluginStatus { PluginStatus.worst(of: findings.map(\.status)) }

    /// The whole report, with a newline at its end.
    func text(_ messages: Messages) -> String {
        var text = "CLAIMSD \(status.word) - \(Self.plain(headline(messages)))"
        if !performance.isEmpty { text += " | " + performance.map(\.text).joined(separator: " ") }
        return ([text] + lines.map(Self.plain)).joined(separator: "\n") + "\n"
    }

    /// The findings that are not ok, the worst first; if all are ok, these.
    private func headline(_ messages: Messages) -> String {
        let ranked = findings.enumerated().sorted { one, other in
            if one.element.status == other.element.status { return one.offset < other.offset }
            return PluginStatus.isWorse(one.element.status, than: other.element.status)
        }.map(\.element)
        let bad = ranked.filter { $0.status != .ok }
        let texts = (bad.isEmpty ? ranked : bad).compactMap(\.text)
        if texts.isEmpty { return summary }
        let rest = texts.count - Self.maxFindings
        return texts.prefix(Self.maxFindings).joined(separator: "; ")
            + (rest > 0 ? "; " + messages.andMore(Int64(rest)) : "")
    }

    /// A text in one line, without the character that begins performance data.
    private static func plain(_ text: String) -> String {
        Escaping.line(text).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "/")
    }
}

/// One thing that a plug-in has looked at.
struct PluginFinding: Equatable {
    let status: PluginStatus
    /// A text about it; nil if nothing needs to be said.
    let text: String?

    init(_ status: PluginStatus, _ text: String?) {
        self.status = status
        self.text = text
    }
}

/// A value of a plug-in's performance data, from 0 on: `label=value[unit];warning;critical;minimum;maximum`.
struct PluginValue: Equatable {
    let label: String
    let value: Int64
    let unit: String
    let warning: String
    let critical: String

    init(_ label: String, _ value: Int64, unit: String = "", warning: String = "", critical: String = "") {
        self.label = label
        self.value = value
        self.unit = unit
        self.warning = warning
        self.critical = critical
    }

    var text: String { "\(label)=\(value)\(unit);\(warning);\(critical);0;" }
}

/// The status that a monitoring plug-in reports. The raw value is its exit code.
enum PluginStatus: Int32, CaseIterable, Sendable {
    case ok, warning, critical, unknown

    /// The word on the plug-in's first line.
    var word: String {
        switch self {
        case .ok: "OK"
        case .warning: "WARNING"
        case .critical: "CRITICAL"
        case .unknown: "UNKNOWN"
        }
    }

    /// The severity: a certain problem is worse than a possible one, and that is worse than an unknown state.
    private var severity: Int {
        switch self {
        case .ok: 0
        case .unknown: 1
        case .warning: 2
        case .critical: 3
        }
    }

    static func isWorse(_ one: PluginStatus, than other: PluginStatus) -> Bool { one.severity > other.severity }

    /// The worst of several, in the order of the exit codes 2, 1, 3, 0; ok for none.
    static func worst(of all: [PluginStatus]) -> PluginStatus {
        all.reduce(.ok) { isWorse($1, than: $0) ? $1 : $0 }
    }
}

// The texts of `check`.

extension Messages {
    /// The number of matching records: `3 match`.
    func matching(_ count: Int64) -> String {
        self.count(count, Plural(en: ("matches", "match"), pl: ("pasuje", "pasują", "pasuje", "")))
    }

    /// A trigger with its state: `trigger documents: failing`.
    func checkedTrigger(_ name: String, _ state: String) -> String {
        text(en: "trigger \(name): \(state)", pl: "wyzwalacz \(name): \(state)")
    }

    /// The text that all collections are well.
    func allChecked(_ count: Int) -> String {
        if count == 0 {
            return text(
                en: "there is nothing to check: no collection is configured",
                pl: "nie ma czego sprawdzać: żadna kolekcja nie jest skonfigurowana")
        }
        let noun = Plural(
            en: ("collection is ok", "collections are ok"),
            pl: ("kolekcja jest w porządku", "kolekcje są w porządku", "kolekcji jest w porządku", ""))
        return self.count(count, noun)
    }
}
