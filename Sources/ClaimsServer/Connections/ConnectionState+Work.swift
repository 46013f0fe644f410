// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension ConnectionState {
    /// The work of a request that is answered later.
    enum Work {
        /// A change that is being written; it cannot be cancelled.
        case change
        case query(Cancellation)
        case stream(Cancellation)

        var cancellation: Cancellation? {
            switch self {
            case .change: nil
            case .query(let cancellation), .stream(let cancellation): cancellation
            }
        }

        var isStream: Bool { if case .stream = self { true } else { false } }
    }
}
