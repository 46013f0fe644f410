// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
public import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// The line on a terminal that tells how far refreshes, or a trial, are: the phase of each, its bytes or what it waits for,
/// and for how long it has been.
struct RefreshProgressLine {
    private typealias Entry = RefreshProgressNotification

    /// The text before the first notification, after so many seconds.
    private let beginning: (Int64) -> String
    private let time: LocalTime
    private let start = SystemClock.monotonic
    private var line: ProgressLine
    /// The newest notification of each source, in the order in which they first came.
    private var states: [(collection: String, text: String)] = []

    init(_ context: CommandContext, beginning: @escaping (Int64) -> String) {
        self.beginning = beginning
        time = context.time
        line = ProgressLine(context)
    }

    /// Takes a notification over; one of another kind is passed over.
    mutating func take(_ notification: AnswerValue) {
        guard notification["method"]?.string == Entry.method, let params = notification["params"],
            let name = params[Entry.collection]
        else { return }
        let collection = params[Entry.site].map { "\(name), \($0)" } ?? name
        let text = Self.text(params, time)
        if let index = states.firstIndex(where: { $0.collection == collection }) {
            states[index].text = text
        } else {
            states.append((collection, text))
        }
        tick()
    }

    /// How far one refresh is: `receiving 1.2 of 3.0 MiB`.
    static func text(_ params: AnswerValue, _ time: LocalTime) -> String {
        let messages = time.messages
        let progress = RefreshProgress(params)
        if let wait = progress.wait { return messages.text(wait.text(until: time.exactClock(wait.until))) }
        return messages.phase(of: progress)
    }

    mutating func tick() {
        let seconds = Int64((SystemClock.monotonic - start) / 1_000_000_000)
        let text = states.map { "\($0.collection): \($0.text)" }.joined(separator: "; ")
        line.show(states.isEmpty ? beginning(seconds) : "\(text), \(seconds) s")
    }

    mutating func clear() { line.clear() }
}

extension RefreshProgress {
    /// How far a refresh is, as a notification tells it.
    public init(_ params: AnswerValue) {
        typealias Entry = RefreshProgressNotification
        self.init()
        phase = Phase(rawValue: params[Entry.phase] ?? "")
        bytes = Int(params[Entry.bytes] ?? 0)
        expected = params[Entry.expected].map { Int($0) }
        pages = Int(params[Entry.pages] ?? 0)
        records = Int(params[Entry.records] ?? 0)
        wait = HostWait(params[Entry.wait])
    }
}

extension HostWait {
    /// The wait of a notification; nil where there is none that this program knows.
    fileprivate init?(_ value: AnswerValue?) {
        typealias Entry = RefreshProgressNotification.Wait
        guard let value, let host = value[Entry.host], let reason = value[Entry.reason].flatMap(Reason.init),
            let until = value[Entry.until]?.string.flatMap({ Instant.parse($0)?.ms })
        else { return nil }
        self.init(host: host, reason: reason, until: until)
    }
}

extension CommandContext {
    /// Whether people are told how far something is.
    var showsProgress: Bool { !invocation.isQuiet && console.progress != .none }

    /// The result of a request that tells how far it is.
    func answer(
        to number: ClientConnection.RequestNumber, tellingProgress line: RefreshProgressLine
    ) throws(CommandError) -> AnswerValue {
        var line = line
        defer { line.clear() }
        return try answer(
            to: number, isLong: true, whileWaiting: { line.tick() }, onNotification: { line.take($0) })
    }
}
