// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Where a snapshot and the temporary files of its build lie.
enum BuildMedium: Sendable {
    /// A folder, which the snapshot's file has a name in and is synced with.
    case folder(String)
    /// The memory of this process, for a few records that are on disk elsewhere. Nothing is synced, and no thread helps:
    /// both take longer than building so little.
    case memory

    var isMemory: Bool { if case .memory = self { true } else { false } }

    /// Makes an unnamed file, which vanishes with its last descriptor and mapping.
    func makeFile() throws(SnapshotError) -> FileDescriptor {
        do throws(SystemError) {
            switch self {
            case .folder(let path): return try FileDescriptor.temporary(in: path)
            case .memory: return try FileDescriptor.memory(name: "claimsd-overlay")
            }
        } catch {
            throw SnapshotError(error)
        }
    }
}
