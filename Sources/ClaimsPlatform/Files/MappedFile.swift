// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file's bytes, mapped read-only for as long as this object lives.
///
/// The mapping outlives the file's name. Nobody may shrink the file meanwhile: that is a bus error (mmap(2)).
@safe
public final class MappedFile: Sendable {
    /// Invariant: points at `size` readable bytes that nobody writes, from `init` to `deinit`; nil when `size` is 0.
    nonisolated(unsafe) private let base: UnsafeRawPointer?
    /// In bytes, as of opening.
    public let size: Int

    /// Maps the whole of `path`.
    public convenience init(path: String) throws(SystemError) {
        let file = try FileDescriptor.open(path, .read)
        try self.init(file, name: path)
    }

    /// Maps the whole of an open file, which may be closed afterwards; `name` is for errors only.
    public init(_ file: borrowing FileDescriptor, name: String = "a file") throws(SystemError) {
        size = try file.size()
        if size == 0 {
            unsafe base = nil
        } else {
            let address = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, file.raw, 0)
            guard let address = unsafe address, unsafe address != MAP_FAILED else { throw .last("map \(name)") }
            unsafe base = UnsafeRawPointer(address)
        }
    }

    /// A file, or its beginning, in a mapping of several.
    public struct Piece {
        public let path: String
        /// Where it begins in the mapping; a multiple of the page size.
        public let place: Int
        /// How many bytes of it are mapped.
        public let count: Int

        public init(path: String, place: Int, count: Int) {
            self.path = path
            self.place = place
            self.count = count
        }
    }

    /// Maps several files into one span of `size` bytes. What lies between them reads as zeros.
    ///
    /// EINVAL where a piece does not lie in the span, or its file is too short.
    public init(joining pieces: [Piece], size: Int) throws(SystemError) {
        let flags = MAP_PRIVATE | Int32(MAP_ANONYMOUS) | Int32(MAP_NORESERVE)
        guard size > 0 else { throw SystemError("map files", errno: EINVAL) }
        let start = unsafe mmap(nil, size, PROT_READ, flags, -1, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { throw .last("map \(size) bytes") }
        do throws(SystemError) {
            for piece in pieces where piece.count != 0 {
                let file = try FileDescriptor.open(piece.path, .read)
                guard piece.count > 0, piece.place >= 0, piece.count <= size, piece.place <= size - piece.count,
                    piece.count <= (try file.size())
                else { throw SystemError("map \(piece.path)", errno: EINVAL) }
                // Inside what was reserved above, which nobody else knows of yet.
                let place = unsafe start + piece.place
                let mapped = unsafe mmap(place, piece.count, PROT_READ, MAP_SHARED | MAP_FIXED, file.raw, 0)
                guard unsafe mapped == place else { throw .last("map \(piece.path)") }
            }
        } catch {
            unsafe munmap(start, size)
            throw error
        }
        unsafe base = UnsafeRawPointer(start)
        self.size = size
    }

    deinit {
        if let base = unsafe base { unsafe munmap(UnsafeMutableRawPointer(mutating: base), size) }
    }

    /// All of the file.
    public var bytes: RawSpan {
        @_lifetime(borrow self) get {
            let span = unsafe RawSpan(_unsafeStart: base ?? Self.nothing, byteCount: size)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// `count` elements that begin at byte `offset`; nil where they do not lie in the file, or are not aligned.
    @_lifetime(borrow self)
    public func elements<Element: BitwiseCopyable>(
        of type: Element.Type, at offset: Int, count: Int
    ) -> Span<Element>? {
        guard offset >= 0, count >= 0, offset <= size, offset % MemoryLayout<Element>.alignment == 0,
            count <= (size - offset) / MemoryLayout<Element>.stride
        else { return nil }
        let start = unsafe (base ?? Self.nothing).advanced(by: offset)
        let span = unsafe Span<Element>(_unsafeStart: start.assumingMemoryBound(to: type), count: count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// What the pages will be used for (madvise(2)); only a hint.
    public enum Use: Sendable { case random, sequential, soon, never }

    /// Tells the kernel how the file will be read.
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

    /// A place for spans of no bytes, aligned for any element. Invariant: never read, written or freed.
    nonisolated(unsafe) private static let nothing = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64))
}
