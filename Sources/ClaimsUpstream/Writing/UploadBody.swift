// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// Reads the body of a request once, from its first byte to its last, out of memory and files.
struct UploadBody: ~Copyable {
    /// In bytes.
    let size: Int
    private let contents: [HTTPContent]
    /// The content that is being read, and the number of bytes read.
    private var index = 0
    private var offset = 0
    /// The file of the content that is read, once it is open.
    private var file: FileDescriptor?

    /// Checks every file, so that a missing, damaged or wrongly sized one is found before anything is sent.
    ///
    /// - Throws: The reason `file`.
    init(_ contents: [HTTPContent]) throws(HTTPError) {
        for case .file(let path, let size, let sha256) in contents {
            let file = try Self.open(path, size: size)
            if let sha256 { try Self.compare(file, at: path, with: sha256) }
        }
        self.contents = contents
        size = contents.reduce(0) { sum, content in sum + content.size }
    }

    /// Fills the beginning of `room`, and returns the number of bytes; 0 at the end of the body.
    ///
    /// - Throws: The reason `file`, also if a file has become shorter.
    mutating func read(into room: inout MutableRawSpan) throws(HTTPError) -> Int {
        while index < contents.count {
            let left = contents[index].size - offset
            if left == 0 {
                index += 1
                offset = 0
                file = nil
                continue
            }
            let count = try read(min(left, room.byteCount), into: &room)
            offset += count
            return count
        }
        return 0
    }

    private mutating func read(_ count: Int, into room: inout MutableRawSpan) throws(HTTPError) -> Int {
        switch contents[index] {
        case .bytes(let bytes):
            let part = unsafe bytes.span.bytes.part(offset, count)
            unsafe room.withUnsafeMutableBytes { buffer in
                // Both have at least `count` bytes.
                unsafe part.withUnsafeBytes { bytes in unsafe buffer.copyMemory(from: bytes) }
            }
            return count
        case .file(let path, let size, _):
            if file == nil { file = try Self.open(path, size: size) }
            var part = room._mutatingExtracting(first: count)
            do {
                let done = try file?.read(into: &part) ?? 0
                if done > 0 { return done }
            } catch {
                throw HTTPError(.file, detail: error.message)
            }
            throw HTTPError(.file, detail: "\(path) has become shorter")
        }
    }

    /// The bytes that are hashed at once.
    private static let chunkSize = 256 << 10

    /// - Throws: The reason `file`, if the content has another SHA-256.
    private static func compare(
        _ file: borrowing FileDescriptor, at path: String, with sha256: String
    ) throws(HTTPError) {
        var hash = SHA256()
        do throws(SystemError) {
            var offset = 0
            while true {
                let part = try file.read(chunkSize, at: offset)
                if part.isEmpty { break }
                hash.update(part.rawSpan)
                offset += part.count
            }
        } catch {
            throw HTTPError(.file, detail: error.message)
        }
        if hash.hexadecimal != sha256 { throw HTTPError(.file, detail: "\(path) no longer has its bytes of before") }
    }

    private static func open(_ path: String, size: Int) throws(HTTPError) -> FileDescriptor {
        do throws(SystemError) {
            let file = try FileDescriptor.open(path, .regular)
            if try file.size() == size { return file }
        } catch {
            throw HTTPError(.file, detail: error.isOfOtherKind ? "\(path) is not a regular file" : error.message)
        }
        throw HTTPError(.file, detail: "\(path) has not \(size) bytes")
    }
}

/// The form of a multipart/form-data body (RFC 7578), as browsers write it.
///
/// It is made here and not by libcurl, so that each body of a request is one list of contents, read by one function
/// that cannot begin anew.
struct MultipartForm {
    /// The value of the request's `Content-Type`.
    let type: String
    /// The whole body in order: the heads of the parts, their contents, the end.
    let contents: [HTTPContent]

    /// - Parameter boundary: a text that no content has; by default a random one.
    init(_ parts: [HTTPPart], boundary: String = "claimsd-" + RandomBytes.hexadecimal(16)) {
        type = "multipart/form-data; boundary=\(boundary)"
        var contents: [HTTPContent] = []
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escape(part.name))\""
            if let fileName = part.fileName { head += "; filename=\"\(Self.escape(fileName))\"" }
            head += "\r\n"
            if let type = part.type { head += "Content-Type: \(type.filter { !$0.isNewline })\r\n" }
            contents.append(.bytes(Array((head + "\r\n").utf8)))
            contents.append(part.content)
            contents.append(.bytes(Array("\r\n".utf8)))
        }
        contents.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        self.contents = contents
    }

    /// A value in quotes, with the escapes of the HTML standard: names stay UTF-8, and no line or quote ends early.
    private static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x0a: bytes += "%0A".utf8
            case 0x0d: bytes += "%0D".utf8
            case 0x22: bytes += "%22".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
