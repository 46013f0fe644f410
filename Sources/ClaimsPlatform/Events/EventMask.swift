// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// What a descriptor is, or should be, ready for. The bits are epoll's (and, below 0x100, poll's).
package struct EventMask: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let read = EventMask(rawValue: UInt32(LINUX_EVENT_READ))
    package static let write = EventMask(rawValue: UInt32(LINUX_EVENT_WRITE))
    /// Reported whether asked for or not.
    package static let error = EventMask(rawValue: UInt32(LINUX_EVENT_ERROR))
    /// Both directions are closed; reported whether asked for or not.
    package static let hangUp = EventMask(rawValue: UInt32(LINUX_EVENT_HANGUP))
    /// The peer will send no more.
    package static let peerClosed = EventMask(rawValue: UInt32(LINUX_EVENT_PEER_CLOSED))
    /// Reported once for each change instead of for as long as it lasts (EPOLLET).
    package static let edgeTriggered = EventMask(rawValue: 1 << 31)
    /// Of several loops that wait for one listener, not all are woken (EPOLLEXCLUSIVE; with `add` only).
    package static let exclusive = EventMask(rawValue: 1 << 28)
}
