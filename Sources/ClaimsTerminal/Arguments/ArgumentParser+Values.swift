// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

// The values of options.

extension ArgumentParser {
    mutating func apply(_ option: Option, value: String?) throws(UsageError) {
        let value = value ?? ""
        switch option {
        case .collection:
            if value.isEmpty { throw UsageError(en: "--collection needs a name", pl: "--collection wymaga nazwy") }
            take(Selector(value, isOption: false))
        case .output: invocation.output = try Self.choice(value, of: option)
        case .quiet: invocation.isQuiet = true
        case .color: invocation.color = try Self.choice(value, of: option)
        case .lang: invocation.language = value
        case .timeout: invocation.timeout = try Self.span(value, of: "--timeout")
        case .host: invocation.host = try Self.host(value)
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
                throw UsageError(
                    en: "--filter is given twice", pl: "--filter podano dwa razy",
                    hint: ErrorText(en: "join them with 'and' or 'or'", pl: "połącz je słowem „and” lub „or”"))
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
        case .yes: invocation.isConfirmed = true
        case .since: invocation.since = value
        case .initial: invocation.isInitial = true
        case .until: invocation.until = value
        case .none: invocation.wantsNone = true
        case .for: invocation.hold = try Self.span(value, of: "--for")
        case .id: invocation.id = value
        case .cursorFile:
            if value.isEmpty { throw Self.needsPath("--cursor-file") }
            invocation.cursorFile = value
        case .json: try Self.give(value, to: &invocation.writing.json, of: option)
        case .attach:
            if value.isEmpty { throw Self.needsPath("--attach") }
            invocation.writing.attach.append(value)
        case .detach: invocation.writing.detach.append(value)
        case .op: try Self.give(value, to: &invocation.writing.op, of: option)
        case .state: invocation.writing.state = value
        case .as: invocation.writing.resolution = try Self.choice(value, of: option) as OutboxResolution
        case .tar: invocation.writing.isTar = true
        case .site: invocation.site = value
        case .plot: invocation.wantsPlot = true
        case .plain: invocation.isPlain = true
        case .name: invocation.sources.name = value
        case .root: invocation.sources.root = value
        case .credential: invocation.sources.credentials.append(value)
        case .incremental: invocation.sources.isIncremental = true
        }
    }

    private static func needsPath(_ option: String) -> UsageError {
        UsageError(en: "\(option) needs the path of a file", pl: "\(option) wymaga ścieżki pliku")
    }

    private static func give(_ value: String, to property: inout String?, of option: Option) throws(UsageError) {
        if property != nil {
            throw UsageError(
                en: "--\(option.rawValue) is given twice", pl: "--\(option.rawValue) podano dwa razy")
        }
        property = value
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
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

    private static func host(_ value: String) throws(UsageError) -> RemoteHost {
        guard let host = RemoteHost(value) else {
            throw UsageError(
                en: "-H '\(value)' is no host", pl: "-H „\(value)” nie jest hostem",
                hint: .example("-H depot, -H anna@depot:2222, -H [::1]:22"))
        }
        return host
    }

    private static func limit(_ value: String) throws(UsageError) -> Int {
        guard let limit = Int(value), limit >= 1, value.utf8.first != UInt8(ascii: "+") else {
            throw UsageError(
                en: "--limit '\(value)' is no number from 1", pl: "--limit „\(value)” nie jest liczbą od 1",
                hint: ErrorText(en: "for all records: --all", pl: "wszystkie rekordy: --all"))
        }
        return limit
    }

    /// Splits a text at its commas, trims each part, and drops empty parts.
    public static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
    }
}
