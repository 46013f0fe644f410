// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import Glibc

/// Reads the files of `file:` URLs (RFC 8089), under the limits of a transfer.
///
/// A file has no validators, so only the hash of its bytes shows whether it changed. It is read and not mapped, because
/// its owner may shorten it meanwhile.
public enum FileTransfer {
    /// Reads the regular file that `url` names. A pipe or device is refused without waiting for it.
    ///
    /// - Parameters:
    ///   - limits: The limits of which only the size of the body applies.
    ///   - spoolDirectory: The folder for a large body.
    /// - Throws: The reasons `invalidURL`, `file`, `bodyTooLarge` and `spool`.
    public static func read(
        _ url: String, limits: TransferLimits, spoolDirectory: String
    ) throws(HTTPError) -> FetchedBody {
        let path = try path(url)
        let file = try open(path)
        var spool = BodySpool(directory: spoolDirectory)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count: Int
            do { count = try file.read(into: &buffer) } catch { throw HTTPError(.file, detail: error.message) }
            if count == 0 { break }
            guard spool.count + count <= limits.body else { throw HTTPError(.bodyTooLarge(limits.body)) }
            do { try unsafe spool.append(buffer.span.bytes.extracting(first: count)) } catch {
                throw HTTPError(.spool(error.errno), detail: error.message)
            }
        }
        do { return try spool.finish() } catch { throw HTTPError(.spool(error.errno), detail: error.message) }
    }

    /// The absolute path in a `file:` URL whose host is empty or `localhost`, with its % escapes resolved.
    ///
    /// - Throws: The reason `invalidURL`.
    public static func path(_ url: String) throws(HTTPError) -> String {
        let bytes = Array(url.utf8)
        let scheme = String(decoding: bytes.prefix(7), as: UTF8.self).lowercased()
        guard scheme == "file://", let slash = bytes[7...].firstIndex(of: UInt8(ascii: "/")),
            ["", "localhost"].contains(String(decoding: bytes[7..<slash], as: UTF8.self))
        else { throw HTTPError(.invalidURL, detail: "not file:///path") }
        var path: [UInt8] = []
        var rest = bytes[slash...].prefix { byte in byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#") }
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                path.append(byte)
                continue
            }
            guard rest.count >= 2, rest.prefix(2).allSatisfy(isHexadecimal),
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { throw HTTPError(.invalidURL, detail: "a broken % escape") }
            path.append(code)
            rest = rest.dropFirst(2)
        }
        guard !path.contains(0), let text = String(validating: path, as: UTF8.self) else {
            throw HTTPError(.invalidURL, detail: "not the name of a file")
        }
        return text
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// Opens a regular file; a pipe or a device is not waited for.
    private static func open(_ path: String) throws(HTTPError) -> FileDescriptor {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw HTTPError(.file, detail: SystemError.last("open \(path)").message)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HTTPError(.file, detail: "\(path) is not a regular file")
        }
        do { return try FileDescriptor.open(path, .read) } catch {
            throw HTTPError(.file, detail: error.message)
        }
    }
}
