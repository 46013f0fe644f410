// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Turns the bytes that a terminal sends into keys, presses and pastes. Pure: times are passed in.
///
/// ```swift
/// for event in decoder.read(bytes, at: now) { … }
/// // and once `decoder.deadline` has passed without a byte:
/// for event in decoder.expire(at: now) { … }
/// ```
/// An escape character alone is Esc; followed by a character other than `[` and `O` it is Esc and that key. Bytes that
/// are no UTF-8 are dropped, and unknown sequences are swallowed whole.
public struct KeyDecoder: Sendable {
    /// The time after which an escape character that nothing follows is Esc, in nanoseconds.
    public static let maxEscapeTime: UInt64 = 25_000_000
    /// The time without a byte after which a paste counts as ended, in nanoseconds.
    public static let maxPasteSilence: UInt64 = 10_000_000_000
    /// The maximum size of a paste; the rest of a larger one is dropped.
    public static let maxPasteBytes = 64 * 1024
    /// The bytes of a sequence that are looked at; a longer one is none that is known.
    private static let maxSequenceBytes = 64

    private enum State: Equatable {
        case ground
        /// After ESC.
        case escape
        /// After ESC O.
        case application
        /// After ESC [.
        case sequence
        /// Within the three bytes of an old report of the mouse.
        case oldMouse
        case paste
    }

    private var state = State.ground
    /// The bytes since the state began: of a sequence, a scalar or a paste.
    private var kept: [UInt8] = []
    private var pasted: [UInt8] = []
    /// The time of the monotonic clock at which ``expire(at:)`` is due, in nanoseconds; nil for never.
    public private(set) var deadline: UInt64?

    public init() {}

    /// Reads bytes, which may be cut anywhere, and returns what they mean.
    public mutating func read(_ bytes: some Sequence<UInt8>, at now: UInt64) -> [InputEvent] {
        var events: [InputEvent] = []
        for byte in bytes { read(byte, &events) }
        switch state {
        case .escape, .application: deadline = now + Self.maxEscapeTime
        case .sequence: deadline = kept.isEmpty ? now + Self.maxEscapeTime : nil
        case .paste: deadline = now + Self.maxPasteSilence
        case .ground, .oldMouse: deadline = nil
        }
        return events
    }

    /// Decides the sequence that is not complete, once ``deadline`` has passed.
    public mutating func expire(at now: UInt64) -> [InputEvent] {
        guard let deadline, now >= deadline else { return [] }
        self.deadline = nil
        defer { reset() }
        switch state {
        case .escape: return [.key(.escape)]
        case .application: return [.key(.escape), .key(.character("O"))]
        case .sequence: return [.key(.escape), .key(.character("["))]
        case .paste: return [.paste(Self.text(of: pasted + kept))]
        case .ground, .oldMouse: return []
        }
    }

    private mutating func reset() {
        state = .ground
        kept = []
        pasted = []
    }

    private mutating func read(_ byte: UInt8, _ events: inout [InputEvent]) {
        switch state {
        case .ground: readGround(byte, &events)
        case .escape: readAfterEscape(byte, &events)
        case .application:
            // Modifiers stand before the letter in some terminals.
            if (0x30...0x3B).contains(byte) { return }
            reset()
            if byte < 0x20 || byte >= 0x7F { return readGround(byte, &events) }
            if let key = KeySequence.applicationKey(byte) { events.append(.key(key)) }
        case .sequence: readSequence(byte, &events)
        case .oldMouse:
            kept.append(byte)
            guard kept.count == 3 else { return }
            let numbers = kept.enumerated().map { Int($1) - 32 }
            reset()
            if case .event(let event) = KeySequence.mouse(numbers, isPress: true) { events.append(event) }
        case .paste: readPasted(byte, &events)
        }
    }

    private mutating func readAfterEscape(_ byte: UInt8, _ events: inout [InputEvent]) {
        kept = []
        switch byte {
        case UInt8(ascii: "["): state = .sequence
        case UInt8(ascii: "O"): state = .application
        default:
            state = .ground
            events.append(.key(.escape))
            readGround(byte, &events)
        }
    }

    private mutating func readSequence(_ byte: UInt8, _ events: inout [InputEvent]) {
        switch byte {
        case 0..<0x20, 0x7F...:
            // A sequence that is broken off.
            reset()
            readGround(byte, &events)
        case UInt8(ascii: "[") where kept.isEmpty: kept = [byte]
        case UInt8(ascii: "M") where kept.isEmpty: state = .oldMouse
        case UInt8(ascii: "$") where !kept.isEmpty && kept.allSatisfy({ (0x30...0x39).contains($0) }),
            0x40...0x7E:
            let isKnown = kept.count < Self.maxSequenceBytes
            let meaning = isKnown ? KeySequence.meaning(of: kept, final: byte) : .nothing
            reset()
            switch meaning {
            case .event(let event): events.append(event)
            case .pasteBegins: state = .paste
            case .nothing: break
            }
        default:
            if kept.count < Self.maxSequenceBytes { kept.append(byte) }
        }
    }

    private static let pasteEnd = Array("\u{1b}[201~".utf8)

    /// Reads a byte of a paste; `kept` is the part of the end mark that has come.
    private mutating func readPasted(_ byte: UInt8, _ events: inout [InputEvent]) {
        if byte == Self.pasteEnd[kept.count] {
            kept.append(byte)
            guard kept.count == Self.pasteEnd.count else { return }
            events.append(.paste(Self.text(of: pasted)))
            return reset()
        }
        keep(kept)
        kept = byte == Self.pasteEnd[0] ? [byte] : []
        if kept.isEmpty { keep([byte]) }
    }

    private mutating func keep(_ bytes: [UInt8]) {
        pasted += bytes.prefix(max(0, Self.maxPasteBytes - pasted.count))
    }
}

// Characters.

extension KeyDecoder {
    private mutating func readGround(_ byte: UInt8, _ events: inout [InputEvent]) {
        if !kept.isEmpty {
            if byte & 0xC0 == 0x80 {
                kept.append(byte)
                if kept.count == Self.length(of: kept[0]) { readScalar(&events) }
                return
            }
            // The bytes so far are no scalar.
            kept = []
        }
        switch byte {
        case 0x1B: state = .escape
        case 0x09: events.append(.key(.tab))
        case 0x0A, 0x0D: events.append(.key(.enter))
        case 0x08, 0x7F: events.append(.key(.backspace))
        case 0..<0x20:
            let sign = Unicode.Scalar(byte | 0x40)
            events.append(.key(.control(sign.properties.lowercaseMapping.unicodeScalars.first ?? sign)))
        case 0x20...0x7E: events.append(.key(.character(Unicode.Scalar(byte))))
        case 0xC2...0xF4: kept = [byte]
        default: break
        }
    }

    private mutating func readScalar(_ events: inout [InputEvent]) {
        let text = String(validating: kept, as: UTF8.self)
        kept = []
        guard let scalar = text?.unicodeScalars.first, scalar.value >= 0xA0 else { return }
        events.append(.key(.character(scalar)))
    }

    /// The number of bytes of a scalar that begins with this one.
    private static func length(of first: UInt8) -> Int { first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

    /// The text of a paste: line ends and tabs are blanks, and other control characters are left out.
    private static func text(of bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x0A where isAfterReturn: break
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: text.append(" ")
            case 0..<0x20, 0x7F...0x9F, 0xFFFD: break
            default: text.append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return String(text)
    }
}

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
