// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

extension JSONElements.Element {
    /// The reason why the element cannot be decoded at all, and a JSON Pointer from it to what is wrong; nil: it can.
    func objection(in bytes: RawSpan) -> (reason: String, detail: String)? {
        switch self {
        case .tooDeep: return ("nested too deep", "")
        case .tooLarge: return ("too many values in one record", "")
        case .badText(let range, let error):
            let text = JSONPointer.toByte(at: error.offset - range.lowerBound, in: bytes.extracting(range))
            let owner = text.isName ? "the name of a member" : "a string"
            return ("\(error.code.phrase) in \(owner)", text.pointer.text)
        case .value(let range) where range.count > RecordIntake.maxRecordSize:
            return ("larger than \(RecordIntake.maxRecordSize) bytes", "")
        case .value: return nil
        }
    }
}
