// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream

/// Decides what a host may publish, and is informed of its publications. Every call may be made on any thread.
protocol HeadIssuer: AnyObject, Sendable {
    /// The sources that are shared.
    var sources: [SourceID] { get }
    /// The sources whose request to the upstream is under way.
    var asked: [SourceID] { get }
    /// The sources for which this process continues where the process before was.
    var resumed: [SourceID] { get }

    /// Whether the records of a source are written on this host.
    func isHome(of source: SourceID) -> Bool
    /// Whether this host asks for a source.
    func leads(_ source: SourceID) -> Bool
    /// Whether another host asks for a source.
    func follows(_ source: SourceID) -> Bool
    /// The time for a head of a source: after the times of all heads that were read. nil if another host has published
    /// since the request of `permit`, or leads.
    func issueTime(of source: SourceID, after permit: GivenPermit?) -> Int64?
    /// The hashes of the definition in force; nil if there is none.
    func hashes(of source: SourceID) -> FleetPublisher.Hashes?
    /// Records an entry of this host's head.
    func record(_ entry: HeadEntry, of source: SourceID)
    /// Reports the failure of the last publication, for people; nil: all is published.
    func report(publishing problem: String?)
    /// Reads the addresses of the other hosts, and waits until all are read.
    func readBeforeRequest()
}

/// Publishes the ordered sources, on a thread of its own: an order that fails is tried again. While a request or a
/// publication is under way, another thread repeats the head.
final class FleetPublishing: Sendable {
    /// The work on the files of a source that is asked for.
    struct Order {
        /// Whether the records may have changed.
        var readsRecords = false
        /// Whether records were erased.
        var erases = false
        /// The permit under which the upstream was asked; nil: this host must lead.
        var permit: GivenPermit?

        mutating func add(_ other: Order) {
            readsRecords = readsRecords || other.readsRecords
            erases = erases || other.erases
            permit = other.permit ?? permit
        }
    }

    private struct State {
        var isStopping = false
        var orders: [SourceID: Order] = [:]
        /// The sources that have an order. The first one is done first.
        var queue: [SourceID] = []
        /// The source whose files are being written.
        var current: SourceID?
        /// The sources that are not published before, in milliseconds since the boot.
        var pauses: [SourceID: Int64] = [:]
        var failures = 0
        /// The time before which no order is begun, in milliseconds since the boot.
        var notBefore: Int64 = 0

        /// The time until the next paused order, in milliseconds; nil if none waits.
        var nextPause: Int64? {
            let end = queue.map { pauses[$0] ?? 0 }.min()
            return end.map { max(0, $0 - SystemClock.millisecondsSinceBoot) }
        }
    }

    private let state = Monitor(State())
    private let head: HeadWriter
    private let publisher: @Sendable (HTTPCancellation) -> FleetPublisher
    private let cancellation = HTTPCancellation()
    private let threads: WorkerPool

    private static let grace = Duration.seconds(2)
    /// The interval at which a head is repeated while a request is under way, and stale files are looked for.
    private static let heartbeat = Duration.seconds(10)

    /// - Parameter publisher: makes the publisher whose head is `head`.
    /// - Throws: if no thread can be had.
    init(
        _ head: HeadWriter, publisher: @escaping @Sendable (HTTPCancellation) -> FleetPublisher
    ) throws(SystemError) {
        self.head = head
        self.publisher = publisher
        threads = try WorkerPool(name: "publish", threads: 2, urgency: .background)
    }

    func start(for issuer: any HeadIssuer) {
        threads.post { [self] in run(for: issuer) }
        threads.post { [self] in beat(for: issuer) }
    }

    /// Ends both threads, and waits for them. Waiting orders are still done if that is quick; else the next start does them.
    func stop() {
        _ = state.wait(upTo: Self.grace) { state in
            state.failures > 0 || state.queue.isEmpty && state.current == nil ? true : nil
        }
        cancellation.cancel()
        state.update { $0.isStopping = true }
        threads.stop()
    }

    /// Orders the publication of a source.
    func add(_ order: Order, of source: SourceID) {
        state.update { state in
            if state.orders[source] == nil { state.queue.append(source) }
            state.orders[source, default: Order()].add(order)
        }
    }

    // MARK: - Orders

    private func run(for issuer: any HeadIssuer) {
        let publisher = publisher(cancellation)
        perform(for: issuer, nil) { () throws(FleetError) in try publisher.begin(for: issuer) }
        // The other hosts have not taken over the sources that this process continues.
        issuer.readBeforeRequest()
        for source in issuer.resumed { add(Order(readsRecords: true), of: source) }
        while true {
            let order = next()
            if state.read({ $0.isStopping }) { return }
            perform(for: issuer, order) { () throws(FleetError) in
                try publisher.drop(for: issuer)
                if let order { try publish(order.source, order.order, for: issuer, with: publisher) }
            }
        }
    }

    /// Waits for an order; nil after a while without one.
    private func next() -> (source: SourceID, order: Order)? {
        let pause = state.read { max(0, $0.notBefore - SystemClock.millisecondsSinceBoot) }
        if pause > 0 { _ = state.wait(upTo: .milliseconds(pause)) { $0.isStopping ? true : nil } }
        let (count, wait) = state.read { ($0.queue.count, $0.nextPause ?? Self.heartbeat.wholeMilliseconds) }
        return state.wait(upTo: .milliseconds(wait)) { state -> (source: SourceID, order: Order)?? in
            if state.isStopping { return .some(nil) }
            let uptime = SystemClock.millisecondsSinceBoot
            guard let index = state.queue.firstIndex(where: { state.pauses[$0] ?? 0 <= uptime }) else {
                // Another one has come, whose time may be earlier.
                return state.queue.count == count ? nil : .some(nil)
            }
            let source = state.queue.remove(at: index)
            state.current = source
            return state.orders.removeValue(forKey: source).map { (source, $0) }
        } ?? nil
    }

    /// Does work on the folder. The order comes again if it fails.
    private func perform(
        for issuer: any HeadIssuer, _ order: (source: SourceID, order: Order)?,
        _ work: () throws(FleetError) -> Void
    ) {
        var problem: String?
        do throws(FleetError) { try work() } catch {
            problem = "what this host asks for cannot be published: \(error.message)"
        }
        let isDone = state.update { state in
            state.current = nil
            guard problem != nil else {
                state.failures = 0
                return state.queue.isEmpty
            }
            state.failures += 1
            state.notBefore = SystemClock.millisecondsSinceBoot + FleetRetry.wait(after: state.failures)
            return false
        }
        if problem != nil, let order { add(order.order, of: order.source) }
        if isDone || problem != nil, !state.read({ $0.isStopping }) { issuer.report(publishing: problem) }
    }

    private func publish(
        _ source: SourceID, _ order: Order, for issuer: any HeadIssuer, with publisher: FleetPublisher
    ) throws(FleetError) {
        guard issuer.issueTime(of: source, after: order.permit) != nil, let hashes = issuer.hashes(of: source) else {
            if order.erases { try publisher.erase(source) }
            return
        }
        let records = order.readsRecords || order.erases
        let entry = try publisher.publish(source, hashes, readsRecords: records) {
            issuer.issueTime(of: source, after: order.permit)
        }
        if let entry { issuer.record(entry, of: source) }
        if issuer.isHome(of: source) {
            state.update { $0.pauses[source] = SystemClock.millisecondsSinceBoot + RecordHomes.pause }
        }
    }

    // MARK: - Repeating

    /// Repeats the entries of the sources whose next publication takes long, until the thread is to stop.
    private func beat(for issuer: any HeadIssuer) {
        while !state.read({ $0.isStopping }) {
            let busy = state.read { state in Set(state.queue + [state.current].compactMap(\.self)) }
            let sources = busy.union(issuer.asked).filter { issuer.leads($0) }
            let published = head.entries
            for source in issuer.sources where issuer.isHome(of: source) {
                guard let now = issuer.issueTime(of: source, after: nil) else { continue }
                let last = published[source]?.issuedAt
                let next = last.map { $0 + RecordHomes.interval - 2 * Self.heartbeat.wholeMilliseconds } ?? now
                // An entry that is dated far ahead was issued under a wrong clock, and no host takes it.
                let isDue = next <= now || HeadJudgement.isAhead(last ?? now, now: now)
                if isDue { add(Order(readsRecords: true), of: source) }
            }
            // An error is reported by the next publication: it writes the same head, and fails, too.
            let entries = try? head.write(repeating: sources, by: issuer, for: Self.heartbeat)
            for (source, entry) in entries ?? [:] { issuer.record(entry, of: source) }
            _ = state.wait(upTo: Self.heartbeat) { $0.isStopping ? true : nil }
        }
    }
}

extension HeadWriter {
    /// Writes a head with entries whose next request is a while later.
    ///
    /// - Returns: the entries of the new head; empty if there is nothing to repeat.
    fileprivate func write(
        repeating sources: Set<SourceID>, by issuer: any HeadIssuer, for time: Duration
    ) throws(FleetError) -> [SourceID: HeadEntry] {
        let known = entries
        var repeated: [SourceID: HeadEntry] = [:]
        for source in sources {
            guard var entry = known[source], let issuedAt = issuer.issueTime(of: source, after: nil) else { continue }
            entry.issuedAt = issuedAt
            entry.nextRefresh = issuedAt + time.wholeMilliseconds
            repeated[source] = entry
        }
        guard !repeated.isEmpty else { return [:] }
        return try write { entries in
            // An entry that was published meanwhile stays.
            let current = repeated.filter { entries[$0.key] == known[$0.key] }
            for (source, var entry) in current {
                entry.issuedAt = HeadJudgement.issueTime(entry.issuedAt, after: entries[source]?.issuedAt)
                entries[source] = entry
            }
            return current.keys.reduce(into: [:]) { $0[$1] = entries[$1] }
        }
    }
}
