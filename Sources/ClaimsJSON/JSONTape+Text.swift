// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension JSONTape {
    /// Appends the text of a string, unescaped; of any other node nothing.
    public func appendString(_ node: Int, in bytes: RawSpan, to out: inout [UInt8]) {
        guard self[node].kind == .string else { return }
        let body = bytes.extracting(self[node].start + 1..<self[node].end - 1)
        if self[node].hasEscapes {
            JSONUnescaper.append(body, to: &out)
        } else {
            out.append(bytes: body)
        }
    }

    /// The text of a string, unescaped; nil for any other node.
    public func string(_ node: Int, in bytes: RawSpan) -> String? {
        guard self[node].kind == .string else { return nil }
        var text: [UInt8] = []
        appendString(node, in: bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the bytes of a node as they came.
    public func appendSource(_ node: Int, in bytes: RawSpan, to out: inout [UInt8]) {
        out.append(bytes: bytes.extracting(self[node].range))
    }

    /// Appends a node without the white space outside strings, and of members of one name only the last.
    ///
    /// Members keep their order; numbers and strings stay as they came. What is compact already is copied whole.
    public func appendCompact(_ node: Int, in bytes: RawSpan, to out: inout [UInt8]) {
        let root = self[node]
        let superseded = supersededNames(in: node, bytes)
        if superseded.isEmpty, !root.hasWhiteSpace {
            out.append(bytes: bytes.extracting(root.range))
            return
        }
        var upcoming = 0
        var offset = root.start
        var index = node
        while index < root.next {
            let current = self[index]
            if current.kind.isContainer {
                index += 1
                continue
            }
            appendPunctuation(bytes, offset..<current.start, to: &out)
            while upcoming < superseded.count, superseded[upcoming] < index { upcoming += 1 }
            if upcoming < superseded.count, superseded[upcoming] == index {
                // A later member of the name exists, so a comma and a name follow this member's value.
                index = self[index + 1].next
                offset = self[index].start
                continue
            }
            out.append(bytes: bytes.extracting(current.range))
            offset = current.end
            index += 1
        }
        appendPunctuation(bytes, offset..<root.end, to: &out)
    }

    /// Between two leaves there are only brackets, commas, colons and white space.
    private func appendPunctuation(_ bytes: RawSpan, _ range: Range<Int>, to out: inout [UInt8]) {
        for offset in range {
            let byte = bytes.byte(at: offset)
            if byte > ASCII.space { out.append(byte) }
        }
    }
}
