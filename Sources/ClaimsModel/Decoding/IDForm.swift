// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The form of the ids of records. Ids stand in cursors and logs, on command lines, and on lines that programs read.
public enum IDForm {
    /// The maximal length, in bytes.
    public static let maxLength = 1024

    /// The reason why a text in UTF-8 can be no id, for people; nil where it can be one.
    public static func objection(to id: RawSpan) -> String? {
        if WhiteSpace.fills(id) { return "no id" }
        if id.byteCount > maxLength { return "the id is longer than \(maxLength) bytes" }
        return hasControls(id) ? "the id has a control character" : nil
    }

    /// Whether a text has a control character: C0, DEL or C1.
    private static func hasControls(_ id: RawSpan) -> Bool {
        for offset in 0..<id.byteCount {
            switch id.byte(at: offset) {
            case 0..<0x20, 0x7F: return true
            // C2 begins the scalars U+0080 to U+00BF.
            case 0xC2: if id.byte(at: offset &+ 1) < 0xA0 { return true }
            default: break
            }
        }
        return false
    }
}
