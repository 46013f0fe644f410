// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A group of limits that the configuration can set: a struct whose initial values are the defaults.
public protocol LimitGroup: Sendable, Hashable {
    init()
    /// A key for each limit, in the order of the reference.
    static var keys: [LimitKey<Self>] { get }
}

/// A limit that the configuration can set: its key, range, default, unit and summary.
///
/// The reader of the configuration, `hello` and the manual use the same keys. A new limit needs a property with its
/// default, an entry in `keys`, a line in the shipped claimsd.json5, and the code that applies it.
///
/// ```swift
/// let limits = ServingLimits()
/// for key in ServingLimits.keys { print(key.name, key.value(in: limits), key.summary) }
/// ```
public struct LimitKey<Limits: LimitGroup>: Sendable {
    /// The key of the limit in the configuration, such as `clients_per_user`.
    public let name: String
    /// The unit of the limit and the values that it may have.
    public let range: LimitRange
    /// The meaning of the limit for the manual: one sentence in Markdown.
    public let summary: String
    private let path: Path

    private enum Path: Sendable {
        case number(any WritableKeyPath<Limits, Int> & Sendable)
        case span(any WritableKeyPath<Limits, Duration> & Sendable)
        case share(any WritableKeyPath<Limits, Double> & Sendable)
    }

    /// A number of things.
    init(
        _ name: String, _ path: any WritableKeyPath<Limits, Int> & Sendable, count: ClosedRange<Int>,
        summary: String
    ) {
        (self.name, self.path, range, self.summary) = (name, .number(path), .count(count), summary)
    }

    /// A number of bytes.
    init(
        _ name: String, _ path: any WritableKeyPath<Limits, Int> & Sendable, bytesAtLeast minimum: Int, summary: String
    ) {
        (self.name, self.path, range, self.summary) = (name, .number(path), .bytes(atLeast: minimum), summary)
    }

    /// A span of time.
    init(
        _ name: String, _ path: any WritableKeyPath<Limits, Duration> & Sendable, spanAtLeast minimum: Duration,
        upTo maximum: Duration? = nil, summary: String
    ) {
        (self.name, self.path, self.summary) = (name, .span(path), summary)
        range = .span(atLeast: minimum, upTo: maximum)
    }

    /// A share, from 0 to 1.
    init(_ name: String, share path: any WritableKeyPath<Limits, Double> & Sendable, summary: String) {
        (self.name, self.path, range, self.summary) = (name, .share(path), .share, summary)
    }

    /// The default value, with its unit.
    public var standard: LimitValue { value(in: Limits()) }

    /// The value that the limit has in `limits`, with its unit.
    public func value(in limits: Limits) -> LimitValue {
        switch path {
        case .number(let path):
            if case .bytes = range { .bytes(limits[keyPath: path]) } else { .count(limits[keyPath: path]) }
        case .span(let path): .span(limits[keyPath: path])
        case .share(let path): .share(limits[keyPath: path])
        }
    }

    /// Sets the limit in `limits`. A value of another unit changes nothing, and the range is not checked.
    public func set(_ value: LimitValue, in limits: inout Limits) {
        switch (path, value) {
        case (.number(let path), .count(let number)), (.number(let path), .bytes(let number)):
            limits[keyPath: path] = number
        case (.span(let path), .span(let span)): limits[keyPath: path] = span
        case (.share(let path), .share(let share)): limits[keyPath: path] = share
        default: break
        }
    }
}

/// The unit of a limit and the values that it may have. The bounds are allowed values.
public enum LimitRange: Sendable, Hashable {
    case count(ClosedRange<Int>)
    /// A size in bytes, at most ``ByteSize/maxSize``.
    case bytes(atLeast: Int)
    case span(atLeast: Duration, upTo: Duration? = nil)
    /// A share from 0 to 1.
    case share
}

/// The value of a limit, with its unit: a count, bytes, a span of time or a share from 0 to 1.
public enum LimitValue: Sendable, Hashable {
    case count(Int)
    case bytes(Int)
    case span(Duration)
    case share(Double)

    /// The value in the notation of the configuration, such as `64`, `"4K"`, `"10min"` or `0.5`.
    public var text: String {
        switch self {
        case .count(let number): "\(number)"
        case .bytes(let size): "\"\(ByteSize.text(of: size))\""
        case .span(let span): "\"\(TimeSpan.text(of: span))\""
        case .share(let share): "\(share)"
        }
    }
}

/// The limits of a group that one place sets, such as a source; the others keep their values.
public struct LimitOverrides<Limits: LimitGroup>: Sendable, Hashable {
    private var values: [String: LimitValue] = [:]

    /// Overrides that set no limit.
    public init() {}

    /// Sets a limit.
    mutating func set(_ key: LimitKey<Limits>, to value: LimitValue) { values[key.name] = value }

    /// A copy of `limits` with the limits that are set here replaced.
    public func applied(to limits: Limits) -> Limits {
        var result = limits
        for key in Limits.keys {
            if let value = values[key.name] { key.set(value, in: &result) }
        }
        return result
    }
}
