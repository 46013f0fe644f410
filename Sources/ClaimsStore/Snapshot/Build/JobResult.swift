// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What one job of a build makes, and others wait for.
final class JobResult<Value: Sendable>: Sendable {
    private let made = Monitor<Result<Value, StoreError>?>(nil)

    /// Waits for it, or throws what kept it from being made. The job that makes it must have been begun before.
    func get() throws(StoreError) -> Value {
        guard let result = made.wait({ $0 }) else { throw StoreError(.io, "build a snapshot") }
        return try result.get()
    }

    /// Makes it.
    func make(_ body: () throws(StoreError) -> Value) throws(StoreError) {
        let result: Result<Value, StoreError>
        do throws(StoreError) { result = .success(try body()) } catch { result = .failure(error) }
        made.update { $0 = result }
        _ = try result.get()
    }
}
