// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
@testable import ClaimsServer

/// Bytes from a socket, cut anywhere: the same lines come out as of all of them at once.
///
/// The first byte decides how long a line may be, the second into what pieces the rest is cut.
enum LinesTarget {
    private enum Line: Equatable {
        case line([UInt8])
        case tooLong
    }

    static func check(_ input: [UInt8]) throws {
        guard input.count > 2 else { return }
        let longest = [1, 7, 64, 300][Int(input[0] & 3)]
        let stream = Array(input[2...])
        let expected = lines(of: stream, longest: longest)
        try FuzzFinding.unless(read(stream, longest: longest, pieces: stream.count) == expected, "cut nowhere")
        let pieces = Int(input[1] & 0x7F) + 1
        try FuzzFinding.unless(read(stream, longest: longest, pieces: pieces) == expected, "cut after \(pieces) bytes")
        try FuzzFinding.unless(
            readLater(stream, longest: longest, pieces: pieces) == expected, "cut after \(pieces) bytes, read later")
    }

    /// As soon as something came.
    private static func read(_ stream: [UInt8], longest: Int, pieces: Int) throws -> [Line] {
        var buffer = LineBuffer(maxLength: longest)
        var lines: [Line] = []
        for start in stride(from: 0, to: stream.count, by: pieces) {
            let piece = Array(stream[start..<min(start + pieces, stream.count)])
            buffer.append(piece[...])
            lines += take(from: &buffer, upTo: .max)
            try FuzzFinding.unless(!buffer.mayHoldLine, "a line may be there, but is not")
            try FuzzFinding.unless(buffer.count <= longest + 1, "\(buffer.count) bytes wait")
        }
        return lines
    }

    /// A line at a time, so that others wait behind it.
    private static func readLater(_ stream: [UInt8], longest: Int, pieces: Int) -> [Line] {
        var buffer = LineBuffer(maxLength: longest)
        var lines: [Line] = []
        for start in stride(from: 0, to: stream.count, by: pieces) {
            // With room behind what counts, as a socket's buffer has.
            let piece = Array(stream[start..<min(start + pieces, stream.count)])
            buffer.append((piece + [0x0A, 0x0A]).prefix(piece.count))
            lines += take(from: &buffer, upTo: 1)
        }
        return lines + take(from: &buffer, upTo: .max)
    }

    private static func take(from buffer: inout LineBuffer, upTo maxCount: Int) -> [Line] {
        var lines: [Line] = []
        while lines.count < maxCount {
            switch buffer.next() {
            case .line(let range): lines.append(.line(Array(buffer.bytes[range])))
            case .tooLong: lines.append(.tooLong)
            case .incomplete: return lines
            }
        }
        return lines
    }

    /// The same, without regard to memory.
    private static func lines(of stream: [UInt8], longest: Int) -> [Line] {
        var pieces = stream.split(separator: 0x0A, omittingEmptySubsequences: false)
        let rest = pieces.removeLast()
        var lines: [Line] = pieces.compactMap { piece in
            let line = piece.last == 0x0D ? piece.dropLast() : piece
            if line.count > longest { return .tooLong }
            return line.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? nil : .line(Array(line))
        }
        if rest.count > longest + 1 { lines.append(.tooLong) }
        return lines
    }
}
