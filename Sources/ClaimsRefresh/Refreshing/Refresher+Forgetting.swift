// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
public import ClaimsStore

extension Refresher {
    /// Erases records of a collection, after a refresh that is under way.
    ///
    /// - Parameter completion: called once, on any thread; see `CollectionOpener.forget`. It gets `.closed` where the daemon
    ///   is stopping.
    public func forget(
        _ order: ForgetOrder, completion: @escaping @Sendable (Result<ForgetOutcome, StoreError>) -> Void
    ) {
        let number = retries.update { waiting in
            waiting.add { result in
                // Only an error comes this way: the daemon is stopping.
                if case .failure(let error) = result { completion(.failure(error)) }
            }
        }
        guard let number else { return completion(.failure(Self.stopped)) }
        let isPosted = post(to: order.collection) { [self] _ in
            guard retries.update({ $0.take(number) }) != nil else { return }
            do throws(StoreError) {
                completion(.success(try opener.forget(order, while: { [self] in !isStopping })))
            } catch {
                // An erasure that is committed goes on to its end.
                noteLeftovers()
                completion(.failure(error))
            }
        }
        if !isPosted, retries.update({ $0.take(number) }) != nil {
            let error = StoreError(.io, "forget records", detail: "no thread is to be had")
            completion(.failure(isStopping ? Self.stopped : error))
        }
    }
}
