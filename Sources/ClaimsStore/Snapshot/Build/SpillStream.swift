// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A sequence that is only appended to and, past a bound, kept in an unlinked file instead of in memory.
///
/// A build gathers many such sequences; this keeps their memory small however many records there are.
struct SpillStream<Element: BitwiseCopyable & Sendable> {
    /// In bytes; what is held in memory before it is written out.
    static var bufferBytes: Int { 1 << 18 }

    private let directory: String
    private var buffer: [Element] = []
    private var file: SpillFile?
    private var spilled = 0

    init(_ directory: String) {
        self.directory = directory
    }

    /// In elements.
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
        if let file { target = file } else { target = try SpillFile(directory) }
        file = target
        try target.write(unsafe elements.bytes)
        spilled += elements.count
    }

    /// Reads one element again.
    func element(at index: Int) throws(StoreError) -> Element where Element == UInt64 {
        guard let file, index < spilled else { return buffer[index - spilled] }
        let bytes = try file.read(8, at: index * 8)
        return bytes.raw.u64(0)
    }

    /// Ends the sequence and hands it over for reading.
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
