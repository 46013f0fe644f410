// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform

extension ErrorReport {
    /// Makes the report about another host whose daemon could not be reached.
    ///
    /// The words of ssh stand in the message, unless it was shown before.
    init(_ failure: HostFailure) {
        let host = failure.host
        var hint: String?
        var message: String
        switch failure.cause {
        case .notStarted(let program, let error):
            message = "\(program), which reaches \(host), cannot be started: \(error.reason)"
            hint = "CLAIMSCTL_SSH names another program"
        case .ended(.exited(4)): message = "the daemon on \(host) cannot be reached from there"
        case .ended(.exited(127)):
            message = "there is no claimsctl on \(host)"
            hint = "claimsctl must be in the PATH of commands that ssh runs there"
        case .ended(.exited(255)): message = "\(host) cannot be reached: ssh failed"
        case .ended(let status):
            message = "the connection to \(host) ended before an answer, with exit code \(status.code)"
        case .noise(let line):
            message = "\(host) sent a line that is no answer: '\(Self.beginning(of: line))'"
            hint = "a login script there may print it: it must print nothing where it has no terminal"
        }
        if let words = failure.words.map(Self.joined), !words.isEmpty { message += " (\(words))" }
        self.init(.unreachable, kind: "unreachable", message: message, hint: hint)
    }

    /// The lines of what a program said, as one.
    private static func joined(_ words: String) -> String {
        words.split(whereSeparator: \.isNewline).map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
            .joined(separator: "; ")
    }

    /// The maximum number of characters that are shown of a line.
    private static let maxLineLength = 200

    private static func beginning(of line: String) -> String {
        line.count > maxLineLength ? line.prefix(maxLineLength) + "…" : line
    }
}
