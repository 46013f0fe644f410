// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One cell in four bytes: a scalar, or the index of a cluster of several, and the style.
struct ScreenCell: Equatable {
    /// From bit 0: 21 bits scalar or index, one for "index", five of style. All bits of the text are 0 in the second
    /// cell of a wide cluster.
    private var bits: UInt32

    private static let textMask: UInt32 = 0x3F_FFFF
    private static let clusterFlag: UInt32 = 1 << 21
    private static let codeShift: UInt32 = 22

    static let blank = ScreenCell(scalar: 0x20, code: 0)

    init(scalar: UInt32, code: UInt32) { bits = scalar | code << Self.codeShift }

    init(cluster: Int, code: UInt32) { bits = UInt32(cluster) | Self.clusterFlag | code << Self.codeShift }

    /// A further cell of a wide cluster.
    init(continuing code: UInt32) { bits = code << Self.codeShift }

    var isContinuation: Bool { bits & Self.textMask == 0 }
    /// The scalar, where the cell has one scalar only.
    var scalar: UInt32 { bits & Self.textMask }
    /// The index of the cluster, where it has several.
    var cluster: Int? { bits & Self.clusterFlag == 0 ? nil : Int(bits & (Self.clusterFlag - 1)) }
    /// The style as a number; 0 is plain.
    var code: UInt32 { bits >> Self.codeShift }
    var isPlainBlank: Bool { bits == 0x20 }

    mutating func setCode(_ code: UInt32) { bits = bits & Self.textMask | code << Self.codeShift }

    /// Makes it a blank of the same style.
    mutating func clear() { bits = 0x20 | code << Self.codeShift }
}

extension ScreenCell {
    private static let colors: [CellStyle.Color?] = [nil, .red, .green, .magenta]

    static func code(of style: CellStyle) -> UInt32 {
        let color: UInt32 =
            switch style.color {
            case nil: 0
            case .red: 1
            case .green: 2
            case .magenta: 3
            }
        return (style.isBold ? 1 : 0) | (style.isUnderlined ? 2 : 0) | (style.isReversed ? 4 : 0) | color << 3
    }

    static func style(of code: UInt32) -> CellStyle {
        CellStyle(
            isBold: code & 1 != 0, isUnderlined: code & 2 != 0, isReversed: code & 4 != 0,
            color: colors[Int(code >> 3 & 3)])
    }

    var style: CellStyle { Self.style(of: code) }
}

/// The appearance of a cell: attributes and one of three colours, all of which every terminal knows.
///
/// A style never carries a meaning that the text does not have.
public struct CellStyle: Hashable, Sendable {
    /// A colour of the terminal's own palette. Blue and yellow cannot be read on some backgrounds.
    public enum Color: UInt8, Sendable {
        /// Something is wrong.
        case red = 31
        /// Something is confirmed.
        case green = 32
        /// Something is not fresh.
        case magenta = 35
    }

    public var isBold: Bool
    public var isUnderlined: Bool
    public var isReversed: Bool
    /// The colour; nil for the terminal's own.
    public var color: Color?

    public init(isBold: Bool = false, isUnderlined: Bool = false, isReversed: Bool = false, color: Color? = nil) {
        self.isBold = isBold
        self.isUnderlined = isUnderlined
        self.isReversed = isReversed
        self.color = color
    }

    public static let plain = CellStyle()
    public static let bold = CellStyle(isBold: true)
    public static let reversed = CellStyle(isReversed: true)
    public static let wrong = CellStyle(isBold: true, color: .red)
    public static let notFresh = CellStyle(color: .magenta)
    public static let confirmed = CellStyle(color: .green)
}
