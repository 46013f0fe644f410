// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Another host whose daemon is asked through ssh: `[user@]host[:port]`, with brackets around an IPv6 address.
///
/// ```swift
/// let host = try RemoteHost("clerk@depot.example:2222")
/// print(host.arguments)  // -xT -p 2222 -- clerk@depot.example claimsctl stdio
/// ```
public struct RemoteHost: Sendable, Equatable {
    /// The text as it was given.
    public let text: String
    /// The destination for ssh: the host, after the user and `@` where there is one.
    public let destination: String
    /// The port, from 1 to 65535; nil for that of ssh's configuration.
    public let port: Int?

    /// A text that names no host, with the reason as one sentence.
    public struct InvalidHost: Error, Equatable {
        public let message: String
    }

    /// Reads a host.
    ///
    /// A text that ssh could take for an option, or a shell for two words, is refused.
    public init(_ text: String) throws(InvalidHost) {
        func invalid(_ reason: String) -> InvalidHost { InvalidHost(message: "'\(text)' is no host: \(reason)") }
        guard !text.isEmpty else { throw InvalidHost(message: "the host is empty") }
        guard !text.hasPrefix("-") else { throw invalid("it begins with -") }
        let isBad = text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 32 || $0.value == 127 }
        if isBad { throw invalid("it has white space or a control character") }
        let at = text.lastIndex(of: "@")
        let user = at.map { String(text[...$0]) } ?? ""
        var address = String(at.map { text[text.index(after: $0)...] } ?? text[...])
        var digits: String?
        if address.hasPrefix("[") {
            guard let end = address.firstIndex(of: "]") else { throw invalid("']' is missing") }
            let rest = address[address.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw invalid("after ']' only :PORT may follow") }
            digits = rest.isEmpty ? nil : String(rest.dropFirst())
            address = String(address[address.index(after: address.startIndex)..<end])
        } else if let colon = address.firstIndex(of: ":"), colon == address.lastIndex(of: ":") {
            digits = String(address[address.index(after: colon)...])
            address = String(address[..<colon])
        }
        guard !address.isEmpty, !address.hasPrefix("-"), user != "@" else { throw invalid("its name is missing") }
        if let digits {
            guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits), 1...65535 ~= number else {
                throw invalid("its port is no number from 1 to 65535")
            }
            port = number
        } else {
            port = nil
        }
        self.text = text
        destination = user + address
    }

    /// The arguments of ssh that reach the daemon there.
    public var arguments: [String] {
        ["-xT"] + (port.map { ["-p", "\($0)"] } ?? []) + ["--", destination, "claimsctl", "stdio"]
    }
}
