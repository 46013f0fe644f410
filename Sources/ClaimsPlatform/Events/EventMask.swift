// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// What a descriptor is, or should be, ready for. The bits are epoll's (and, below 0x100, poll's).
public struct EventMask: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static let read = EventMask(rawValue: UInt32(LINUX_EVENT_READ))
    public static let write = EventMask(rawValue: UInt32(LINUX_EVENT_WRITE))
    /// Reported whether asked for or not.
    public static let error = EventMask(rawValue: UInt32(LINUX_EVENT_ERROR))
    /// Both directions are closed; reported whether asked for or not.
    public static let hangUp = EventMask(rawValue: UInt32(LINUX_EVENT_HANGUP))
    /// The peer will send no more.
    public static let peerClosed = EventMask(rawValue: UInt32(LINUX_EVENT_PEER_CLOSED))
    /// Reported once for each change instead of for as long as it lasts (EPOLLET).
    public static let edgeTriggered = EventMask(rawValue: 1 << 31)
    /// Of several loops that wait for one listener, not all are woken (EPOLLEXCLUSIVE; with `add` only).
    public static let exclusive = EventMask(rawValue: 1 << 28)
}
