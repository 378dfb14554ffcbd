/// The writing direction of a text.
///
/// A provider's text may have another direction than the app: an English headline in a Hebrew app is read from the left.
enum TextDirection: Hashable, Sendable {
    case leftToRight
    case rightToLeft
    /// That of the app: the text has no letter.
    case natural

    /// The direction of the first letter that has one (Unicode Standard Annex #9, rules P2 and P3), as `dir="auto"` in HTML.
    init(of text: String) {
        for scalar in text.unicodeScalars {
            if TextDirection.isRightToLeft(scalar) {
                self = .rightToLeft
                return
            }
            if scalar.properties.isAlphabetic {
                self = .leftToRight
                return
            }
        }
        self = .natural
    }

    /// Whether a scalar is a letter of a script that is written from the right.
    ///
    /// The blocks are those with the default `R` or `AL` (DerivedBidiClass.txt); digits and marks in them decide nothing.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The mark that is written for this purpose.
        case 0x200F: true
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
            scalar.properties.isAlphabetic && scalar.properties.generalCategory != .nonspacingMark
        default: false
        }
    }
}
