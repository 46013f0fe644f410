// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The numbers of requests that a host may get: at once, and within a time.
public struct HostLimits: Sendable, Hashable {
    /// The number of requests at once if the configuration does not set one.
    public static let standardConcurrency = 4
    /// The requests at once that the configuration may allow.
    public static let concurrencyRange = 1...1000

    /// The maximal number of requests at once.
    public var concurrency: Int
    /// The maximal number of requests that begin within a time; nil for no such bound.
    public var rate: RequestRate?

    public init(concurrency: Int = Self.standardConcurrency, rate: RequestRate? = nil) {
        self.concurrency = concurrency
        self.rate = rate
    }
}

/// A number of requests in any window of a second, a minute or an hour.
public struct RequestRate: Sendable, Hashable {
    /// The requests that a window may see begin.
    public static let countRange = 1...10_000

    /// The lengths of a window, by their names in the configuration.
    public enum Window: String, Sendable, CaseIterable {
        case second = "s"
        case minute = "min"
        case hour = "h"

        public var length: Duration {
            switch self {
            case .second: .seconds(1)
            case .minute: .seconds(60)
            case .hour: .seconds(3600)
            }
        }
    }

    public let count: Int
    public let window: Window

    public init(_ count: Int, each window: Window) {
        self.count = count
        self.window = window
    }

    /// Reads `100/min`; nil if the text is no rate in range.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(parts[0]),
            Self.countRange.contains(count), let window = Window(rawValue: String(parts[1]))
        else { return nil }
        self.init(count, each: window)
    }

    /// The rate as the configuration has it.
    public var text: String { "\(count)/\(window.rawValue)" }
}

/// The limits of all hosts, whatever their ports.
public struct HostLimitTable: Sendable, Hashable {
    /// The limits of hosts that have none of their own.
    public var standard = HostLimits()
    /// The limits of single hosts, by their names in the form of ``name(_:)``.
    public var named: [String: HostLimits] = [:]

    public init() {}

    /// The limits of a host, whose name has the form of ``name(_:)``.
    public subscript(host: String) -> HostLimits { named[host] ?? standard }

    /// The one form of a host's name: in lower case, without a dot at the end, an IPv6 address in brackets.
    public static func name(_ host: some StringProtocol) -> String {
        var name = host.lowercased()
        if name.hasSuffix("."), name.utf8.count > 1 { name.removeLast() }
        return name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    }
}
