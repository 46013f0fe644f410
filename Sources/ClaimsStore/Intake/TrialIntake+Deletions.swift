// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

extension TrialIntake {
    /// Reads the ids of gone records that a page of what has changed has beside its records, as ``RecordIntake`` does.
    public mutating func readDeletions(_ page: some RecordBody, root: JSONPointer) throws(IntakeError) {
        guard case .ids(let pointer) = deleted else { return }
        try page.withBytes { bytes throws(IntakeError) in
            let found: Range<Int>?
            do throws(JSONError) { found = try JSONElements.locate(pointer, in: bytes, elementsOf: root) } catch {
                throw .notJSON(error)
            }
            guard let found else { return }
            let list = bytes.extracting(found)
            if !list.equals(Array("null".utf8).rawSpan) { try readDeletions(list, at: pointer) }
        }
    }

    private mutating func readDeletions(_ list: RawSpan, at pointer: JSONPointer) throws(IntakeError) {
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(list, root: JSONPointer(tokens: [])) } catch {
            if case .notAnArray(let kind) = error { throw .deletedIsNoArray(pointer, kind) }
            throw IntakeError(error)
        }
        var index = 0
        while true {
            let element: JSONElements.Element?
            do throws(JSONError) { element = try elements.next(into: &tape) } catch { throw .notJSON(error) }
            guard let element else { return }
            if case .value = element, decoder.identify(deleted: tape, list, into: &record) {
                note(.marked, base?.row(forID: record.id.rawSpan))
            } else {
                refuse(
                    list.extracting(element.range), "\(pointer.text)/\(index)", "neither an id nor a record with one")
            }
            index += 1
        }
    }
}
