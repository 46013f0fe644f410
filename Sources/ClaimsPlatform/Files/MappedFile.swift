// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A file's bytes, mapped read-only for as long as this object lives.
///
/// The mapping outlives the file's name. Reading a page that is gone, because the file was cut or the disk cannot read
/// it, is a bus error (mmap(2)), which ends the process; see ``BusErrors``. Any thread may read.
@safe
public final class MappedFile: Sendable {
    /// Invariant: points at `size` readable bytes from `init` to `deinit`; nil when `size` is 0. Any thread may read
    /// it, because it never changes and the bytes are never written. For the compiler no raw pointer is Sendable, even
    /// if its bytes are constant; a copy of the file in safe memory would cost its size.
    nonisolated(unsafe) private let base: UnsafeRawPointer?
    /// The size of the mapping in bytes, as of opening.
    public let size: Int
    private let disposable: [DisposableMapping]

    /// Maps the whole of an open file, which may be closed afterwards. An empty file is mapped as no bytes.
    ///
    /// - Parameters:
    ///   - name: the path of a disposable file; otherwise it appears in errors only.
    ///   - isDisposable: whether a bus error in the mapping removes the file, see ``BusErrors``.
    public init(
        _ file: borrowing FileDescriptor, name: String = "a file", isDisposable: Bool = false
    ) throws(SystemError) {
        size = try file.size()
        if size == 0 {
            unsafe base = nil
            disposable = []
        } else {
            let address = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, file.raw, 0)
            guard let address = unsafe address, unsafe address != MAP_FAILED else { throw .last("map \(name)") }
            unsafe base = UnsafeRawPointer(address)
            disposable = isDisposable ? unsafe [DisposableMapping(address, size, of: name)] : []
        }
    }

    /// A whole file, or its beginning, in a mapping of several files.
    public struct Piece {
        /// The path of the file.
        public let path: String
        /// The offset of the file's first byte in the mapping; a multiple of the page size.
        public let offset: Int
        /// The number of bytes of the file that are mapped, from its beginning.
        public let count: Int

        public init(path: String, offset: Int, count: Int) {
            self.path = path
            self.offset = offset
            self.count = count
        }
    }

    /// Maps several disposable files into one span of `size` bytes. The bytes between them read as zeros.
    ///
    /// A bus error removes the file that it occurs in, see ``BusErrors``.
    ///
    /// EINVAL is thrown if a piece is not wholly in the span, or if its file is shorter than the piece.
    public init(joining pieces: [Piece], size: Int) throws(SystemError) {
        let flags = MAP_PRIVATE | Int32(MAP_ANONYMOUS) | Int32(MAP_NORESERVE)
        guard size > 0 else { throw SystemError("map files", errno: EINVAL) }
        let start = unsafe mmap(nil, size, PROT_READ, flags, -1, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { throw .last("map \(size) bytes") }
        var disposable: [DisposableMapping] = []
        do throws(SystemError) {
            for piece in pieces where piece.count != 0 {
                let file = try FileDescriptor.open(piece.path, .regular)
                guard piece.count > 0, piece.offset >= 0, piece.count <= size, piece.offset <= size - piece.count,
                    piece.count <= (try file.size())
                else { throw SystemError("map \(piece.path)", errno: EINVAL) }
                // The address is inside the range that was reserved above, which is not used yet.
                let address = unsafe start + piece.offset
                let mapped = unsafe mmap(address, piece.count, PROT_READ, MAP_SHARED | MAP_FIXED, file.raw, 0)
                guard unsafe mapped == address else { throw .last("map \(piece.path)") }
                disposable.append(unsafe DisposableMapping(address, piece.count, of: piece.path))
            }
        } catch {
            for mapping in disposable { mapping.end() }
            unsafe munmap(start, size)
            throw error
        }
        unsafe base = UnsafeRawPointer(start)
        self.size = size
        self.disposable = disposable
    }

    deinit {
        // Before the addresses may belong to another mapping.
        for mapping in disposable { mapping.end() }
        if let base = unsafe base { unsafe munmap(UnsafeMutableRawPointer(mutating: base), size) }
    }

    /// All bytes of the mapping, valid for as long as this object.
    public var bytes: RawSpan {
        @_lifetime(borrow self) get {
            guard let base = unsafe base else { return RawSpan() }
            let span = unsafe RawSpan(_unsafeStart: base, byteCount: size)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The `count` elements that begin at byte `offset`; nil if they are not all in the file or `offset` is not aligned
    /// for the type.
    @_lifetime(borrow self)
    public func elements<Element: BitwiseCopyable>(
        of type: Element.Type, at offset: Int, count: Int
    ) -> Span<Element>? {
        guard offset >= 0, count >= 0, offset <= size, offset % MemoryLayout<Element>.alignment == 0,
            count <= (size - offset) / MemoryLayout<Element>.stride
        else { return nil }
        guard let base = unsafe base else { return Span() }
        let start = unsafe (base + offset).assumingMemoryBound(to: type)
        let span = unsafe Span<Element>(_unsafeStart: start, count: count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The expected use of the pages: the advice of madvise(2).
    public enum Use: Sendable { case random, sequential, soon, never }

    /// Informs the kernel how the whole file will be read; only a hint.
    public func advise(_ use: Use) {
        guard let base = unsafe base else { return }
        let advice =
            switch use {
            case .random: MADV_RANDOM
            case .sequential: MADV_SEQUENTIAL
            case .soon: MADV_WILLNEED
            case .never: MADV_DONTNEED
            }
        unsafe madvise(UnsafeMutableRawPointer(mutating: base), size, advice)
    }
}

/// Hints to the processor's caches, so that bytes needed soon are fetched together instead of one miss after another.
public enum Prefetch {
    /// Asks the processor to fetch `count` bytes from `offset` on, as far as they are in the span; only a hint.
    public static func read(_ bytes: RawSpan, at offset: Int, count: Int) {
        guard offset >= 0, offset < bytes.byteCount else { return }
        let end = min(bytes.byteCount, offset &+ count)
        unsafe bytes.extracting(offset..<end).withUnsafeBytes { unsafe linux_prefetch($0.baseAddress, $0.count) }
    }
}
