// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform

extension ErrorReport {
    /// Makes the report about another host whose daemon could not be reached.
    ///
    /// The words of ssh stand in the message, unless it was shown before.
    init(_ failure: HostFailure, _ messages: Messages) {
        let host = failure.host
        var hint: String?
        var message: String
        switch failure.cause {
        case .notStarted(let program, let error):
            message = messages.notStarted(program, reaching: host, messages.text(error.reasonText))
            hint = messages.otherProgram
        case .ended(.exited(4)): message = messages.noDaemon(on: host)
        case .ended(.exited(127)):
            message = messages.noClaimsctl(on: host)
            hint = messages.claimsctlInPath
        case .ended(.exited(255)): message = messages.hostUnreachable(host)
        case .ended(let status): message = messages.connectionEnded(host, code: status.code)
        case .noise(let line):
            message = messages.noise(of: host, Self.beginning(of: line))
            hint = messages.loginScript
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
