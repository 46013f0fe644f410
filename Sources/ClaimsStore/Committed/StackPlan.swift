// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The bounds of the files over a base.
///
/// Entries are changed, added and gone records.
public struct LayerBounds: Sendable {
    /// The number of entries of a young file.
    public var maxYoung = 4096
    /// The bytes of a young file.
    public var maxYoungBytes = 64 << 20
    /// A young file has at most one entry per this many records of the base: a new small base costs as little.
    public var youngShare = 4
    /// A middle file has at most one entry per this many records of the base.
    public var middleShare = 16
    /// A base with fewer records has no middle file.
    public var minBase = 65_536
    /// Whether a base has no room on the disk: then a middle file grows past its bound.
    var isBaseWithoutRoom = false
    /// The same as ``middleShare`` while a base has no room: a larger middle file would need as much room as a base.
    private static let crowdedMiddleShare = 2
    /// The maximal number of entries of a middle file while a base has no room: making it takes memory for each.
    private static let maxCrowdedMiddle = 1_000_000

    public init() {}

    /// Each file is a base.
    static let none = LayerBounds(maxYoung: 0, minBase: .max)

    /// Bounds for small collections: the given numbers of entries whatever the size of the base.
    public init(maxYoung: Int, maxMiddle: Int) {
        self.maxYoung = maxYoung
        maxForcedMiddle = maxMiddle
    }

    private init(maxYoung: Int, minBase: Int) {
        self.maxYoung = maxYoung
        self.minBase = minBase
    }

    /// The number of entries of a middle file over any base; nil: the size of the base decides.
    private var maxForcedMiddle: Int?

    /// The number of entries of a young file over a base of so many records.
    func maxYoung(over base: Int) -> Int { maxForcedMiddle == nil ? min(maxYoung, base / youngShare) : maxYoung }

    /// The number of entries of a middle file over a base of so many records.
    func maxMiddle(over base: Int) -> Int {
        let maximum = maxForcedMiddle ?? (base < minBase ? 0 : base / middleShare)
        return isBaseWithoutRoom ? max(maximum, min(base / Self.crowdedMiddleShare, Self.maxCrowdedMiddle)) : maximum
    }

    /// The number of entries at which a middle file is merged into the base; nil: never.
    func mergeThreshold(over base: Int) -> Int? {
        let maximum = maxMiddle(over: base)
        return maximum == 0 ? nil : max(1, maximum / 4 * 3)
    }
}

/// Decides which file of a stack takes the changes. Pure.
///
/// ```swift
/// let plan = StackPlan(base: 1_000_000, young: 3_000, youngBytes: 2 << 20, middle: 40_000)
/// switch plan.target(.init()) { … }
/// ```
struct StackPlan: Sendable, Equatable {
    /// The number of records of the base.
    var base: Int
    /// The number of entries that a new young file would have.
    var young: Int
    /// Its bytes.
    var youngBytes: Int
    /// The number of entries that a new middle file would have.
    var middle: Int

    /// The role of the file that is made.
    func target(_ bounds: LayerBounds) -> StackRole {
        if young <= bounds.maxYoung(over: base), youngBytes <= bounds.maxYoungBytes { return .young }
        return middle <= bounds.maxMiddle(over: base) ? .middle : .base
    }
}
