// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// The tarball for systems without dpkg, installed into a folder; no root needed.
@Suite(.enabled(if: Files.exists("/usr/bin/zstd"), "zstd is not installed")) struct TarballTests {
    /// Runs a shell command that must end well, and returns what it printed.
    @discardableResult
    private func check(_ command: String) throws -> String {
        let result = try SystemdMachine.command("sh", ["-c", command], timeout: .seconds(120))
        guard result.isSuccess else { throw TestFailure("\(command): \(result.output)\(result.error)") }
        return result.output
    }

    @Test func `the tarball installs all that it has, and uninstalls that and nothing else`() throws {
        let folder = try TemporaryFolder()
        let programs = Paths.parent(try BuiltProgram.path("claimsd"))
        try check(
            "BIN=\(programs) MAN= OUT=\(folder("out")) LEVEL=1 \(Repository.root)/.package/build-tarball")
        try check("cd \(folder("out")) && sha256sum --check SHA256SUMS && mkdir ../tree && tar -xf *.zst -C ../tree")
        let tree = Paths.join(folder("tree"), try #require(try Directory.list(folder("tree")).first))
        let install = "\(tree)/install.sh --destdir \(folder("root")) --prefix=/opt/claims"

        try check(
            "mkdir -p \(folder("root"))/opt/claims/bin && touch \(folder("root"))/opt/claims/bin/mine && \(install)")
        let files = "find . -type f -printf '%P %m\\n' | grep -v installed-files | sort"
        let installed = try check("cd \(folder("root"))/opt/claims && \(files) | grep -v bin/mine")
        #expect(try check("cd \(tree)/usr && \(files)") == installed)
        for name in ["bin/claimsd 755", "bin/claimsctl 755", "lib/systemd/system/claimsd.service 644"] {
            #expect(installed.contains("\(name)\n"), "\(installed)")
        }
        let unit = try folder.read("root/opt/claims/lib/systemd/system/claimsd.service")
        #expect(unit.contains("\nExecStart=/opt/claims/bin/claimsd\n"))
        #expect(unit.contains("\nEnvironment=CLAIMSD_DATA_DIR=/opt/claims/share/claimsd\n"))
        let version = try check("\(folder("root"))/opt/claims/bin/claimsctl --version")
        #expect(tree.contains(version.split(whereSeparator: \.isWhitespace).last ?? "?"), "\(version)")

        // A second time over the first, as an upgrade is.
        try check(install)
        let told = try check("\(install) --uninstall")
        #expect(told.contains("/var/lib/claimsd"), "\(told)")
        let left = try check("cd \(folder("root"))/opt/claims && find . | sort")
        #expect(left == ".\n./bin\n./bin/mine\n")
        let again = try SystemdMachine.command("sh", ["-c", "\(install) --uninstall"], timeout: .seconds(60))
        #expect(again.status == .exited(1) && again.error.contains("nothing of it is installed"))
    }

    @Test func `what a package has, too, is neither removed nor stopped`() throws {
        let folder = try TemporaryFolder()
        let target = folder("usr")
        try check("mkdir -p \(target)/bin \(target)/lib/systemd/system \(target)/share/claimsd \(folder("fake"))")
        let files = ["bin/claimsctl", "bin/claimsd", "lib/systemd/system/claimsd.service"]
        for file in files { try folder.write("usr/\(file)", file) }
        try folder.write("usr/share/claimsd/installed-files", files.map { $0 + "\n" }.joined())
        // The package has the program and the unit under the same names.
        try folder.write(
            "fake/dpkg-query",
            """
            #!/bin/sh
            for file; do
                case $file in
                */bin/claimsd | */lib/systemd/system/claimsd.service) echo "claimsd: $file" ;;
                *) echo "no path found matching pattern $file" >&2 ;;
                esac
            done
            """)
        try check("chmod 755 \(folder("fake"))/dpkg-query")
        let told = try check(
            "PATH=\(folder("fake")):$PATH \(Repository.root)/.package/install.sh --prefix \(target) --uninstall")
        #expect(told.contains("apt install --reinstall claimsd"), "\(told)")
        #expect(try check("cd \(target) && find . -type f | sort") == "./bin/claimsd\n./\(files[2])\n")
    }
}
