// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// Cuts what arrives on a socket into lines.
struct LineBuffer {
    private var bytes: [UInt8] = []
    /// What lies before has been handed out.
    private var start = 0
    /// What lies behind is room.
    private var end = 0
    /// No newline lies before this.
    private var searched = 0

    private static let firstRoom = 16 * 1024

    /// The next complete line, without its newline.
    mutating func nextLine() -> [UInt8]? {
        guard searched < end else { return nil }
        let newline = ByteSearch.firstIndex(
            of: UInt8(ascii: "\n"), in: bytes.rawSpan.extracting(searched..<end))
        guard let newline else {
            searched = end
            return nil
        }
        let lineEnd = searched + newline
        let line = Array(bytes[start..<lineEnd])
        start = lineEnd + 1
        searched = start
        return line
    }

    /// Takes in what has arrived, as much as fits one call.
    mutating func receive(from socket: Int32) throws(SystemError) -> Transfer {
        if start == end {
            start = 0
            end = 0
            searched = 0
        }
        if end == bytes.count { makeRoom() }
        let transfer = try UnixSocket.receive(socket, into: &bytes, at: end)
        if case .bytes(let count) = transfer { end += count }
        return transfer
    }

    private mutating func makeRoom() {
        if start > 0 {
            bytes.removeSubrange(..<start)
            end -= start
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: repeatElement(0, count: max(Self.firstRoom, bytes.count)))
    }
}
