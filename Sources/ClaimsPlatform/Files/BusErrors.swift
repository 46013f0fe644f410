// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The end of the process by a bus error (SIGBUS): a page of a mapped file could not be read.
///
/// A disposable file, which the next start makes again, would end that start in the same way. A handler therefore names
/// the file and removes it before the signal ends the process. Any other bus error removes nothing.
public enum BusErrors {
    /// The line that reports a bus error, with the file's path in its middle.
    public struct Line {
        /// The text before the path, if the file was removed.
        public let removed: String
        /// The text before the path, if the file could not be removed.
        public let kept: String
        /// The text after the path.
        public let end: String

        public init(removed: String, kept: String, end: String) {
            self.removed = removed
            self.kept = kept
            self.end = end
        }
    }

    /// Catches bus errors from now on; the first call counts.
    ///
    /// - Parameter descriptor: written to with one call; it must stay open for good.
    public static func `catch`(telling line: Line, on descriptor: Int32) {
        unsafe linux_bus_error_catch(descriptor, line.removed, line.kept, line.end)
    }
}

/// A mapped file, or a part of one, that a bus error removes.
///
/// The kernel's handler finds it in a table of fixed size. Where the table is full, a bus error removes nothing.
struct DisposableMapping: Sendable {
    /// Its number in the table; negative if the table was full.
    private let slot: Int32

    /// Enters a mapping of `count` bytes.
    init(_ start: UnsafeRawPointer, _ count: Int, of path: String) {
        slot = unsafe linux_bus_error_enter(start, count, path)
    }

    /// Takes the mapping out of the table, which must be done before it is unmapped.
    func end() {
        linux_bus_error_leave(slot)
    }
}
