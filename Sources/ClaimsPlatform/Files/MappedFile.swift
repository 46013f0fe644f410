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

    /// A place for spans of no bytes, aligned for any element.
    nonisolated(unsafe) private static let nothing = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64))
}
