// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An error in the configuration, as the author of the file reads it.
public struct ConfigurationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, line and key of the error.
    public let location: ConfigurationLocation
    /// The error, the expected value, and if possible the value that was probably meant; in English.
    public let message: String
    /// The collection that cannot be used because of the error; nil if it is in the daemon's settings.
    public let collection: String?
    /// Whether it is only a warning: no file has a mistake, but a person should know it.
    public let isWarning: Bool
    /// Another collection that the message names; nil if there is none.
    public let rival: String?

    public init(
        location: ConfigurationLocation, message: String, collection: String? = nil, isWarning: Bool = false,
        rival: String? = nil
    ) {
        self.location = location
        self.message = message
        self.collection = collection
        self.isWarning = isWarning
        self.rival = rival
    }

    /// The path of the file.
    public var file: String { location.file }
    /// The line, from 1; nil if only the file is known.
    public var line: Int? { location.line }
    /// The column in Unicode scalars, from 1; nil if only the file is known.
    public var column: Int? { location.column }
    /// The keys that lead to the value, joined by dots; empty if the file as a whole is meant.
    public var keyPath: String { location.keyPath }

    /// Whether it is a mistake in the rules of `access`.
    var isInAccess: Bool {
        !isWarning && (keyPath == "access" || keyPath.hasPrefix("access.") || keyPath.hasPrefix("access["))
    }

    /// The problem on one line: `FILE:LINE:COLUMN: KEY.PATH: MESSAGE`.
    public var description: String {
        var text = location.file
        for number in [location.line, location.column] {
            guard let number else { break }
            text += ":\(number)"
        }
        if !location.keyPath.isEmpty { text += ": \(location.keyPath)" }
        return "\(text): \(message)"
    }
}

/// A field that is left out of a definition in force, because answers have a member of its name.
struct LeftOutField {
    let name: String
    let location: ConfigurationLocation
    /// Whether no record could be without it.
    var isRequired = false
}

/// Collects the problems of one collection or of the settings while they are read. Everything is read to the end, so
/// that all mistakes are shown at once.
final class ProblemLog {
    private(set) var problems: [ConfigurationProblem] = []
    /// The files of certificates that were named, and where; only the disk shows whether they are good.
    private(set) var certificateFiles: [(path: String, location: ConfigurationLocation)] = []
    private let collection: String?
    /// Whether fields with names that only older versions allowed are left out. Otherwise they are mistakes.
    let leavesOutFields: Bool
    /// The fields that were left out.
    private(set) var leftOut: [LeftOutField] = []
    /// The key paths of what referred to them, and is left out, too.
    private(set) var leftOutReferences: [String] = []

    init(collection: String?, leavesOutFields: Bool = false) {
        self.collection = collection
        self.leavesOutFields = leavesOutFields
    }

    func leaveOut(field name: String, at location: ConfigurationLocation) {
        leftOut.append(LeftOutField(name: name, location: location))
    }

    /// Records that a field is required in each record, if it is left out.
    func require(leftOut name: String) {
        if let index = leftOut.firstIndex(where: { $0.name == name }) { leftOut[index].isRequired = true }
    }

    /// Records that something is left out because it refers to a field that is left out.
    func record(reference keyPath: String) {
        if !leftOutReferences.contains(keyPath) { leftOutReferences.append(keyPath) }
    }

    func add(_ message: String, at location: ConfigurationLocation) {
        problems.append(ConfigurationProblem(location: location, message: message, collection: collection))
    }

    /// Records that a value names a file of certificates. Sites read the values of their source again.
    func record(certificateFile path: String, at location: ConfigurationLocation) {
        let isKnown = certificateFiles.contains { _, known in
            known.file == location.file && known.line == location.line && known.column == location.column
        }
        if !isKnown { certificateFiles.append((path, location)) }
    }

    /// The problems, file by file from the top down.
    var sorted: [ConfigurationProblem] {
        problems.sorted { left, right in
            if left.file != right.file { return left.file < right.file }
            return (left.line ?? 0, left.column ?? 0) < (right.line ?? 0, right.column ?? 0)
        }
    }
}
