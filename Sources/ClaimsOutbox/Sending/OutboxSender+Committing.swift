// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore

extension OutboxSender {
    /// Commits the outcome of an attempt; one that cannot be committed waits in memory, and its lane with it.
    func commit(_ outcome: Unsaved) {
        do throws(StoreError) {
            let changed = try save(outcome)
            took(changed, after: outcome)
        } catch {
            services.report(.unsaved(error))
            let time = services.clock.now() + Self.commitInterval
            state.update {
                $0.isStarved = true
                $0.unsaved.append(outcome)
                $0.nextCommit = time
                $0.changes += 1
            }
        }
    }

    /// Tries again to commit the outcomes that wait in memory.
    func commitUnsaved(now: Int64) {
        let waiting = state.update(waking: .none) { state -> [Unsaved] in
            guard now >= state.nextCommit else { return [] }
            defer { state.unsaved = [] }
            return state.unsaved
        }
        for outcome in waiting { commit(outcome) }
    }

    private func save(_ outcome: Unsaved) throws(StoreError) -> [Operation] {
        try services.store.changeOperations { lookup in
            guard let current = lookup(outcome.id), let changed = outcome.decide(current), changed != current else {
                return []
            }
            return [changed]
        }
    }

    private func took(_ changed: [Operation], after outcome: Unsaved) {
        let now = services.clock.now()
        let (event, origin, isWell) = state.update { state in
            let origin = state.queue.origin(of: outcome.id)
            let isWell = state.isStarved
            state.isStarved = false
            let event = state.queue.end(outcome.id, outcome.signal, now: now, random: RandomBytes.integer())
            state.changes += 1
            return (event, origin, isWell)
        }
        if isWell { services.report(.saved) }
        for operation in changed where operation.state.isStuck { services.report(.stuck(operation)) }
        if let origin { tell(event, of: origin) }
    }

    /// Reports a change of an origin's health.
    func tell(_ event: OriginState.Event?, of origin: String) {
        switch event {
        case nil: break
        case .paused(let message): services.report(.paused(origin: origin, message))
        case .recovered: services.report(.recovered(origin: origin))
        }
    }

    /// After a step back of the wall clock nobody knows the age of a key.
    func distrustKeys() {
        let ids = state.read { state in
            state.queue.lanes.operations.filter { $0.delivery.keyUse?.isClockSteady == true }.map(\.id)
        }
        do throws(StoreError) {
            _ = try services.store.changeOperations { lookup in
                ids.compactMap { lookup($0)?.distrustingClock }
            }
            state.update(waking: .none) { $0.isDistrusting = false }
        } catch {
            services.report(.unsaved(error))
            state.update(waking: .none) { $0.isDistrusting = true }
        }
    }
}

extension OutboxSender.State {
    /// Takes all unsettled operations in as they are published. False where nothing has changed.
    mutating func adopt(_ operations: [Operation], now: Int64) -> Bool {
        var changed: [Operation] = []
        var gone: Set<OperationID> = []
        // Both are in the order of their commits. Almost all are the same, and are not looked at.
        var index = 0
        for operation in operations {
            while index < adopted.count, adopted[index].number < operation.number {
                gone.insert(adopted[index].id)
                index += 1
            }
            if index < adopted.count, adopted[index].number == operation.number {
                index += 1
                if adopted[index - 1].isCopy(of: operation) { continue }
            }
            if queue.lanes[operation.id] != operation { changed.append(operation) }
        }
        for operation in adopted[index...] { gone.insert(operation.id) }
        adopted = operations
        gone.subtract(changed.map(\.id))
        for operation in changed where operation.state == .accepted {
            if queue.lanes[operation.id]?.state != .accepted { confirmations.accept(operation.collection, now: now) }
        }
        queue.replace(changed)
        queue.remove(gone)
        return !changed.isEmpty || !gone.isEmpty
    }
}
