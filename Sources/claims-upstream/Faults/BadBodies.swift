// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Bodies that are no valid array of records.
enum BadBodies {
    static func body(_ behaviour: Behaviour, original: [UInt8]) -> [UInt8] {
        switch behaviour.fault {
        case .html:
            text("<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in.</body></html>\n")
        case .truncatedJSON:
            Array(original.prefix(original.count / 2))
        case .garbage:
            noise(min(behaviour.bytes ?? 4096, 64 << 20))
        case .nan:
            text("[{\"id\": NaN}, {\"id\": Infinity}]")
        case .deep:
            [UInt8](repeating: UInt8(ascii: "["), count: behaviour.depth)
                + [UInt8](repeating: UInt8(ascii: "]"), count: behaviour.depth)
        case .longString:
            text("[{\"id\":\"1\",\"text\":\"")
                + [UInt8](repeating: UInt8(ascii: "x"), count: min(behaviour.bytes ?? 10 << 20, 1 << 30)) + text("\"}]")
        case .duplicateKeys:
            text(#"[{"id":"1","name":"first","name":"second"},{"id":"1","id":"2","name":"third"}]"#)
        case .manyRecords:
            records(behaviour.count ?? 1_000_001)
        default:
            []
        }
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Pseudo-random bytes, the same each time (xorshift).
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        return (0..<count).map { _ in
            state ^= state &<< 13
            state ^= state &>> 7
            state ^= state &<< 17
            return UInt8(truncatingIfNeeded: state &>> 24)
        }
    }

    private static func records(_ count: Int) -> [UInt8] {
        var body = text("[")
        for number in 0..<count {
            if number > 0 { body.append(UInt8(ascii: ",")) }
            body += "{\"id\":\(number)}".utf8
        }
        body.append(UInt8(ascii: "]"))
        return body
    }
}
