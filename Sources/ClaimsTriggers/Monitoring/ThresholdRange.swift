// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

/// A range of values without alert, as monitoring plug-ins take it after `-w` and `-c`.
///
/// | text | alerts |
/// |---|---|
/// | `10` | below 0 and above 10 |
/// | `10:` | below 10 |
/// | `~:10` | above 10 |
/// | `10:20` | below 10 and above 20 |
/// | `@10:20` | from 10 to 20 |
///
/// The form is that of the Monitoring Plugins Development Guidelines. Numbers are decimal, with a sign or a fraction.
struct ThresholdRange: Equatable {
    /// The range as it was written; plug-ins repeat it behind the value.
    let text: String
    private let low: Double
    private let high: Double
    /// Whether the values of the range alert, and not those outside of it.
    private let isInverted: Bool

    /// The maximum length of a range, in bytes.
    private static let maxLength = 64

    /// Reads a range; nil for any other text, and for a range whose start is above its end.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maxLength else { return nil }
        self.text = text
        isInverted = text.hasPrefix("@")
        let parts = text.dropFirst(isInverted ? 1 : 0).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let last = parts.last else { return nil }
        if parts.count == 1 {
            guard let end = Self.number(last) else { return nil }
            (low, high) = (0, end)
        } else {
            guard let start = Self.start(parts[0]), let end = last.isEmpty ? .infinity : Self.number(last) else {
                return nil
            }
            (low, high) = (start, end)
        }
        guard low <= high else { return nil }
    }

    /// Whether the value alerts.
    func alerts(_ value: Int64) -> Bool {
        let value = Double(value)
        return (value >= low && value <= high) == isInverted
    }

    private static func start(_ text: Substring) -> Double? {
        switch text {
        case "": 0
        case "~": -.infinity
        default: number(text)
        }
    }

    /// A decimal number; nil for everything else that Swift reads as one, such as `nan`, `inf` or `0x1p3`.
    private static func number(_ text: Substring) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
        else { return nil }
        return Double(text)
    }
}

/// The ranges in which a number of matching records is fine.
struct Thresholds {
    private let warning: ThresholdRange?
    private let critical: ThresholdRange?

    /// Reads the typed ranges.
    ///
    /// - Throws: a usage error for an invalid range.
    init(_ options: ThresholdOptions) throws(UsageError) {
        warning = try Self.range(options.warning, of: "-w")
        critical = try Self.range(options.critical, of: "-c")
    }

    var isEmpty: Bool { warning == nil && critical == nil }

    private static func range(_ text: String?, of option: String) throws(UsageError) -> ThresholdRange? {
        guard let text else { return nil }
        if let range = ThresholdRange(text) { return range }
        throw UsageError(
            en: "\(option) '\(text)' is no range", pl: "\(option) „\(text)” nie jest zakresem",
            hint: TranslatedText(
                en: "for example: 10 (0 to 10), 10: (10 or more), ~:10 (10 or less), @5:10 (not 5 to 10)",
                pl: "na przykład: 10 (od 0 do 10), 10: (10 lub więcej), ~:10 (10 lub mniej), @5:10 (nie od 5 do 10)"))
    }

    /// Adds the finding about a number. Without ranges any match is worth a warning.
    func judge(_ count: Int64, of collection: String, _ messages: Messages, in report: inout PluginReport) {
        let warning = isEmpty ? ThresholdRange("0") : warning
        let status: PluginStatus =
            if critical?.alerts(count) == true {
                .critical
            } else if warning?.alerts(count) == true {
                .warning
            } else {
                .ok
            }
        report.findings.append(PluginFinding(status, "\(collection): \(messages.matching(count))"))
        report.performance.append(
            PluginValue(
                "\(collection).matches", count, warning: warning?.text ?? "", critical: critical?.text ?? ""))
    }
}
