// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The bytes of one page of records. They stay at the same address while the object lives.
public protocol RecordBody: Sendable {
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ read: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

/// A body that is in memory.
public final class ArrayBody: RecordBody {
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ read: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = bytes
        return try read(bytes.rawSpan)
    }
}

/// Finds the elements that two pages share because the data has moved between their requests: those with which a page
/// begins and, byte for byte, the page before ended.
struct PageSeam {
    /// The number of elements at the end of a page that are compared.
    static let maxElements = 1024

    private var body: (any RecordBody)?
    /// Where the last elements of the page are.
    private var ranges: [Range<Int>] = []
    private var earlierBody: (any RecordBody)?
    /// Where the last elements of the page before are.
    private var earlier: [Range<Int>] = []
    /// The index in `earlier` of the element that has to come next; nil before the first one.
    private var expected: Int?
    private var isOpen = false

    /// Begins a page, which follows the one before.
    mutating func beginPage(_ next: any RecordBody) {
        earlier = ranges.suffix(Self.maxElements)
        (earlierBody, body) = (body, next)
        ranges.removeAll(keepingCapacity: true)
        expected = nil
        isOpen = !earlier.isEmpty
    }

    /// Notes the next element of the page; whether the page before had it at its end.
    mutating func repeats(_ range: Range<Int>, in bytes: RawSpan) -> Bool {
        // Half of them go at once, so that each is moved once.
        if ranges.count >= 2 * Self.maxElements { ranges.removeFirst(Self.maxElements) }
        ranges.append(range)
        guard isOpen, let earlierBody, let index = find(bytes.extracting(range), in: earlierBody) else {
            isOpen = false
            return false
        }
        expected = index + 1
        isOpen = index + 1 < earlier.count
        return true
    }

    private func find(_ element: RawSpan, in body: some RecordBody) -> Int? {
        body.withBytes { bytes in
            if let expected { return bytes.extracting(earlier[expected]).equals(element) ? expected : nil }
            return earlier.lastIndex { bytes.extracting($0).equals(element) }
        }
    }
}
