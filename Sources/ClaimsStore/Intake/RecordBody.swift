// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel

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

/// Finds the elements that two pages share because the data has moved between their requests: the elements at the
/// beginning of a page that are, byte for byte, the elements at the end of the page before.
struct PageSeam {
    /// The number of elements at the end of a page that are compared.
    static let maxElements = 1024

    private var body: (any RecordBody)?
    /// The ranges of the last elements of the page.
    private var ranges: [Range<Int>] = []
    private var earlierBody: (any RecordBody)?
    /// The ranges of the last elements of the page before.
    private var earlier: [Range<Int>] = []
    /// The index in `earlier` of the element that must come next; nil before the first match.
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

    /// Records the next element of the page; returns whether the page before had it at its end.
    mutating func repeats(_ range: Range<Int>, in bytes: RawSpan) -> Bool {
        // Half of them are removed at once, so that each range is moved only once.
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

/// The bytes of a bundle: an array of records, wherever the upstream has its own array.
public enum BundleBody {
    /// The pointer to the array.
    static func root(_ bytes: [UInt8], _ definition: Definition) -> JSONPointer {
        let isArray = bytes.first { !$0.isJSONSpace } == UInt8(ascii: "[")
        return isArray ? JSONPointer(tokens: []) : definition.source.request.root
    }

    /// The reason why a bundle cannot be served, in English: it is no array, or none of its elements is a record; nil
    /// if it can be served.
    public static func obstacle(_ bytes: [UInt8], _ definition: Definition) -> String? {
        let root = root(bytes, definition)
        var intake = TrialIntake(definition: definition, joined: nil, base: nil)
        do throws(IntakeError) {
            let count = try intake.read(ArrayBody(bytes), root: root, maxRecords: .max, isCancelled: { false })
            guard count > 0, intake.counts.records == 0, let first = intake.refused.first else { return nil }
            return "none of its \(count) elements is a record; at \(first.pointer): \(first.reason)"
        } catch {
            return reason(error, root: root)
        }
    }

    /// The meaning of an error for a bundle, in English.
    ///
    /// - Parameter root: the pointer to where the array should be.
    static func reason(_ error: IntakeError, root: JSONPointer) -> String {
        let whereabouts = root.tokens.isEmpty ? "" : " at \(root.text)"
        return switch error {
        case .notJSON(let error): "it is not JSON: \(error.message)"
        case .noRoot: "expected an array of records\(whereabouts); there is nothing"
        case .rootIsNoArray(let kind): "expected an array of records\(whereabouts), not a value of the kind '\(kind)'"
        case .deletedIsNoArray(let pointer, let kind):
            "expected an array of ids at \(pointer.text), not a value of the kind '\(kind)'"
        case .tooManyRecords(let limit): "it has more than \(limit) records"
        case .store(let error): error.message
        case .cancelled: "it was not read to its end"
        }
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
