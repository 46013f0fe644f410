// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform

/// The whole body of an answer, immutable.
///
/// A small one is held in memory. A large one is a mapped file without a name, so that it is page cache, not anonymous
/// memory; it goes with the last reference.
public final class FetchedBody: Sendable {
    private enum Storage: Sendable {
        case memory([UInt8])
        case mapped(MappedFile)
    }

    private let storage: Storage
    /// The hash of the bytes.
    public let digest: ContentHash.Digest

    /// A body that is already in memory.
    public init(_ bytes: [UInt8]) {
        storage = .memory(bytes)
        digest = unsafe ContentHash.digest(of: bytes.span.bytes)
    }

    init(_ bytes: [UInt8], digest: ContentHash.Digest) {
        storage = .memory(bytes)
        self.digest = digest
    }

    init(_ file: MappedFile, digest: ContentHash.Digest) {
        storage = .mapped(file)
        self.digest = digest
    }

    /// In bytes.
    public var count: Int {
        switch storage {
        case .memory(let bytes): bytes.count
        case .mapped(let file): file.size
        }
    }

    /// Whether the body is a mapped file.
    public var isMapped: Bool {
        if case .mapped = storage { true } else { false }
    }

    /// All bytes.
    public var bytes: RawSpan {
        @_lifetime(borrow self) get {
            switch storage {
            case .memory(let bytes): unsafe _overrideLifetime(bytes.span.bytes, borrowing: self)
            case .mapped(let file): unsafe _overrideLifetime(file.bytes, borrowing: self)
            }
        }
    }

    /// Calls `read` with all bytes.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ read: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try read(bytes)
    }

    /// Tells the kernel that the bytes will be read once, from first to last.
    public func willReadThrough() {
        if case .mapped(let file) = storage { file.advise(.sequential) }
    }
}
