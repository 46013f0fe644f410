// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import Testing

struct FileSignatureTests {
    private static let images: [(String, [UInt8])] = [
        ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("image/jpeg", [0xFF, 0xD8, 0xFF, 0xE0]),
        ("application/pdf", Array("%PDF-1.7\n".utf8)), ("image/tiff", [0x49, 0x49, 0x2A, 0x00]),
        ("image/tiff", [0x4D, 0x4D, 0x00, 0x2A]), ("image/tiff", [0x49, 0x49, 0x2B, 0x00, 0x08, 0x00]),
        ("image/tiff", [0x4D, 0x4D, 0x00, 0x2B, 0x00, 0x08]), ("image/heic", [0, 0, 0, 24] + Array("ftypheic".utf8)),
        ("image/heic", [0, 0, 0, 28] + Array("ftypmif1".utf8)),
    ]

    @Test(arguments: images)
    func `the first bytes tell a type, whatever follows`(type: String, bytes: [UInt8]) {
        #expect(FileSignature.mediaType(of: bytes.rawSpan) == type)
        for filler: UInt8 in [0, 0x20, 0xFF] {
            let longer = bytes + [UInt8](repeating: filler, count: 100)
            #expect(FileSignature.mediaType(of: longer.rawSpan) == type)
        }
    }

    @Test(arguments: images)
    func `a signature that is cut or comes later tells nothing`(type: String, bytes: [UInt8]) {
        let lengths = ["image/jpeg": 3, "application/pdf": 5, "image/tiff": 4]
        for count in 0..<(lengths[type] ?? bytes.count) {
            #expect(FileSignature.mediaType(of: Array(bytes.prefix(count)).rawSpan) == nil)
        }
        #expect(FileSignature.mediaType(of: ([0x20] + bytes).rawSpan) == nil)
    }

    @Test(arguments: [
        Array("<html><script>".utf8), Array("MZ".utf8), Array("#!/bin/sh\n".utf8), Array("PK\u{3}\u{4}".utf8),
        [0x7F, 0x45, 0x4C, 0x46], [0, 0, 0, 24] + Array("ftypavif".utf8), [0, 0, 0, 24] + Array("ftypmp42".utf8),
        Array("II".utf8), Array("MM\u{0}".utf8), [0x49, 0x49, 0x2A], [0x49, 0x49, 0x2A, 1],
    ])
    func `other files have no type`(bytes: [UInt8]) {
        #expect(FileSignature.mediaType(of: bytes.rawSpan) == nil)
    }
}
