// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// Tests with packages; skipped, with the reason, where none can be made or installed.
extension Trait where Self == ConditionTrait {
    static var needsPackaging: ConditionTrait {
        .enabled(if: PackagedService.obstacle == nil, "\(PackagedService.obstacle ?? "")")
    }
}

/// A machine of its own for one test, on which dpkg installs the service.
///
/// Its packages hold the programs that were built with the tests: what dpkg does with them does not depend on how they
/// were compiled, and a release build would take longer than all tests of packages together.
final class PackagedService: Sendable {
    /// The packages by age: the second one differs from the first in its version only.
    enum Version: String, CaseIterable {
        case old = "+1"
        case new = "+2"
    }

    static let obstacle: String? = {
        if let obstacle = SystemdMachine.obstacle { return obstacle }
        for tool in ["/usr/bin/dpkg-buildpackage", "/usr/bin/dh", "/usr/bin/dh_python3"] where !Files.exists(tool) {
            return "\(tool) is not installed"
        }
        return nil
    }()

    /// The folder with both packages, made once for all tests.
    private static let packages = Result { () throws -> String in
        let programs = Paths.parent(try BuiltProgram.path("claimsd"))
        let folder = Paths.join(programs, "packages")
        let manual = Paths.join(folder, "man")
        let pages = try SystemdMachine.command(
            try BuiltProgram.path("claims-manual"),
            [Paths.join(Repository.root, "Sources/claimsd/Documentation.docc"), manual], timeout: .seconds(60))
        guard pages.isSuccess else { throw TestFailure("no manual pages: \(pages.output)\(pages.error)") }
        for version in Version.allCases {
            let settings = [
                "BIN=\(programs)", "MAN=\(manual)", "OUT=\(Paths.join(folder, version.rawValue))",
                "DEB_SUFFIX=\(version.rawValue)", "SHLIBDEPS=--ignore-missing-info",
                "DEB_BUILD_OPTIONS=noautodbgsym", "DPKG_DEB_COMPRESSOR_TYPE=none",
            ]
            let made = try SystemdMachine.command(
                "env", settings + [Paths.join(Repository.root, ".package/build-deb")], timeout: .seconds(300))
            guard made.isSuccess else { throw TestFailure("no package: \(made.output)\(made.error)") }
        }
        return folder
    }

    let machine: SystemdMachine

    /// Boots a machine on which nothing of claimsd is installed, and which has a collection's source and definition.
    init() throws {
        let folder = try Self.packages.get()
        machine = try SystemdMachine(bind: InstalledService.runtimeFolders() + [folder])
        // A container's policy may forbid packages to start services; this machine is no container. And nobody looks for
        // manual pages here.
        try machine.check(
            """
            rm -f /usr/sbin/policy-rc.d /var/lib/man-db/auto-update; ! dpkg-query --show claimsd || dpkg --purge claimsd
            umask 022 && mkdir -p /etc/claimsd/collections.d
            echo '\(InstalledService.site)' > /etc/claimsd/collections.d/packs.json5
            echo '\(InstalledService.packs)' > /srv/packs.json
            """)
    }

    /// The files of all packages of a version.
    static func packages(_ version: Version) throws -> [String] {
        let made = Paths.join(try packages.get(), version.rawValue)
        return try Directory.list(made).filter { $0.hasSuffix(".deb") }.sorted().map { Paths.join(made, $0) }
    }

    /// The package's file, which has the same name inside and outside of the machine.
    func package(_ version: Version) throws -> String {
        try #require(try Self.packages(version).first { $0.contains("/claimsd_") })
    }

    /// Installs a package, or upgrades or goes back to it; dpkg must succeed.
    ///
    /// - Returns: what dpkg printed.
    @discardableResult
    func install(_ version: Version) throws -> String {
        try machine.check("dpkg --install \(package(version)) 2>&1")
    }

    /// Waits until the collection's source has been read.
    func awaitRecords() throws {
        try machine.eventually("claimsctl search --pack -o name 2>/dev/null | grep -q 10")
    }

    /// The names of all packs, in their order.
    func packs() throws -> [String] {
        try machine.check("claimsctl search --pack -o name").split(separator: "\n").map(String.init)
    }

    /// The package's state and version, such as "ii 0.1.0+2"; "" where dpkg does not know it.
    func installed() throws -> String {
        let shown = try machine.run("dpkg-query --show --showformat='${db:Status-Abbrev}${Version}' claimsd")
        return shown.isSuccess ? shown.output : ""
    }

    /// Whether the package of that version is installed and configured.
    func isInstalled(_ version: Version) throws -> Bool {
        let state = try installed()
        return state.hasPrefix("ii ") && state.hasSuffix(version.rawValue)
    }

    /// The process of the service; "0" where it does not run.
    func process() throws -> String {
        String(try machine.check("systemctl show claimsd -P MainPID").prefix { $0 != "\n" })
    }

    /// The inode of the socket that clients connect to: it stays the same as long as the socket unit is not restarted.
    func socket() throws -> String { try machine.check("stat -c '%i %W' /run/claimsd/claimsd.sock") }

    /// Whether the service and its socket are active, as `systemctl is-active` says it.
    func activity() throws -> [String] {
        try machine.run("systemctl is-active claimsd.service claimsd.socket").output
            .split(separator: "\n").map(String.init)
    }

    /// The clock of the collections.
    func clock() throws -> (epoch: String, seq: Int) {
        let status = try JSONValue.parse(try machine.check("claimsctl status -o json"))
        let parts = try #require(status["clock"]?.string, "\(status)").split(separator: ".")
        return (String(try #require(parts.first)), try #require(parts.last.flatMap { Int($0) }))
    }
}
