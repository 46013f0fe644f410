// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsBytes
public import ClaimsPlatform

/// The whole decoded body of an answer, which never changes. Any thread may read it.
///
/// A body of at most ``maxInMemory`` bytes is in memory. A larger one is a mapped file without a name, so that
/// it is page cache and not anonymous memory; the file is deleted with the last reference.
public final class FetchedBody: Sendable {
    /// The maximal size in bytes of a body in anonymous memory.
    public static let maxInMemory = 1 << 20

    private enum Storage: Sendable {
        case memory([UInt8])
        case mapped(MappedFile)
    }

    private let storage: Storage
    /// The 128-bit hash of the body.
    public let digest: ContentHash.Digest

    /// A body of bytes that are already in memory.
    public init(_ bytes: [UInt8]) {
        storage = .memory(bytes)
        digest = unsafe ContentHash.digest(of: bytes.span.bytes)
    }

    /// A body of bytes that are in memory. A large one is put into a file without a name in `directory`.
    public convenience init(_ bytes: [UInt8], spooledIn directory: String) throws(SystemError) {
        guard bytes.count > Self.maxInMemory else {
            self.init(bytes)
            return
        }
        let file = try FileDescriptor.temporary(in: directory)
        try file.write(bytes)
        self.init(try MappedFile(file, name: "a body"), digest: ContentHash.digest(of: bytes.rawSpan))
    }

    init(_ bytes: [UInt8], digest: ContentHash.Digest) {
        storage = .memory(bytes)
        self.digest = digest
    }

    init(_ file: MappedFile, digest: ContentHash.Digest) {
        storage = .mapped(file)
        self.digest = digest
    }

    /// The size of the body in bytes.
    public var count: Int {
        switch storage {
        case .memory(let bytes): bytes.count
        case .mapped(let file): file.size
        }
    }

    /// Whether the body is a mapped file and not in anonymous memory.
    public var isMapped: Bool {
        if case .mapped = storage { true } else { false }
    }

    /// All bytes of the body, valid for as long as this object.
    public var bytes: RawSpan {
        @_lifetime(borrow self) get {
            switch storage {
            case .memory(let bytes): unsafe _overrideLifetime(bytes.span.bytes, borrowing: self)
            case .mapped(let file): unsafe _overrideLifetime(file.bytes, borrowing: self)
            }
        }
    }

    /// Calls `read` with all bytes of the body, and returns or throws what `read` does.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ read: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try read(bytes)
    }
}

/// Collects a body: in memory while it is small, then in a file without a name.
struct BodySpool: ~Copyable {
    private let directory: String
    private var memory: [UInt8] = []
    private var file: FileDescriptor?
    private var hash = ContentHash()
    /// In bytes.
    private(set) var count = 0

    /// Makes a body. `directory` is the folder of the file, if one is needed; it should be on a disk, not in memory.
    init(directory: String) {
        self.directory = directory
    }

    /// Appends `bytes`; the caller has checked its cap.
    mutating func append(_ bytes: RawSpan) throws(SystemError) {
        hash.update(bytes)
        count += bytes.byteCount
        if file == nil {
            if count <= FetchedBody.maxInMemory {
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
