// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSystemd
public import ClaimsPlatform
import Glibc

/// Where an executable's log entries go: the journal with all their fields, or readable lines.
///
/// Only executables log; libraries throw. A message is a constant sentence; what varies is in the fields. The reason, if
/// there is one, is also told after the sentence, so that it is seen without asking for fields.
public struct Log: Sendable {
    /// How entries leave.
    public enum Form: Equatable, Sendable {
        /// The journal's own protocol (sd_journal_sendv(3)).
        case journal
        /// One line each, written at once to this descriptor.
        case lines(Int32)
    }

    public let form: Form
    /// What matters less is dropped.
    public let threshold: LogPriority

    public init(form: Form = Log.standardErrorForm(), threshold: LogPriority = .info) {
        self.form = form
        self.threshold = threshold
    }

    /// The journal where standard error is connected to it (`$JOURNAL_STREAM`, systemd.exec(5)), else lines there.
    public static func standardErrorForm(journalStream: String? = Environment["JOURNAL_STREAM"]) -> Form {
        var status = stat()
        guard let journalStream, unsafe fstat(2, &status) == 0 else { return .lines(2) }
        return journalStream == "\(status.st_dev):\(status.st_ino)" ? .journal : .lines(2)
    }

    /// Writes one entry; where that cannot be done, it is lost.
    public func write(
        _ priority: LogPriority, _ message: String, _ event: LogEvent? = nil, _ fields: [LogField] = []
    ) {
        guard priority <= threshold else { return }
        switch form {
        case .journal:
            var entries = [
                "MESSAGE=\(Self.sentence(message, fields))", "PRIORITY=\(priority.rawValue)",
                "SYSLOG_IDENTIFIER=claimsd",
            ]
            if let event { entries.append("MESSAGE_ID=\(event.rawValue)") }
            for field in fields { entries.append("\(field.name)=\(field.value)") }
            Self.send(entries)
        case .lines(let fd):
            let line = Array(Self.line(priority, message, fields).utf8)
            unsafe line.withUnsafeBytes { _ = unsafe Glibc.write(fd, $0.baseAddress, $0.count) }
        }
    }

    private static func sentence(_ message: String, _ fields: [LogField]) -> String {
        fields.first { $0.name == LogField.reasonName }.map { "\(message): \($0.value)" } ?? message
    }

    /// `WARNING: the source fails: timeout (collection=x)` and a newline; control characters are escaped.
    static func line(_ priority: LogPriority, _ message: String, _ fields: [LogField]) -> String {
        let sentence = sentence(message, fields)
        var text = priority.label.map { "\($0): \(sentence)" } ?? sentence
        let fields = fields.filter { $0.name != LogField.reasonName }
        if !fields.isEmpty {
            let parts = fields.map { "\($0.name.dropFirst("CLAIMSD_".count).lowercased())=\($0.value)" }
            text += " (\(parts.joined(separator: ", ")))"
        }
        var line = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
            if isControl { line += "\\x" + hexadecimal(scalar.value) } else { line.unicodeScalars.append(scalar) }
        }
        return line + "\n"
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return digits.utf8.count < 2 ? "0" + digits : digits
    }

    private static func send(_ entries: [String]) {
        let bytes = entries.flatMap { Array($0.utf8) }
        var starts: [Int] = []
        var lengths: [Int] = []
        var start = 0
        for entry in entries {
            starts.append(start)
            lengths.append(entry.utf8.count)
            start += entry.utf8.count
        }
        unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            let pointers = unsafe starts.map { unsafe base + $0 }
            _ = unsafe systemd_journal_send(pointers, lengths, Int32(entries.count))
        }
    }
}
