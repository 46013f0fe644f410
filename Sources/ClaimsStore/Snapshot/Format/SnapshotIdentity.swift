// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Which file a snapshot is: what state.db names and a file's header must repeat.
public struct SnapshotIdentity: Equatable, Sendable {
    /// The state database's epoch.
    public let epoch: UInt64
    public let generation: UInt64
    /// Random; decides the file's name, so that no two writers ever meet.
    public let fileID: UInt64
    /// The definition's `shapeHash`.
    public let definitionHash: UInt64

    public init(epoch: UInt64, generation: UInt64, fileID: UInt64, definitionHash: UInt64) {
        self.epoch = epoch
        self.generation = generation
        self.fileID = fileID
        self.definitionHash = definitionHash
    }

    /// The name of the file in its folder.
    public var fileName: String { stem + Self.fileExtension }

    /// The name of the file of an earlier snapshot that this one shares records with.
    func partName(_ number: Int) -> String { "\(stem).\(number)\(Self.fileExtension)" }

    /// What the names of all its files begin with, and nobody else's.
    var stem: String {
        let digits = String(fileID, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// How the names of all snapshot files end; a file with another identity's name is an orphan.
    public static let fileExtension = ".snapshot"
}
