// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The meaning of the sequences that keys and the mouse send, in the forms of xterm, rxvt, linux and tmux.
///
/// A key with a modifier counts as the key, except that Tab with Shift is a key of its own.
enum KeySequence {
    /// The meaning of `ESC [ body final`.
    enum Meaning: Equatable {
        case event(InputEvent)
        case pasteBegins
        /// An unknown sequence, which is swallowed.
        case nothing
    }

    static func meaning(of body: [UInt8], final: UInt8) -> Meaning {
        if body.first == UInt8(ascii: "<") { return mouse(numbers(body[1...]), isPress: final == UInt8(ascii: "M")) }
        if body.first == UInt8(ascii: "[") {
            // F1 to F5 of linux.
            return (0x41...0x45).contains(final) ? .event(.key(.function(Int(final) - 0x40))) : .nothing
        }
        guard body.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }) else { return .nothing }
        let numbers = numbers(body[...])
        switch final {
        // rxvt ends a key with Shift in $, with Control in ^, with both in @.
        case UInt8(ascii: "~"), UInt8(ascii: "$"), UInt8(ascii: "^"), UInt8(ascii: "@"):
            if numbers == [200] { return .pasteBegins }
            return key(numbered: numbers.first ?? 0).map { .event(.key($0)) } ?? .nothing
        case UInt8(ascii: "Z"): return .event(.key(.backTab))
        default: return key(lettered: final).map { .event(.key($0)) } ?? .nothing
        }
    }

    /// The key of `ESC O final`.
    static func applicationKey(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "I"): .tab
        case UInt8(ascii: "X"): .character("=")
        // The keypad: * + , - . / 0 to 9.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(Unicode.Scalar(final - 0x40))
        default: key(lettered: final)
        }
    }

    private static func key(lettered letter: UInt8) -> Key? {
        switch letter {
        case UInt8(ascii: "A"), UInt8(ascii: "a"): .up
        case UInt8(ascii: "B"), UInt8(ascii: "b"): .down
        case UInt8(ascii: "C"), UInt8(ascii: "c"): .right
        case UInt8(ascii: "D"), UInt8(ascii: "d"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter) - 0x4F)
        default: nil
        }
    }

    private static func key(numbered number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }

    /// The meaning of a report of the mouse: button, column and row from 1.
    static func mouse(_ numbers: [Int], isPress: Bool) -> Meaning {
        guard numbers.count == 3, isPress, numbers[1] > 0, numbers[2] > 0 else { return .nothing }
        let isMotion = numbers[0] & 32 != 0
        switch numbers[0] & 0b1100_0011 {
        case 0 where !isMotion: return .event(.press(row: numbers[2] - 1, column: numbers[1] - 1))
        case 64 where !isMotion: return .event(.wheel(-1))
        case 65 where !isMotion: return .event(.wheel(1))
        default: return .nothing
        }
    }

    private static func numbers(_ body: ArraySlice<UInt8>) -> [Int] {
        body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            Int(String(decoding: $0, as: UTF8.self)) ?? 0
        }
    }
}
