// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The media type of a file, as its first bytes tell it, whatever its name says.
///
/// ```swift
/// FileSignature.mediaType(of: bytes.rawSpan)      // "image/png"
/// ```
public enum FileSignature {
    /// The number of bytes that decide; the whole file where it is shorter.
    public static let length = 16

    /// The type of a file that begins with `bytes`; nil for any other.
    public static func mediaType(of bytes: RawSpan) -> String? {
        let bytes = bytes.part(0, min(length, bytes.byteCount))
        // PNG (ISO 15948), section 5.2; JPEG (ITU-T T.81), annex B; PDF (ISO 32000), section 7.5.2.
        if starts(bytes, with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if starts(bytes, with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.matches("%PDF-", at: 0) { return "application/pdf" }
        // TIFF 6.0, section 2, and its form for files over 4 GiB, in both byte orders.
        if bytes.matches("II", at: 0), [0x2A, 0x2B].contains(bytes.byte(at: 2)), bytes.contains(3, 1),
            bytes.byte(at: 3) == 0
        {
            return "image/tiff"
        }
        if bytes.matches("MM", at: 0), bytes.contains(2, 2), bytes.byte(at: 2) == 0,
            [0x2A, 0x2B].contains(bytes.byte(at: 3))
        {
            return "image/tiff"
        }
        // HEIF (ISO 23008-12), annex B: the major brand of the box `ftyp`.
        if bytes.matches("ftyp", at: 4),
            bytes.matches("heic", at: 8) || bytes.matches("heix", at: 8) || bytes.matches("heim", at: 8)
                || bytes.matches("heis", at: 8) || bytes.matches("mif1", at: 8)
        {
            return "image/heic"
        }
        return nil
    }

    /// The ends of the names of files of a type, the usual one first; none for a type that no signature tells.
    public static func nameEndings(of type: String) -> [String] {
        switch type {
        case "image/png": [".png"]
        case "image/jpeg": [".jpg", ".jpeg"]
        case "application/pdf": [".pdf"]
        case "image/tiff": [".tiff", ".tif"]
        case "image/heic": [".heic", ".heif"]
        default: []
        }
    }

    private static func starts(_ bytes: RawSpan, with prefix: [UInt8]) -> Bool { bytes.hasPrefix(prefix.rawSpan) }
}
