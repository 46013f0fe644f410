// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd
public import ClaimsPlatform
import Glibc

/// The log of an executable, which goes to the journal with all fields, or to a descriptor as readable lines.
///
/// ```swift
/// let log = Log()
/// log.write(.warning, "the source fails", event: .sourceFailing, fields: [.collection("things")])
/// ```
///
/// Executables log and libraries throw. A message is a constant sentence, and what varies is in the fields. A reason is
/// also appended to the sentence, so that it is seen without asking for fields. Any thread may write.
public struct Log: Sendable {
    /// The destination and form of log entries.
    public enum Form: Equatable, Sendable {
        /// The journal, in its own protocol with all fields (sd_journal_sendv(3)).
        case journal
        /// The descriptor to which each entry is written as one line, with one call and without buffering.
        case lines(Int32)
    }

    /// The destination and form that this log writes in.
    public let form: Form
    /// The least urgent priority that is written. Less urgent entries are dropped.
    public let threshold: LogPriority

    /// A log in the given form, by default the one that fits standard error.
    public init(form: Form = Log.standardErrorForm(), threshold: LogPriority = .info) {
        self.form = form
        self.threshold = threshold
    }

    /// The journal if standard error is connected to it (`$JOURNAL_STREAM`, systemd.exec(5)), and otherwise lines on
    /// standard error.
    public static func standardErrorForm(journalStream: String? = Environment["JOURNAL_STREAM"]) -> Form {
        JournalStream.isStandardError(variable: journalStream) ? .journal : .lines(2)
    }

    /// Writes one entry, unless its priority is below the threshold. A failure to write is ignored and loses the entry.
    ///
    /// - Parameters:
    ///   - message: A constant sentence for people, without a full stop.
    ///   - event: The kind of event, written as `MESSAGE_ID`; nil for entries that no program searches for.
    ///   - fields: The values that vary.
    public func write(
        _ priority: LogPriority, _ message: String, event: LogEvent? = nil, fields: [LogField] = []
    ) {
        _ = deliver(priority, message, event: event, fields: fields)
    }

    /// The same; false if the entry could not be written. Either may wait for the journal.
    public func deliver(
        _ priority: LogPriority, _ message: String, event: LogEvent? = nil, fields: [LogField] = []
    ) -> Bool {
        guard priority <= threshold else { return true }
        switch form {
        case .journal:
            var entries = [
                "MESSAGE=\(Self.escaped(Self.messageText(message, fields)))", "PRIORITY=\(priority.rawValue)",
                "SYSLOG_IDENTIFIER=claimsd",
            ]
            if let event { entries.append("MESSAGE_ID=\(event.rawValue)") }
            for field in fields { entries.append("\(field.name)=\(field.value)") }
            return Self.send(entries)
        case .lines(let fd):
            let line = Array(Self.line(priority, message, fields).utf8)
            return unsafe line.withUnsafeBytes { unsafe Glibc.write(fd, $0.baseAddress, $0.count) } == line.count
        }
    }

    /// The beginning of an entry on standard error that ends with a file's path and ``endOfPath``, for a signal
    /// handler, in which nothing can be formatted.
    ///
    /// In the journal, which reads the priority from the line, the entry has no fields.
    public func beginningOfPath(_ priority: LogPriority, _ message: String) -> String {
        let mark =
            switch form {
            case .journal: "<\(priority.rawValue)>"
            case .lines: priority.label.map { "\($0): " } ?? ""
            }
        return "\(mark)\(message) (path="
    }

    /// The end of an entry that has begun with ``beginningOfPath(_:_:)`` and a path.
    public static let endOfPath = ")\n"

    private static func messageText(_ message: String, _ fields: [LogField]) -> String {
        fields.first { $0.name == LogField.reasonName }.map { "\(message): \($0.value)" } ?? message
    }

    /// `WARNING: the source fails: timeout (collection=x)` and a newline, escaped.
    static func line(_ priority: LogPriority, _ message: String, _ fields: [LogField]) -> String {
        let messageText = messageText(message, fields)
        var text = priority.label.map { "\($0): \(messageText)" } ?? messageText
        let fields = fields.filter { $0.name != LogField.reasonName }
        if !fields.isEmpty {
            let parts = fields.map { "\($0.name.dropFirst("CLAIMSD_".count).lowercased())=\($0.value)" }
            text += " (\(parts.joined(separator: ", ")))"
        }
        return escaped(text) + "\n"
    }

    /// The text with control characters, line separators, and characters that change the direction of text or cannot be
    /// seen as `\x1b`, `\u202e` or `\u{e0041}`, because a reason may quote text of an upstream.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: escaped += escape(scalar)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        if scalar.value > 0xFFFF { return "\\u{\(digits)}" }
        let (mark, width) = scalar.value < 0x100 ? ("x", 2) : ("u", 4)
        return "\\" + mark + String(repeating: "0", count: width - digits.utf8.count) + digits
    }

    /// The socket of the journal, without which sd_journal_sendv(3) silently succeeds.
    private static let journalSocket = "/run/systemd/journal/socket"

    private static func send(_ entries: [String]) -> Bool {
        let bytes = entries.flatMap { Array($0.utf8) }
        var starts: [Int] = []
        var lengths: [Int] = []
        var start = 0
        for entry in entries {
            starts.append(start)
            lengths.append(entry.utf8.count)
            start += entry.utf8.count
        }
        let result = unsafe bytes.withUnsafeBytes { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return 0 }
            let pointers = unsafe starts.map { unsafe base + $0 }
            return unsafe systemd_journal_send(pointers, lengths, Int32(entries.count))
        }
        return result >= 0 && Files.exists(journalSocket)
    }
}

/// One structured field of a log entry, for machines. It never holds text of a record, nor a credential.
public struct LogField: Equatable, Sendable {
    /// The name of the field, with the prefix `CLAIMSD_`.
    public let name: String
    /// The value of the field, which must not contain secrets.
    public let value: String

    /// A field named `CLAIMSD_` and `name`, which consists of upper-case letters, digits and `_`.
    public init(_ name: String, _ value: String) {
        self.name = "CLAIMSD_\(name)"
        self.value = value
    }

    /// The name of the collection that the entry is about.
    public static func collection(_ name: String) -> LogField { LogField("COLLECTION", name) }
    /// The name of one of the collection's sites.
    public static func site(_ name: String) -> LogField { LogField("SITE", name) }
    /// The origin of data: `upstream`, `cache` or `bundle`, or a URL without user, password and query.
    public static func source(_ source: String) -> LogField { LogField("SOURCE", source) }
    /// The number of the generation that the entry is about.
    public static func generation(_ number: UInt64) -> LogField { LogField("GENERATION", "\(number)") }
    /// The status of an HTTP answer.
    public static func httpStatus(_ status: Int) -> LogField { LogField("HTTP_STATUS", "\(status)") }
    /// The number of records in a generation.
    public static func records(_ count: Int) -> LogField { LogField("RECORDS", "\(count)") }
    /// The number of records in quarantine.
    public static func quarantined(_ count: Int) -> LogField { LogField("QUARANTINED", "\(count)") }
    public static func ignored(_ count: Int) -> LogField { LogField("IGNORED", "\(count)") }
    /// The kind of a failure, by its name in the protocol.
    public static func failure(_ kind: String) -> LogField { LogField("FAILURE", kind) }
    /// The reason of a failure, in English; the message of the entry ends with it.
    public static func reason(_ text: String) -> LogField { LogField("REASON", text) }
    static let reasonName = "CLAIMSD_REASON"
    /// The user id of the peer that caused the entry.
    public static func peerUID(_ uid: UInt32) -> LogField { LogField("PEER_UID", "\(uid)") }
    /// The path of the file or folder that the entry is about.
    public static func path(_ path: String) -> LogField { LogField("PATH", path) }
    /// The duration of the logged action, in milliseconds.
    public static func milliseconds(_ count: Int64) -> LogField { LogField("DURATION_MS", "\(count)") }
    /// The version of the program.
    public static func version(_ version: String) -> LogField { LogField("VERSION", version) }
}

/// The priority of a log entry, numbered as in syslog(3).
public enum LogPriority: Int, Comparable, Sendable {
    case emergency, alert, critical, error, warning, notice, info, debug

    /// The word that a reader of the plain form sees; nothing for a usual entry.
    var label: String? {
        switch self {
        case .emergency, .alert, .critical: "CRITICAL"
        case .error: "ERROR"
        case .warning: "WARNING"
        case .notice, .info: nil
        case .debug: "DEBUG"
        }
    }

    /// Orders priorities by their number: the more urgent one is smaller.
    public static func < (a: LogPriority, b: LogPriority) -> Bool { a.rawValue < b.rawValue }
}
