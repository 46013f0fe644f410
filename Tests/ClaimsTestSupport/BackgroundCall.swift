// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A call on a thread of its own, whose result is waited for later.
public final class BackgroundCall<Value: Sendable>: Sendable {
    private let outcome: Monitor<Result<Value, any Error>?>
    private let thread: NamedThread

    public init(_ body: @escaping @Sendable () throws -> Value) throws {
        let outcome = Monitor<Result<Value, any Error>?>(nil)
        self.outcome = outcome
        thread = try NamedThread("background") {
            let result = Result { try body() }
            outcome.update { outcome in outcome = result }
        }
    }

    /// The result, once it is there.
    public func result() throws -> Value {
        guard let result = outcome.wait(upTo: .seconds(60), { outcome in outcome }) else {
            throw TestFailure("a call does not end")
        }
        return try result.get()
    }
}
