// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

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
                hint: ErrorText(en: "for all records: --all", pl: "wszystkie rekordy: --all"))
        }
        return limit
    }

    /// Splits a text at its commas, trims each part, and drops empty parts.
    public static func list(_ value: String) -> [String] {
        value.split(separator: ",").map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
    }
}
