// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsProtocol
import Synchronization

/// The configuration of the server. A reload replaces the whole value with ``Server/reconfigure(_:)``.
public struct ServerConfiguration: Sendable {
    /// The version of the daemon, as `hello` and `status` have it.
    public var version: String
    /// The rule that gives each peer its roles.
    public var policy: RolePolicy
    /// The 128-bit key that signs cursors. It is stored in the state database, so cursors survive a restart.
    public var cursorKey: (UInt64, UInt64)
    /// The language code of labels and messages for a request that names no language.
    public var language: String
    /// The bounds of requests, answers and connections.
    public var limits: ServingLimits
    /// The mistakes that the configuration has now, for `status` and for requests about a collection without a
    /// definition.
    public var problems: CurrentProblems
    /// The limits of the kept history, of which a definition may have its own.
    public var history: HistorySettings
    /// The limits of what the journal gets about the users who looked.
    public var journal = JournalSettings()
    /// The number of event loops, each with its own thread; it is fixed when the server is made.
    public var loops: Int
    /// The clock of the time of day; tests pass their own.
    public var clock: WallClock
    /// The path of the folder with the configuration, for hints that name a file.
    public var folder = "/etc/claimsd"
    /// The command that makes the daemon read its configuration again, for hints.
    public var reload = "systemctl reload claimsd"

    /// How long the records of a removed collection are kept.
    public var removedKeep: Duration { history.keep }

    /// Makes a configuration, by default with English texts, the default limits, two loops and the system's clock.
    public init(
        version: String, policy: RolePolicy, cursorKey: (UInt64, UInt64), language: String = "en",
        limits: ServingLimits = ServingLimits(), problems: CurrentProblems = CurrentProblems(),
        history: HistorySettings = HistorySettings(), loops: Int = 2, clock: WallClock = .system
    ) {
        self.version = version
        self.policy = policy
        self.cursorKey = cursorKey
        self.language = language
        self.limits = limits
        self.problems = problems
        self.history = history
        self.loops = loops
        self.clock = clock
    }

    /// The hint for a collection without a source: the mistake in its definition, or the text to write and the file to
    /// write it into.
    func sourceHint(_ collection: String) -> TranslatedText {
        if let problem = problems.all.first(where: { $0.collection == collection }) {
            return TranslatedText(
                en: "its definition has a mistake: \(problem.description); correct it, then: \(reload)",
                pl: "jej definicja zawiera błąd: \(problem.description); popraw go, a potem wywołaj: \(reload)")
        }
        let file = Paths.join(folder, "collections.d/\(collection).json5")
        let source = "{ source: { url: \"https://…\" } }"
        return TranslatedText(
            en: "write \(source) to \(file), then: \(reload)",
            pl: "wpisz \(source) do pliku \(file), a potem wywołaj: \(reload)")
    }

    /// Every bound by the name that `hello` uses, in bytes, counts and milliseconds.
    var namedLimits: [(name: String, value: Int64)] {
        ServingLimits.keys.map { key in
            switch key.value(in: limits) {
            case .count(let value), .bytes(let value): (key.name, Int64(value))
            case .span(let span): (key.name + "_ms", span.wholeMilliseconds)
            case .share(let share): (key.name + "_permille", Int64(share * 1000))
            }
        } + [
            ("page", Int64(PageParameters.maxLimit)), ("stream_chunk", Int64(PageParameters.maxStreamChunk)),
        ]
    }
}

/// The mistakes that the configuration has now.
///
/// All configurations of a server share one, so that an answer after a reload never has those from before it. It is safe
/// on any thread, and is read by rare requests only.
public final class CurrentProblems: Sendable {
    private struct State {
        var problems: [ConfigurationProblem]
        /// The bundles that turned out bad when they were to be served, by collection.
        var bundles: [String: ConfigurationProblem] = [:]
        /// The obstacle to this host's part in the fleet; nil if there is none.
        var fleet: ConfigurationProblem?
    }

    private let state: Mutex<State>

    public init(_ problems: [ConfigurationProblem] = []) {
        state = Mutex(State(problems: problems))
    }

    /// All of them, in the order in which people see them. The bundle of a collection whose definition has a mistake is
    /// left out.
    public var all: [ConfigurationProblem] {
        state.withLock { state in
            let known = Set(state.problems.compactMap(\.collection))
            let bundles = state.bundles.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
            return state.problems + bundles.map(\.value) + [state.fleet].compactMap(\.self)
        }
    }

    /// Replaces all problems but the ones of bundles.
    public func set(_ newest: [ConfigurationProblem]) {
        state.withLock { $0.problems = newest }
    }

    /// Records that the bundle of a collection cannot be served, or nil: that it is served.
    ///
    /// - Parameter detail: the reason, in English.
    public func record(bundleOf collection: String, at path: String, unusable detail: String?) {
        let problem = detail.map { detail in
            ConfigurationProblem(
                location: ConfigurationLocation(file: path), message: "this bundle cannot be served: \(detail)",
                collection: collection)
        }
        state.withLock { $0.bundles[collection] = problem }
    }

    /// Records the obstacle to this host's part in the fleet; nil: there is none.
    ///
    /// - Returns: whether that has changed.
    @discardableResult
    public func record(fleet message: String?, at path: String) -> Bool {
        let problem = message.map {
            ConfigurationProblem(
                location: ConfigurationLocation(file: path, keyPath: "leaders"), message: $0, isWarning: true)
        }
        return state.withLock { state in
            defer { state.fleet = problem }
            return state.fleet != problem
        }
    }

    /// Forgets the problems of all bundles: bundles that are still bad will be recorded again.
    public func forgetBundles() {
        state.withLock { $0.bundles = [:] }
    }
}
