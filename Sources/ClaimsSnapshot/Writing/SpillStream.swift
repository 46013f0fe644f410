// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// A sequence that is appended to once and read once. Past a bound it is kept in an unnamed file instead of in memory.
///
/// A build gathers many such sequences, so that its memory stays small however many records there are. Every operation
/// that writes throws the error of creating or writing the file.
struct SpillStream<Element: BitwiseCopyable & Sendable> {
    /// The size of the part that is kept in memory, in bytes.
    static var bufferBytes: Int { 1 << 18 }

    private let medium: BuildMedium
    private var buffer: [Element] = []
    private var file: SpillFile?
    /// The number of elements that are in the file.
    private var spilled = 0

    init(_ medium: BuildMedium) {
        self.medium = medium
    }

    /// The number of elements that have been appended.
    var count: Int { spilled + buffer.count }

    @inline(__always)
    mutating func append(_ element: Element) throws(StoreError) {
        if buffer.count == Self.bufferBytes / MemoryLayout<Element>.stride { try spill() }
        buffer.append(element)
    }

    mutating func append(contentsOf elements: Span<Element>) throws(StoreError) {
        let bound = Self.bufferBytes / MemoryLayout<Element>.stride
        if buffer.count + elements.count > bound {
            if !buffer.isEmpty { try spill() }
            if elements.count > bound {
                try write(elements)
                return
            }
        }
        unsafe elements.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
    }

    private mutating func spill() throws(StoreError) {
        var full: [Element] = []
        swap(&full, &buffer)
        try write(full.span)
        full.removeAll(keepingCapacity: true)
        swap(&full, &buffer)
    }

    private mutating func write(_ elements: Span<Element>) throws(StoreError) {
        let target: SpillFile
        if let file { target = file } else { target = try SpillFile(medium) }
        file = target
        try target.write(unsafe elements.bytes)
        spilled += elements.count
    }

    /// The element at `index`, which must be below `count`; read from the file if it has been written out.
    func element(at index: Int) throws(StoreError) -> Element where Element == UInt64 {
        guard let file, index < spilled else { return buffer[index - spilled] }
        let bytes = try file.read(8, at: index * 8)
        return bytes.rawSpan.u64(at: 0)
    }

    /// Ends the sequence and returns its elements. Nothing may be appended afterwards.
    mutating func seal() throws(StoreError) -> SpilledElements<Element> {
        guard let file else {
            defer { buffer = [] }
            return SpilledElements(buffer)
        }
        if !buffer.isEmpty { try spill() }
        buffer = []
        return SpilledElements(try file.map(), count: spilled)
    }
}

extension SpillStream where Element == UInt8 {
    mutating func append(_ bytes: RawSpan) throws(StoreError) {
        try append(contentsOf: unsafe bytes._unsafeView(as: UInt8.self))
    }
}

/// The elements of a finished `SpillStream`, in memory or in its mapped file.
struct SpilledElements<Element: BitwiseCopyable & Sendable>: Sendable {
    private let kept: [Element]
    private let file: MappedFile?
    let count: Int

    init(_ kept: [Element]) {
        self.kept = kept
        file = nil
        count = kept.count
    }

    init(_ file: MappedFile, count: Int) {
        kept = []
        self.file = file
        self.count = count
    }

    /// The elements end to end, in the byte order of the machine.
    var bytes: RawSpan {
        @_lifetime(borrow self) get {
            if let file { return unsafe _overrideLifetime(file.bytes, borrowing: self) }
            return unsafe kept.span.bytes
        }
    }
}

/// An unnamed temporary file. It disappears when its last descriptor and mapping are closed.
final class SpillFile: Sendable {
    private let descriptor: FileDescriptor

    init(_ medium: BuildMedium) throws(StoreError) {
        descriptor = try medium.makeFile()
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
