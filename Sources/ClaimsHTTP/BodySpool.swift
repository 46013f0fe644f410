// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Collects a body: in memory while it is small, then in a file without a name.
struct BodySpool: ~Copyable {
    private let directory: String
    private var memory: [UInt8] = []
    private var file: FileDescriptor?
    private var hash = ContentHash()
    /// In bytes.
    private(set) var count = 0

    /// `directory` is where the file is made once there must be one; on the disk rather than in memory.
    init(directory: String) {
        self.directory = directory
    }

    /// Appends `bytes`; the caller has checked its cap.
    mutating func append(_ bytes: RawSpan) throws(SystemError) {
        hash.update(bytes)
        count += bytes.byteCount
        if file == nil {
            if count <= HTTPLimits.inMemory {
                unsafe bytes.withUnsafeBytes { buffer in unsafe memory.append(contentsOf: buffer) }
                return
            }
            let new = try FileDescriptor.temporary(in: directory)
            try new.write(memory)
            memory = []
            file = consume new
        }
        try file?.write(bytes)
    }

    /// The body, once it is whole.
    consuming func finish() throws(SystemError) -> FetchedBody {
        let digest = hash.digest
        guard let file else { return FetchedBody(memory, digest: digest) }
        return FetchedBody(try MappedFile(file, name: "a body"), digest: digest)
    }
}
