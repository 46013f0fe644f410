// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsSnapshot

/// The files that hold committed records: a base with all of them, and over it at most a middle and a young file, each
/// with the changes since the file below. A newer file covers the ids that it has, as records or as gone.
///
/// Rows are numbered through all files, beginning with the base. The value is immutable.
public struct FileStack: Sendable {
    /// A file before it is in a stack.
    struct Part: Sendable {
        var role: StackRole
        var snapshot: Snapshot
        /// The generation after which changes count: the file has each id that changed after it, up to its own
        /// generation; 0 for a base.
        var from: UInt64 = 0
    }

    /// A file in a stack.
    public struct Layer: Sendable {
        public let role: StackRole
        public let snapshot: Snapshot
        let from: UInt64
        /// The number of its first row among the rows of all files.
        let start: Int
        /// The rows whose ids newer files have.
        let covered: RowBitmap
        /// The number of its records and gone ids that the file below also has, since it was merged.
        let repeated: Int
        /// The number in the name of the base for which ``repeated`` was counted.
        fileprivate let over: UInt64
        /// The rows that each newer file covers.
        fileprivate let masks: [UInt64: RowBitmap]

        /// The generation that it holds, together with the files below.
        var to: UInt64 { snapshot.identity.generation }
        /// The number of its records and gone ids.
        public var entries: Int { snapshot.count + snapshot.goneCount }
        fileprivate var part: Part { Part(role: role, snapshot: snapshot, from: from) }
    }

    /// The files, the oldest first, which is the base.
    public let layers: [Layer]

    /// A base alone.
    init(_ base: Snapshot) {
        layers = [
            Layer(
                role: .base, snapshot: base, from: 0, start: 0, covered: RowBitmap(), repeated: 0, over: 0, masks: [:])
        ]
    }

    /// - Parameters:
    ///   - base: the file at the bottom.
    ///   - newer: the files over it, the oldest one first.
    ///   - known: stacks that may have some of these files: their masks are used again.
    init(_ base: Snapshot, _ newer: [Part], knowing known: [FileStack] = []) {
        let parts = [Part(role: .base, snapshot: base)] + newer
        var (layers, start): ([Layer], Int) = ([], 0)
        for (index, part) in parts.enumerated() {
            let before = known.compactMap { $0.layers.first { $0.snapshot === part.snapshot } }
            var masks: [UInt64: RowBitmap] = [:]
            var covered = RowBitmap()
            for over in parts[(index + 1)...] {
                let id = over.snapshot.identity.fileID
                let mask =
                    before.lazy.compactMap { $0.masks[id] }.first ?? Self.mask(of: over.snapshot, in: part.snapshot)
                masks[id] = mask
                covered.formUnion(mask)
            }
            layers.append(
                Layer(
                    role: part.role, snapshot: part.snapshot, from: part.from, start: start, covered: covered,
                    repeated: Self.repeated(part, over: base, before), over: base.identity.fileID, masks: masks))
            start += part.snapshot.count
        }
        self.layers = layers
    }

    /// The rows of a file whose ids a newer file has.
    private static func mask(of newer: Snapshot, in file: Snapshot) -> RowBitmap {
        if let coverage = newer.coverage(of: file) { return coverage }
        // The file below was merged or rewritten later, or an earlier version wrote the newer one.
        var mask = RowBitmap()
        for row in 0..<newer.count {
            if let below = file.row(forID: newer.id(row)) { mask.set(below, of: file.count, to: true) }
        }
        for number in 0..<newer.goneCount {
            if let below = file.row(forID: newer.gone(number)) { mask.set(below, of: file.count, to: true) }
        }
        return mask
    }

    private static func repeated(_ part: Part, over base: Snapshot, _ known: [Layer]) -> Int {
        guard part.role == .middle, part.from < base.identity.generation else { return 0 }
        if let known = known.first(where: { $0.over == base.identity.fileID }) { return known.repeated }
        let middle = part.snapshot
        return (0..<middle.count).count { isRepeated($0, of: middle, in: base) }
            + (0..<middle.goneCount).count { base.row(forID: middle.gone($0)) == nil }
    }

    /// Whether a base has the record of a row of the file over it.
    static func isRepeated(_ row: Int, of middle: Snapshot, in base: Snapshot) -> Bool {
        guard let below = base.row(forID: middle.id(row)) else { return false }
        return middle.stateKey(row) != 0 && base.stateKey(below) == middle.stateKey(row)
    }

    public var base: Snapshot { layers[0].snapshot }
    /// The files over the base, the oldest one first.
    public var newer: ArraySlice<Layer> { layers.dropFirst() }
    var snapshots: [Snapshot] { layers.map(\.snapshot) }
    /// The number of rows.
    var end: Int { layers[layers.count - 1].start + layers[layers.count - 1].snapshot.count }

    subscript(role: StackRole) -> Layer? { layers.first { $0.role == role } }

    /// The newest file below those of a role.
    func below(_ role: StackRole) -> Layer { layers.last { $0.role < role } ?? layers[0] }

    /// The files below those of a role.
    func snapshots(below role: StackRole) -> [Snapshot] { layers.filter { $0.role < role }.map(\.snapshot) }

    /// The number of the first row of the files that a new file of a role replaces.
    func start(of role: StackRole) -> Int { layers.first { $0.role >= role }?.start ?? end }

    /// Whether a new file fits: it has all changes since the file below.
    func fits(_ part: Part) -> Bool { part.role == .base || part.from <= below(part.role).to }

    /// The stack with a new file in place of the files whose records it took.
    ///
    /// - Parameter known: a stack like the result, if it was made before.
    /// - Precondition: it fits.
    func replacing(with part: Part, knowing known: FileStack? = nil) -> FileStack {
        guard part.role != .base else { return FileStack(part.snapshot) }
        let kept = newer.filter { $0.role < part.role }.map(\.part)
        return FileStack(base, kept + [part], knowing: [self] + [known].compactMap(\.self))
    }

    /// The stack with another base under the files that are newer than it.
    ///
    /// - Parameter known: a stack like the result, if it was made before.
    func replacing(base: Snapshot, knowing known: FileStack? = nil) -> FileStack {
        let kept = newer.filter { $0.to > base.identity.generation }.map(\.part)
        return FileStack(base, kept, knowing: [self] + [known].compactMap(\.self))
    }

    /// The first files, without those that are newer.
    func prefix(_ count: Int) -> FileStack { FileStack(base, newer.prefix(count - 1).map(\.part), knowing: [self]) }

    /// The stack with some files replaced, each by another one of the same role and generation.
    func exchanging(_ replaced: (Snapshot) -> Snapshot) -> FileStack {
        FileStack(
            replaced(base),
            newer.map { Part(role: $0.role, snapshot: replaced($0.snapshot), from: $0.from) })
    }

    /// The record of an id in the newest file that has it, current or not; nil if no file has it.
    func newest(_ id: RawSpan) -> ServedRecord? {
        for layer in layers.reversed() {
            if let row = layer.snapshot.row(forID: id) { return ServedRecord(snapshot: layer.snapshot, row: row) }
        }
        return nil
    }

    /// Whether a file has a record with this id, current or not.
    func holds(_ id: RawSpan) -> Bool { layers.contains { $0.snapshot.row(forID: id) != nil } }

    /// Whether a file over the base decides about an id.
    func mentions(_ id: RawSpan) -> Bool { newer.contains { $0.snapshot.mentions(id) } }

    /// Numbers that distinguish the files while they are served.
    public var identifiers: [ObjectIdentifier] { layers.map { ObjectIdentifier($0.snapshot) } }

    /// Whether the middle file is to be merged into the base.
    func isMergeDue(_ bounds: LayerBounds) -> Bool {
        guard let middle = self[.middle], let threshold = bounds.mergeThreshold(over: base.count) else { return false }
        return middle.entries - middle.repeated >= threshold
    }

    /// Whether both have the same files.
    func isSame(as other: FileStack) -> Bool {
        layers.count == other.layers.count && zip(layers, other.layers).allSatisfy { $0.snapshot === $1.snapshot }
    }
}
