// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why the benchmark, or a part of it, cannot go on.
struct BenchError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

extension BenchError {
    /// Runs `work` and gives whatever it throws a sentence that says where it happened.
    static func within<Value>(_ place: String, _ work: () throws -> Value) throws(BenchError) -> Value {
        do {
            return try work()
        } catch let error as BenchError {
            throw BenchError("\(place): \(error.message)")
        } catch {
            throw BenchError("\(place): \(error)")
        }
    }
}
