// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsServer
import ClaimsStore

extension OutboxBridge {
    /// Carries out what a person has decided about operations, one after the other.
    func decide(_ order: OutboxOrder, completion: @escaping WritingServices.OrderCompletion) {
        decisions.post { [self] in
            do throws(OutboxRefusal) {
                completion(.success(try decide(order)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func decide(_ order: OutboxOrder) throws(OutboxRefusal) -> OutboxReply {
        let caller = OutboxCaller(user: order.uid, isAdmin: order.isAdmin)
        var reply = OutboxReply()
        for id in order.operations {
            guard let verb = try verb(of: order, about: id) else {
                reply.missing.append(id)
                continue
            }
            do throws(StoreError) {
                switch try outbox.decide(verb, about: id, by: caller) {
                case .changed(let operations): reply.changed += operations.map(\.id)
                case .refused(let state, let asksForResolve):
                    reply.refused.append(OutboxReply.Refused(id, state, asksForResolve: asksForResolve))
                case .missing:
                    if let settled = try store.operation(id) {
                        reply.refused.append(OutboxReply.Refused(id, settled.operation.state))
                    } else {
                        reply.missing.append(id)
                    }
                }
            } catch {
                throw .store(error)
            }
        }
        return reply
    }

    /// The decision as the outbox takes it; nil for an operation that is unknown, or whose collection is gone.
    private func verb(of order: OutboxOrder, about id: OperationID) throws(OutboxRefusal) -> OutboxVerb? {
        switch order.decision {
        case .hold: return .hold
        case .drop: return .drop
        case .resolveDone(let newID): return .resolveDone(id: newID)
        case .resolveAgain: return .resolveAgain
        case .retry(nil): return .retry(corrected: nil)
        case .retry(let fields?):
            guard let operation = find(id) else { return nil }
            do throws(InvalidWrite) {
                let values = try correction.values(of: operation, correctedBy: fields, order.calendar)
                return .retry(corrected: values ?? operation.values)
            } catch {
                throw .invalid(error.problems)
            }
        case .resolveMine:
            guard let basis = find(id).flatMap(correction.basis) else { return nil }
            return .resolveMine(before: basis.before, isInSnapshot: basis.isInSnapshot)
        }
    }

    private var correction: OperationCorrection { OperationCorrection(store.catalog.current()) }

    private func find(_ id: OperationID) -> Operation? {
        store.catalog.current().unsettledOperations.first { $0.id == id }
    }
}
