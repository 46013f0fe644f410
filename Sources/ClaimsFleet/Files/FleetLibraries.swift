// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CFleet
import ClaimsBytes
public import ClaimsModel

/// An error of a fleet's files, for people.
struct FleetError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}

/// The libraries for signatures and compression. Each call of the types below needs them to be loaded.
enum FleetLibraries {
    /// Loads them, once per process.
    static func load() throws(FleetError) {
        if let reason = unsafe cfleet_load() { throw FleetError(unsafe String(cString: reason)) }
    }
}

/// A secret that is overwritten once it has no owner any more.
final class WipedBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    deinit {
        // Invariant: the array has no other owner, and it is not read any more.
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe cfleet_wipe(UnsafeMutablePointer(mutating: start), bytes.count)
        }
    }
}

/// The private key with which a leader signs (Ed25519, RFC 8032). It is wiped at its end.
struct SigningKey: Sendable {
    private let secret: WipedBytes
    let publicKey: FleetDefinition.PublicKey

    /// Reads a key as `openssl genpkey -algorithm ed25519` writes it: PEM of a PrivateKeyInfo (RFC 8410).
    init(pem: [UInt8]) throws(FleetError) {
        let lines = String(decoding: pem, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let begin = lines.firstIndex(of: "-----BEGIN PRIVATE KEY-----"),
            let end = lines.firstIndex(of: "-----END PRIVATE KEY-----"), begin < end,
            let der = Base64.decode(lines[(begin + 1)..<end].joined().utf8), der.starts(with: Self.prefix),
            der.count == Self.prefix.count + FleetDefinition.PublicKey.size
        else {
            throw FleetError("it is no private key of Ed25519 as PEM; `openssl genpkey -algorithm ed25519` makes one")
        }
        let key = Array(der.dropFirst(Self.prefix.count))
        var shown = [UInt8](repeating: 0, count: FleetDefinition.PublicKey.size)
        // Invariant: both have CFLEET_KEY_SIZE bytes.
        guard unsafe cfleet_public_key(key, &shown) == 1 else { throw FleetError("libcrypto refuses the key") }
        secret = WipedBytes(key)
        publicKey = FleetDefinition.PublicKey(shown)
    }

    /// The signature of bytes, in base64.
    func signature(of message: [UInt8]) throws(FleetError) -> String {
        var signature = [UInt8](repeating: 0, count: Int(CFLEET_SIGNATURE_SIZE))
        // Invariant: the key and the signature have the sizes that are meant.
        guard unsafe cfleet_sign(secret.bytes, message, message.count, &signature) == 1 else {
            throw FleetError("libcrypto cannot sign")
        }
        return Base64.encode(signature)
    }

    /// All of a PrivateKeyInfo of Ed25519 but the key.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
}

/// The private key of a leader, before it is used.
public enum FleetKey {
    /// The reason why a host of a fleet cannot sign with a key, for people; nil if it can.
    ///
    /// - Parameter pem: the key in the form that `openssl genpkey -algorithm ed25519` writes.
    public static func obstacle(_ pem: [UInt8], of host: String, in fleet: FleetDefinition) -> String? {
        guard let leader = fleet.leaders.first(where: { $0.host == host }) else { return nil }
        do throws(FleetError) {
            try FleetLibraries.load()
            let isKnown = leader.keys.contains(try SigningKey(pem: pem).publicKey)
            return isKnown ? nil : "it is not the key that 'leaders' has of this host"
        } catch { return error.message }
    }
}

extension FleetDefinition.PublicKey {
    /// Whether a signature in base64 was made by this key over bytes.
    func verifies(_ signature: some Collection<UInt8>, of message: [UInt8]) -> Bool {
        guard let raw = Base64.decode(signature), raw.count == Int(CFLEET_SIGNATURE_SIZE),
            bytes.count == Self.size
        else { return false }
        // Invariant: the key and the signature have the sizes that are meant.
        return unsafe cfleet_verify(bytes, message, message.count, raw) == 1
    }
}

/// Frames of Zstandard (RFC 8878).
enum Zstandard {
    /// The level has a window of 2 MiB, so that a reader needs no more.
    private static let level: Int32 = 3

    static func compress(_ bytes: [UInt8]) throws(FleetError) -> [UInt8] {
        let capacity = cfleet_compress_bound(bytes.count)
        var output = [UInt8](repeating: 0, count: capacity)
        // Invariant: `output` has the capacity.
        let count = unsafe cfleet_compress(&output, capacity, bytes, bytes.count, level)
        guard count > 0 else { throw FleetError("libzstd cannot compress") }
        output.removeLast(capacity - count)
        return output
    }

    /// Decompresses a file.
    ///
    /// - Parameter maxSize: a file that declares a larger size is refused before anything is decompressed.
    static func decompress(_ bytes: [UInt8], maxSize: Int) throws(FleetError) -> [UInt8] {
        let size = Int(unsafe cfleet_content_size(bytes, bytes.count))
        guard (0...maxSize).contains(size) else { throw FleetError("a file is no frame of at most \(maxSize) bytes") }
        var output = [UInt8](repeating: 0, count: size)
        // Invariant: `output` has the capacity.
        guard unsafe cfleet_decompress(&output, size, bytes, bytes.count) == Int64(size) else {
            throw FleetError("a file is damaged")
        }
        return output
    }
}
