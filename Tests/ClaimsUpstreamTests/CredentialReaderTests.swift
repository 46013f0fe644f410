// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Glibc
import Testing

struct CredentialReaderTests {
    private func failure(_ name: String, in directory: String?) -> Message? {
        do throws(AccessFailure) {
            _ = try CredentialReader(directory: directory).read(name)
            return nil
        } catch {
            guard case .credential(_, let message, _) = error else { return nil }
            return message
        }
    }

    @Test func `a credential is found by its name, else in the unit's folder of credentials`() throws {
        let folder = try TemporaryFolder()
        try folder.write("site_example", " of the folder\n")
        let reader = CredentialReader(directory: folder.path)
        #expect(try reader.read("example") == "of the folder")
        try folder.write("example", "\tof a drop-in\n\n")
        #expect(try reader.read("example") == "of a drop-in")
        // The name with systemd's prefix is a name like any other.
        #expect(try reader.read("site_example") == "of the folder")
    }

    @Test(arguments: ["other", "", ".", "..", "a/b", "../site_example"])
    func `a credential that is not there is named in the failure`(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("site_example", "x")
        for directory in [folder.path, nil] {
            #expect(failure(name, in: directory) == Message(.credentialMissing, name))
        }
    }

    @Test func `a credential that cannot be read is not passed over for another one`() throws {
        let folder = try TemporaryFolder()
        try folder.write("site_example", "of the folder")
        try folder.write("example", String(repeating: "x", count: CredentialReader.maxSize + 1))
        let failure = failure("example", in: folder.path)
        #expect(failure?.key == .credentialUnreadable)
        #expect(failure?.arguments.last?.contains("xx") == false)
    }

    private func reason(_ name: String, _ reader: CredentialReader) -> FailureReason? {
        do throws(AccessFailure) {
            _ = try reader.read(name)
            return nil
        } catch {
            guard case .credential(let reason, _, _) = error else { return nil }
            return reason
        }
    }

    @Test func `without a service manager a credential is a private file of the user`() throws {
        let folder = try TemporaryFolder()
        let reader = CredentialReader(directory: nil, fallback: folder.path)
        #expect(reason("example", reader) == .missing)
        try folder.write("example", " s3cret\n")
        try Files.setPermissions(folder("example"), 0o600)
        #expect(try reader.read("example") == "s3cret")
        try Files.setPermissions(folder("example"), 0o400)
        #expect(try reader.read("example") == "s3cret")
        for permissions: UInt32 in [0o640, 0o604, 0o610, 0o602] {
            try Files.setPermissions(folder("example"), permissions)
            #expect(reason("example", reader) == .mode)
        }
        try Files.setPermissions(folder("example"), 0o600)
        let other = CredentialReader(directory: nil, fallback: folder.path, user: ProcessUser.number + 1)
        #expect(reason("example", other) == .mode)
        // The prefix is systemd's.
        try folder.write("site_more", "x")
        #expect(reason("more", reader) == .missing)
    }

    @Test func `what is no regular file is neither read nor waited for`() throws {
        let folder = try TemporaryFolder()
        let reader = CredentialReader(directory: nil, fallback: folder.path)
        try Directory.create(folder("folder"), permissions: 0o700)
        #expect(reason("folder", reader) == .mode)
        #expect(unsafe mkfifo(folder("pipe"), 0o600) == 0)
        #expect(reason("pipe", reader) == .mode)
        try folder.write("large", String(repeating: "x", count: CredentialReader.maxSize + 1))
        try Files.setPermissions(folder("large"), 0o600)
        #expect(reason("large", reader) == .unusable)
    }

    @Test func `a symbolic link counts as what it leads to`() throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", "s3cret")
        #expect(unsafe symlink(folder("secret"), folder("linked")) == 0)
        let reader = CredentialReader(directory: nil, fallback: folder.path)
        try Files.setPermissions(folder("secret"), 0o644)
        #expect(reason("linked", reader) == .mode)
        try Files.setPermissions(folder("secret"), 0o600)
        #expect(try reader.read("linked") == "s3cret")
    }

    @Test func `the service manager's folder has priority, and its files may have any mode`() throws {
        let service = try TemporaryFolder()
        let user = try TemporaryFolder()
        try user.write("example", "of the user")
        let reader = CredentialReader(directory: service.path, fallback: user.path)
        #expect(reason("example", reader) == .missing)
        try service.write("example", "of the service")
        #expect(try reader.read("example") == "of the service")
    }
}
