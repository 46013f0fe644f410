// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The events that a descriptor is watched for or ready for. The bits are those of epoll(7); below 0x100, of poll(2).
public struct EventMask: OptionSet, Sendable {
    /// The bits as epoll_ctl(2) takes them.
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The descriptor can be read without waiting (EPOLLIN).
    public static let read = EventMask(rawValue: UInt32(LINUX_EVENT_READ))
    /// The descriptor can be written without waiting (EPOLLOUT).
    public static let write = EventMask(rawValue: UInt32(LINUX_EVENT_WRITE))
    /// The descriptor has an error (EPOLLERR). The kernel reports it whether it is watched for or not.
    public static let error = EventMask(rawValue: UInt32(LINUX_EVENT_ERROR))
    /// Both directions are closed (EPOLLHUP). The kernel reports it whether it is watched for or not.
    public static let hangUp = EventMask(rawValue: UInt32(LINUX_EVENT_HANGUP))
    /// The peer sends no more (EPOLLRDHUP).
    public static let peerClosed = EventMask(rawValue: UInt32(LINUX_EVENT_PEER_CLOSED))
    /// A readiness is reported once for each change, not for as long as it lasts (EPOLLET).
    public static let edgeTriggered = EventMask(rawValue: 1 << 31)
}
