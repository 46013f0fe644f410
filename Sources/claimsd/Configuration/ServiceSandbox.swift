// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream

/// The folders of the machine that the service does not see: its unit has `ProtectHome=` and `PrivateTmp=`
/// (systemd.exec(5)). Root sees them, so that its check finds files which the service misses.
enum ServiceSandbox {
    private static let hidden = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"]

    /// A sentence for each file that the configuration is in, or that it names, and that the service does not see.
    static func warnings(about configuration: Configuration) -> [String] {
        let origins = configuration.settingsFile.origins + configuration.definitionFiles.flatMap(\.origins)
        let own = origins.compactMap { origin in folder(hiding: origin.path).map { "\(origin.path): \(reason($0))" } }
        var named: [String] = []
        for definition in configuration.definitions {
            for file in files(of: definition) {
                guard let folder = folder(hiding: file.path), let merged = configuration.file(of: definition.name)
                else { continue }
                let warning = ConfigurationProblem(
                    location: merged.location(ofRequestKey: file.keyPath), message: "\(file.path): \(reason(folder))"
                ).description
                if !named.contains(warning) { named.append(warning) }
            }
        }
        return own + named
    }

    /// The files that the daemon reads for a definition.
    private static func files(of definition: Definition) -> [NamedFile] {
        let bundle = definition.bundle.map { [NamedFile(keyPath: "bundle", path: $0)] } ?? []
        let sources = definition.readRequests.compactMap { keyPath, request -> NamedFile? in
            guard let url = request.url, let path = try? FileTransfer.path(url) else { return nil }
            return NamedFile(keyPath: "\(keyPath).url", path: path)
        }
        return bundle + sources + definition.authorityFiles
    }

    /// The hidden folder that a file is in, or that a link leads to.
    private static func folder(hiding path: String) -> String? {
        let paths = [path, Files.resolved(path) ?? path]
        return hidden.first { folder in paths.contains { $0.hasPrefix("\(folder)/") } }
    }

    private static func reason(_ folder: String) -> String {
        "the service does not see \(folder), unless a drop-in changes ProtectHome= or PrivateTmp=; "
            + "expected a place below /etc/claimsd or /srv"
    }
}
