// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform

/// The location of the daemon that a client asks.
public enum DaemonAddress: Equatable, Sendable {
    /// The path of a Unix domain socket on this host.
    case socket(String)
    /// The daemon of another host, which a program such as ssh reaches.
    case host(RemoteHost)
}

/// Another host whose daemon is asked through ssh: `[user@]host[:port]`.
///
/// The program gets the host after `--`, so that no part of it can be an option. An IPv6 address with a port stands in
/// brackets: `[::1]:22`. The Python client has the same rules, and a table in the tests keeps both equal.
public struct RemoteHost: Equatable, Sendable {
    /// The host as it was written.
    public let text: String
    /// The user, if there is one, and the host, as ssh takes them.
    public let name: String
    /// The port, from 1 to 65535, in digits as it was written; nil for the one that ssh chooses.
    public let port: String?
    /// The program that takes the arguments of ssh: a path, or a name to be found in PATH.
    public var program = "ssh"
    /// Whether what the program says on its standard error is kept for the error, and not shown as it comes.
    public var keepsWords = false
    /// Whether the program must not ask a person for a password.
    public var isBatch = false

    /// Reads `[user@]host[:port]`.
    ///
    /// - Returns: nil for a text that is empty, begins with `-`, has white space or control characters, or names no
    ///   host, no user before `@`, or no port from 1 to 65535.
    public init?(_ text: String) {
        guard !text.hasPrefix("-"), text.unicodeScalars.allSatisfy(Self.isPlain) else { return nil }
        let at = text.utf8.lastIndex(of: UInt8(ascii: "@"))
        let user = at.map { text[...$0] } ?? ""
        let address = at.map { text[text.utf8.index(after: $0)...] } ?? text[...]
        guard user != "@", let (host, port) = Self.divide(address) else { return nil }
        guard !host.isEmpty, !host.hasPrefix("-") else { return nil }
        if let port {
            guard port.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(port), (1...65535).contains(number)
            else { return nil }
        }
        self.text = text
        name = String(user + host)
        self.port = port.map { String($0) }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
    }

    /// The host and the port of an address; nil for brackets that are not closed, or are followed by anything else.
    private static func divide(_ address: Substring) -> (host: Substring, port: Substring?)? {
        let colon = UInt8(ascii: ":")
        guard address.utf8.first == UInt8(ascii: "[") else {
            // More than one colon is an IPv6 address without a port.
            let colons = address.utf8.indices.filter { address.utf8[$0] == colon }
            guard colons.count == 1 else { return (address, nil) }
            return (address[..<colons[0]], address[address.utf8.index(after: colons[0])...])
        }
        guard let end = address.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let host = address[..<end].dropFirst()
        let rest = address[address.utf8.index(after: end)...]
        if rest.isEmpty { return (host, nil) }
        guard rest.utf8.first == colon else { return nil }
        return (host, rest.dropFirst())
    }

    /// The arguments of the program: they run `claimsctl stdio` on that host.
    public var arguments: [String] {
        // Nobody who types may be asked for a password, or wait for long, by a key that completes a word.
        let batch = isBatch ? ["-oBatchMode=yes"] : []
        return ["-xT"] + batch + (port.map { ["-p", $0] } ?? []) + ["--", name, "claimsctl", "stdio"]
    }
}

extension DaemonAddress {
    /// The other host; nil for a socket of this one.
    public var host: RemoteHost? {
        if case .host(let host) = self { host } else { nil }
    }
}

/// The location of the daemon's socket.
public enum SocketPath {
    /// The path of the machine-wide daemon's socket.
    public static let system = "/run/claimsd/claimsd.sock"

    /// The path of the socket that a client connects to by default.
    ///
    /// It is the value of `CLAIMSD_SOCKET` if that is set; else `$XDG_RUNTIME_DIR/claimsd/claimsd.sock` if that file
    /// exists and the folder is this user's alone; else ``system``.
    ///
    /// - Parameters:
    ///   - environment: returns the value of an environment variable, or `nil`.
    ///   - exists: returns whether a file exists.
    ///   - isPrivate: returns whether a folder is this user's alone.
    public static func standard(
        _ environment: (String) -> String?, exists: (String) -> Bool = Files.exists,
        isPrivate: (String) -> Bool = Files.isPrivateDirectory
    ) -> String {
        if let path = environment("CLAIMSD_SOCKET"), !path.isEmpty { return path }
        if let folder = Environment.runtimeDirectory(environment, isPrivate: isPrivate) {
            let path = folder + "/claimsd/claimsd.sock"
            if exists(path) { return path }
        }
        return system
    }
}
