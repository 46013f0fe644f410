// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
public import ClaimsStore

/// The clients that wait for quarantined elements to be decoded again.
struct WaitingRetries {
    typealias Completion = @Sendable (Result<QuarantineOutcome, StoreError>) -> Void

    private var waiting: [UInt64: Completion] = [:]
    private var lastNumber: UInt64 = 0
    private var isStopping = false

    /// Returns the number of a new one; nil: nothing is begun any more.
    mutating func add(_ completion: @escaping Completion) -> UInt64? {
        if isStopping { return nil }
        lastNumber += 1
        waiting[lastNumber] = completion
        return lastNumber
    }

    /// Takes one out; nil: it was told that nothing is begun any more.
    mutating func take(_ number: UInt64) -> Completion? { waiting.removeValue(forKey: number) }

    /// Begins nothing more, and returns those that have not been taken out.
    mutating func stop() -> [Completion] {
        isStopping = true
        defer { waiting = [:] }
        return Array(waiting.values)
    }
}

extension Refresher {
    /// The error of a retry that is not begun any more.
    static var stopped: StoreError { StoreError(.closed, "retry quarantined elements") }

    /// How often a retry is begun whose collection changes under it.
    private static let maxRetryAttempts = 3

    /// Decodes quarantined elements of a collection again, after a refresh that is under way.
    ///
    /// - Parameters:
    ///   - entry: the number of an entry; nil for all.
    ///   - completion: called once, on any thread; see `CollectionOpener.retryQuarantined`. It gets `.closed` where the
    ///     daemon is stopping.
    public func retryQuarantined(
        _ entry: Int64?, of collection: String,
        completion: @escaping @Sendable (Result<QuarantineOutcome, StoreError>) -> Void
    ) {
        guard let number = retries.update({ $0.add(completion) }) else { return completion(.failure(Self.stopped)) }
        let isPosted = post(to: collection) { [self] settings in
            guard let completion = retries.update({ $0.take(number) }) else { return }
            completion(retry(entry, of: collection, historyBytes: settings.history.bytes))
        }
        if !isPosted, let completion = retries.update({ $0.take(number) }) {
            let error = StoreError(.io, "retry quarantined elements", detail: "no thread is to be had")
            completion(.failure(isStopping ? Self.stopped : error))
        }
    }

    private func retry(
        _ entry: Int64?, of collection: String, historyBytes: Int
    ) -> Result<QuarantineOutcome, StoreError> {
        for attempt in 1... {
            do throws(StoreError) {
                return .success(try opener.retryQuarantined(entry, of: collection, historyBytes: historyBytes))
            } catch {
                guard error.code == .mismatch, attempt < Self.maxRetryAttempts else { return .failure(error) }
            }
        }
        return .failure(Self.stopped)
    }
}
