// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// Reads the ids of gone records that a page has beside its records, for an intake or a trial.
///
/// An answer with all records needs the list only to explain why a record is not in its pages, so an unreadable list is
/// no error there.
struct DeletionReader {
    private let pointer: JSONPointer
    private let root: JSONPointer
    private let isIncremental: Bool

    /// nil if a page has no such list, or if the list does not matter.
    ///
    /// - Parameters:
    ///   - root: the pointer to the records in a page.
    ///   - hasPages: whether an answer with all records may lack records that are not gone.
    init?(_ rule: DeletionRule?, root: JSONPointer, isIncremental: Bool, hasPages: Bool) {
        guard case .ids(let pointer) = rule, isIncremental || hasPages else { return nil }
        self.pointer = pointer
        self.root = root
        self.isIncremental = isIncremental
    }

    /// Reads the list of one page.
    func read<Receiver: DeletionReceiver & ~Copyable>(
        _ page: RawSpan, into receiver: inout Receiver, isCancelled: () -> Bool
    ) throws(IntakeError) {
        do throws(IntakeError) {
            try readList(of: page, into: &receiver, isCancelled)
        } catch {
            switch error {
            case .notJSON, .noRoot, .rootIsNoArray, .deletedIsNoArray: if isIncremental { throw error }
            case .tooManyRecords, .store, .cancelled: throw error
            }
        }
    }

    private func readList<Receiver: DeletionReceiver & ~Copyable>(
        of page: RawSpan, into receiver: inout Receiver, _ isCancelled: () -> Bool
    ) throws(IntakeError) {
        let found: Range<Int>?
        do throws(JSONError) { found = try JSONElements.locate(pointer, in: page, elementsOf: root) } catch {
            throw .notJSON(error)
        }
        guard let found else { return }
        let list = page.extracting(found)
        if list.equals(Array("null".utf8).rawSpan) { return }
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(list, root: JSONPointer(tokens: [])) } catch {
            if case .notAnArray(let kind) = error { throw .deletedIsNoArray(pointer, kind) }
            throw IntakeError(error)
        }
        var tape = JSONTape()
        var index = 0
        while true {
            if index % IntakePlan.recordsPerCheck == 0, isCancelled() { throw .cancelled }
            let element: JSONElements.Element?
            do throws(JSONError) { element = try elements.next(into: &tape) } catch { throw .notJSON(error) }
            guard let element else { return }
            try receiver.receive(gone: element, tape, list, pointer: "\(pointer.text)/\(index)")
            index += 1
        }
    }
}

/// An intake that receives the elements of a list of gone records.
protocol DeletionReceiver: ~Copyable {
    /// Receives an element of the list.
    ///
    /// - Parameters:
    ///   - tape: the element, where it was parsed.
    ///   - list: the bytes that the element is in.
    ///   - pointer: the pointer to the element in its page.
    mutating func receive(
        gone element: JSONElements.Element, _ tape: JSONTape, _ list: RawSpan, pointer: String
    ) throws(IntakeError)
}

extension JSONElements.Element {
    /// The reason why the element cannot be decoded at all, and a JSON Pointer from it to what is wrong; nil if it can
    /// be decoded.
    func objection(in bytes: RawSpan) -> (reason: String, detail: String)? {
        switch self {
        case .tooDeep: return ("nested too deep", "")
        case .tooLarge: return ("too many values in one record", "")
        case .badText(let range, let error):
            let text = JSONPointer.toByte(at: error.offset - range.lowerBound, in: bytes.extracting(range))
            let owner = text.isName ? "the name of a member" : "a string"
            return ("\(error.code.phrase) in \(owner)", text.pointer.text)
        case .value(let range) where range.count > IntakePlan.maxRecordSize:
            return ("larger than \(IntakePlan.maxRecordSize) bytes", "")
        case .value: return nil
        }
    }
}

extension RecordDecoder {
    /// Reads the id of an element of a list of gone records: a text, a number, or a record.
    mutating func identify(deleted tape: JSONTape, _ list: RawSpan, into record: inout DecodedRecord) -> Bool {
        guard tape.count > 0 else { return false }
        if case .object = tape[0].kind {
            guard case .accepted = identify(tape, list, into: &record) else { return false }
            return true
        }
        return identify(bare: tape, list, into: &record)
    }
}

extension DeletionRule {
    /// The pointer to the mark that records are gone by; nil if the rule has none.
    var mark: JSONPointer? {
        if case .mark(let pointer) = self { pointer } else { nil }
    }
}

extension JSONTape {
    /// Whether the value at a pointer in the record is anything but null, false, 0 and "".
    func isMarked(_ pointer: JSONPointer, in bytes: RawSpan) -> Bool {
        guard let node = resolve(pointer, in: bytes) else { return false }
        switch self[node].kind {
        case .null, .false: return false
        case .string: return self[node].end - self[node].start > 2
        case .number:
            // A number is zero if it has no other digit before its exponent.
            for offset in self[node].start..<self[node].end {
                switch bytes.byte(at: offset) {
                case UInt8(ascii: "1")...UInt8(ascii: "9"): return true
                case UInt8(ascii: "e"), UInt8(ascii: "E"): return false
                default: continue
                }
            }
            return false
        default: return true
        }
    }
}
