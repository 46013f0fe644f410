// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Who is told when a descriptor is ready. Handlers belong to their loop's thread and need no lock.
public protocol EventHandler: AnyObject {
    /// Called on the loop's thread. The handler may add, modify and remove any descriptor, itself included.
    func ready(_ events: EventMask, on loop: EventLoop)
}
