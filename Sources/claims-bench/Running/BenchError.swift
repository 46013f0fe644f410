// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The reason why the benchmark, or a part of it, cannot continue.
struct BenchError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

extension BenchError {
    /// Runs `work`; an error that it throws gets `location` before its message.
    static func within<Value>(_ location: String, _ work: () throws -> Value) throws(BenchError) -> Value {
        do {
            return try work()
        } catch let error as BenchError {
            throw BenchError("\(location): \(error.message)")
        } catch {
            throw BenchError("\(location): \(error)")
        }
    }
}
