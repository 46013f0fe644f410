// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsUpstream

/// Reads the heads of all leaders, each address on a thread of its own, again and again. Every call may be made on any thread.
final class AddressWatch: Sendable {
    private struct State {
        var isStopping = false
        /// The states of the addresses, in the order of the leaders.
        var addresses: [AddressState]
    }

    /// The receiver of the heads that are read.
    private struct Owner {
        var accept: @Sendable (FleetHead, _ leader: Int, _ isClockTrusted: Bool, _ isFirst: Bool) -> Bool
        var ended: @Sendable () -> Void
    }

    private let definition: FleetDefinition
    private let services: FleetServices
    /// The rank of this host among the leaders; nil if it is none.
    private let rank: Int?
    private let state: Monitor<State>
    private let cancellation = HTTPCancellation()
    private let threads: WorkerPool

    private static let readTimeout = Duration.seconds(5)

    /// - Throws: if no thread can be had.
    init(_ definition: FleetDefinition, _ services: FleetServices, rank: Int?) throws(SystemError) {
        self.definition = definition
        self.services = services
        self.rank = rank
        state = Monitor(State(addresses: definition.leaders.map { _ in AddressState() }))
        threads = try WorkerPool(name: "fleet", threads: definition.leaders.count, urgency: .background)
    }

    /// Begins to read the addresses.
    ///
    /// - Parameters:
    ///   - accept: called with each new head, the rank of its leader, whether this clock agrees with the clock of the
    ///     address, and whether it is the first one; returns false if something in it is dated too far ahead.
    ///   - ended: called at the end of each read.
    func start(
        accept: @escaping @Sendable (FleetHead, Int, Bool, Bool) -> Bool, ended: @escaping @Sendable () -> Void
    ) {
        let owner = Owner(accept: accept, ended: ended)
        for index in definition.leaders.indices { threads.post { [self] in watch(index, for: owner) } }
    }

    /// Ends all reads, and waits until they have ended.
    func stop() {
        cancellation.cancel()
        state.update { $0.isStopping = true }
        threads.stop()
    }

    /// The states of the addresses, in the order of the leaders.
    var states: [AddressState] { state.read { $0.addresses } }

    /// The first problem between this host and the addresses, for people; nil if there is none.
    var problem: String? {
        AddressState.problem(states, of: definition.leaders, own: rank, uptime: SystemClock.millisecondsSinceBoot)
    }

    /// Records a head that this host has published.
    func published(_ issuedAt: Int64, at rank: Int) {
        state.update { $0.addresses[rank].published(issuedAt, uptime: SystemClock.millisecondsSinceBoot) }
    }

    private func isClockTrusted(_ response: borrowing HTTPResponse) -> Bool {
        guard let date = response.pace.date else { return false }
        return abs(date * 1000 - services.clock.now()) <= HeadJudgement.maxClockDifference
    }

    /// Reads each address that was not read just now, and waits for the reads.
    func readBeforeRequest() {
        let now = SystemClock.millisecondsSinceBoot
        let wanted = state.update { state in
            var wanted: [Int: UInt64] = [:]
            for index in state.addresses.indices where definition.leaders[index].host != services.host {
                guard state.addresses[index].isDueBeforeRequest(now) else { continue }
                state.addresses[index].wanted += 1
                wanted[index] = state.addresses[index].wanted
            }
            return wanted
        }
        if wanted.isEmpty { return }
        _ = state.wait(upTo: Self.readTimeout) { state in
            state.isStopping || wanted.allSatisfy { state.addresses[$0.key].ended >= $0.value } ? true : nil
        }
    }

    /// Reads one address again and again, over a connection that stays.
    private func watch(_ index: Int, for owner: Owner) {
        var download: FleetDownload?
        while !state.read({ $0.isStopping }) {
            let number = state.read { $0.addresses[index].wanted }
            read(index, over: &download, for: owner)
            state.update { $0.addresses[index].ended = max($0.addresses[index].ended, number) }
            owner.ended()
            let wait = state.read { $0.addresses[index] }.wait(
                poll: definition.poll.wholeMilliseconds, random: services.random())
            _ = state.wait(upTo: .milliseconds(wait)) { state in
                state.isStopping || state.addresses[index].wanted > state.addresses[index].ended ? true : nil
            }
        }
    }

    private func read(_ index: Int, over connection: inout FleetDownload?, for owner: Owner) {
        let leader = definition.leaders[index]
        do throws(FetchFailure) {
            let download: FleetDownload
            if let earlier = connection.take() {
                download = earlier
            } else {
                download = try FleetDownload(
                    leader, access: services.access, spool: services.spool,
                    requester: SourceID(definition.collections[0]), cancellation: cancellation)
            }
            let response = try download.head(state.read { $0.addresses[index].validators }, within: Self.readTimeout)
            connection = consume download
            var issuedAt: Int64?
            if !response.isNotModified {
                var file: [UInt8] = []
                response.body.withBytes { file.append(bytes: $0) }
                let head: FleetHead
                do throws(FleetError) { head = try FleetHead(file, of: leader, in: definition.name) } catch {
                    throw FetchFailure(.integrity, Message(.fleetDamaged, leader.host, error.message))
                }
                issuedAt = head.sources.values.map(\.issuedAt).max()
                let isFirst = state.read { $0.addresses[index].readAt == nil }
                guard owner.accept(head, index, isClockTrusted(response), isFirst) else {
                    throw FetchFailure(.clock, Message(.fleetAhead, leader.host))
                }
            }
            let (now, validators) = (services.clock.now(), response.isNotModified ? nil : response.validators)
            let isBack = state.update { state in
                defer {
                    state.addresses[index].succeeded(
                        validators, issuedAt: issuedAt, date: response.pace.date.map { $0 * 1000 }, now: now,
                        uptime: SystemClock.millisecondsSinceBoot)
                }
                return state.addresses[index].isGone
            }
            if isBack { services.daemon.record(.addressBack(leader.host)) }
        } catch {
            if error.isCancelled { return }
            var failure = error.at(services.clock.now())
            failure.host = leader.host
            let event = state.update { $0.addresses[index].failed(failure, uptime: SystemClock.millisecondsSinceBoot) }
            switch event {
            case .refused: services.daemon.record(.headRefused(leader.host, failure))
            case .gone: services.daemon.record(.addressGone(leader.host, failure))
            case nil: break
            }
        }
    }
}
