// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsAccess
import ClaimsModel
import ClaimsTestSupport
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
}
