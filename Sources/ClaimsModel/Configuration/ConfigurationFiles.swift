// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The access to the files of the configuration. This module reads no file itself.
public struct ConfigurationFiles {
    /// The outcome of reading one file.
    public enum Content {
        case bytes([UInt8])
        case missing
        /// The file cannot be read, for this reason.
        case unreadable(String)
    }

    /// Reads the file at a path. A link that leads nowhere is unreadable, not missing.
    public let read: (_ path: String) -> Content
    /// Lists the names in the folder at a path, in any order. A link that leads nowhere is unreadable, not missing.
    public let list: (_ folder: String) -> ConfigurationFolder.Listing
    /// The reason why the file at a path, to which a definition refers, cannot be read; nil if it can.
    public let obstacle: (_ path: String) -> String?
    /// The reason why the file at a path cannot be used as certificates; nil if it can.
    public let certificateObstacle: (_ path: String) -> String?

    /// - Parameters:
    ///   - obstacle: by default no file is looked at, and each counts as there.
    ///   - certificateObstacle: likewise.
    public init(
        read: @escaping (String) -> Content, list: @escaping (String) -> ConfigurationFolder.Listing,
        obstacle: @escaping (String) -> String? = { _ in nil },
        certificateObstacle: @escaping (String) -> String? = { _ in nil }
    ) {
        self.read = read
        self.list = list
        self.obstacle = obstacle
        self.certificateObstacle = certificateObstacle
    }
}

/// One of the two sets of configuration files. The site's files are merged over the vendor's.
public enum ConfigurationLayer: String, Sendable, CaseIterable {
    case vendor
    case site
}

/// A folder of the configuration, as it was found.
public struct ConfigurationFolder: Sendable, Equatable {
    /// The outcome of listing a folder.
    public enum Listing: Sendable, Equatable {
        case names([String])
        case missing
        /// The folder cannot be listed, for this reason.
        case unreadable(String)
    }

    /// The folder of definitions in the folder of a layer.
    static let definitions = "collections.d"

    public let layer: ConfigurationLayer
    public let path: String
    public let listing: Listing
    /// Whether the folder holds definitions; otherwise it holds the settings.
    public let holdsDefinitions: Bool

    /// The names in the folder; empty if it could not be listed.
    var names: [String] {
        if case .names(let names) = listing { names } else { [] }
    }

    /// Whether the absence of a file in the folder means that there is none.
    var isListed: Bool {
        if case .names = listing { true } else { false }
    }

    /// The problem with the folder, because of which everything from it stays in force. A site may have no folder of
    /// its own, so one that is missing is worth a warning.
    var problem: ConfigurationProblem? {
        let reason: String
        switch listing {
        case .names: return nil
        case .missing: reason = "the folder is missing"
        case .unreadable(let error): reason = "the folder cannot be read: \(error)"
        }
        return ConfigurationProblem(
            location: ConfigurationLocation(file: path), message: "\(reason); what came from it stays in force",
            isWarning: listing == .missing && layer == .site)
    }
}

/// A file of the configuration, and the layer that it belongs to.
public struct ConfigurationOrigin: Sendable, Hashable {
    public let layer: ConfigurationLayer
    public let path: String

    public init(_ layer: ConfigurationLayer, _ path: String) {
        self.layer = layer
        self.path = path
    }
}
