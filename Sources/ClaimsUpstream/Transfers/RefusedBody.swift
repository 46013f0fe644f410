// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Synchronization

/// The beginning of the body with which a server refuses a request, for whoever wants to see it. Safe on any thread.
///
/// An error holds nothing from a body, so the body goes another way.
public final class RefusedBody: Sendable {
    /// The number of bytes that are kept.
    public static let maxSize = 2048

    private let body = Mutex<[UInt8]>([])

    public init() {}

    /// The bytes of the last refusal.
    public var bytes: [UInt8] { body.withLock { $0 } }

    /// Keeps the beginning of the part of a good answer that says that the request has failed.
    public func keep(_ part: RawSpan) {
        begin()
        _ = take(part)
    }

    /// Forgets an earlier body.
    func begin() { body.withLock { $0 = [] } }

    /// Takes a part of the body; false once there is no room.
    func take(_ part: RawSpan) -> Bool {
        body.withLock { body in
            body.append(bytes: part.extracting(0..<min(part.byteCount, Self.maxSize - body.count)))
            return body.count < Self.maxSize
        }
    }
}
