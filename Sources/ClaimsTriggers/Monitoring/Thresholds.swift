// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

/// The ranges in which a number of matching records is fine.
struct Thresholds {
    private let warning: ThresholdRange?
    private let critical: ThresholdRange?

    /// Reads what was typed.
    ///
    /// - Throws: a usage error for what is no range.
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
            hint: ErrorText(
                en: "for example: 10 (0 to 10), 10: (10 or more), ~:10 (10 or less), @5:10 (not 5 to 10)",
                pl: "na przykład: 10 (od 0 do 10), 10: (10 lub więcej), ~:10 (10 lub mniej), @5:10 (nie od 5 do 10)"))
    }

    /// Adds what is to be said of a number. Without ranges any match is worth a warning.
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
