// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// An unlinked file for what a build does not keep in memory. It vanishes with its last reader.
final class SpillFile: Sendable {
    private let descriptor: FileDescriptor

    init(_ directory: String) throws(StoreError) {
        do { descriptor = try FileDescriptor.temporary(in: directory) } catch { throw StoreError(error) }
    }

    func write(_ bytes: RawSpan) throws(StoreError) {
        do { try descriptor.write(bytes) } catch {
            throw StoreError(SystemError("write a temporary file", errno: error.errno))
        }
    }

    func read(_ count: Int, at offset: Int) throws(StoreError) -> [UInt8] {
        do { return try descriptor.read(count, at: offset) } catch {
            throw StoreError(SystemError("read a temporary file", errno: error.errno))
        }
    }

    func map() throws(StoreError) -> MappedFile {
        do { return try MappedFile(descriptor, name: "a temporary file") } catch { throw StoreError(error) }
    }
}
