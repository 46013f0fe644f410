// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// The status text for `systemctl status` (sd_notify(3), `STATUS=`).
enum StatusLine {
    /// The text, such as "5 collections, packs stale for 12 min; 3 clients".
    ///
    /// Mistakes in the configuration follow: "; 2 mistakes: /etc/claimsd/claimsd.json5:3:5: expected ','".
    ///
    /// - Parameter now: the time of day, in milliseconds since 1970.
    static func text(_ catalog: Catalog, clients: Int, problems: [ConfigurationProblem], now: Int64) -> String {
        var parts = [Plural.collections.text(catalog.views.count).english]
        for view in catalog.views {
            let meta = view.meta(now: now, revision: catalog.revision)
            if let trouble = trouble(meta, view.definition) { parts.append("\(view.definition.name) \(trouble)") }
        }
        let text = parts.joined(separator: ", ") + "; " + Plural.clients.text(clients).english
        let mistakes = problems.filter { !$0.isWarning }
        if let first = mistakes.first {
            let count = Plural.mistakes.text(mistakes.count).english
            return "\(text); \(count) in the configuration: \(line(first.description))"
        }
        return problems.first.map { "\(text); \(line($0.description))" } ?? text
    }

    private static func trouble(_ meta: CollectionMeta, _ definition: Definition) -> String? {
        switch meta.state {
        case .loading: return "loading"
        case .failed: return "failed (\(meta.lastError?.kind.rawValue ?? "other"))"
        case .unconfigured: return meta.freshness == nil ? nil : "without a source, \(span(meta.ageMilliseconds)) old"
        case .withheld: return "withheld"
        case .ready, .empty:
            if let sites = meta.sites {
                let old = sites.total - sites.fresh
                return old == 0 ? nil : "\(old) of \(Plural.sites.text(sites.total).english) not fresh"
            }
            switch meta.freshness {
            case .stale:
                let freshFor = definition.source.ttl.wholeMilliseconds
                return "stale for " + span(meta.ageMilliseconds.map { $0 - freshFor })
            case .expired: return "expired, \(span(meta.ageMilliseconds)) old"
            case .bundle: return definition.source.isConfigured ? "still from its bundle" : nil
            case .fresh, nil: return nil
            }
        }
    }

    /// The text on one line, even if a file's name has line breaks.
    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }

    private static func span(_ milliseconds: Int64?) -> String {
        let seconds = (milliseconds ?? 0) / 1_000
        if seconds < 120 { return "\(seconds) s" }
        if seconds < 7_200 { return "\(seconds / 60) min" }
        if seconds < 172_800 { return "\(seconds / 3_600) h" }
        return "\(seconds / 86_400) days"
    }
}
