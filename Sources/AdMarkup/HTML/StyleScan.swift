import AdCore

/// Splits CSS into declarations in one pass (CSS Syntax Module Level 3 §5).
package enum StyleScan {
    package struct Declaration {
        /// The selector before the block; empty outside of blocks, and in nested blocks.
        package let selector: ByteView
        package let name: ByteView
        /// The text after the colon; empty for an at-rule such as `@import`, whose name is all of its text.
        package let value: ByteView
    }

    /// Calls a closure with each declaration of a style sheet or of a `style` attribute.
    package static func each(_ bytes: ByteView, _ found: (Declaration) -> Void) {
        let nothing = bytes[bytes.startIndex..<bytes.startIndex]
        var selector = nothing
        var blocks = 0
        var brackets = 0
        var start = bytes.startIndex
        var colon: Int?
        var index = bytes.startIndex
        while index <= bytes.endIndex {
            let byte = index < bytes.endIndex ? bytes[index] : UInt8(ascii: "}")
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): index = self.endOfText(bytes, from: index)
            case UInt8(ascii: "/") where bytes[index...].startsIgnoringCase("/*"):
                let isBetween = bytes[start..<index].withoutLeadingWhiteSpace.isEmpty
                index = self.endOfComment(bytes, from: index)
                if isBetween { start = min(index + 1, bytes.endIndex) }
            case UInt8(ascii: "("): brackets += 1
            case UInt8(ascii: ")"): brackets = max(0, brackets - 1)
            case UInt8(ascii: ":") where colon == nil && brackets == 0: colon = index
            case UInt8(ascii: "{") where brackets == 0:
                selector = blocks == 0 ? bytes[start..<index].withoutWhiteSpace : nothing
                blocks += 1
                (start, colon) = (index + 1, nil)
            case UInt8(ascii: ";") where brackets == 0,
                UInt8(ascii: "}") where brackets == 0 || index == bytes.endIndex:
                self.report(bytes[start..<index], colon, selector, found)
                if byte == UInt8(ascii: "}") {
                    blocks = max(0, blocks - 1)
                    selector = nothing
                }
                (start, colon) = (min(index + 1, bytes.endIndex), nil)
            default: break
            }
            index += 1
        }
    }

    private static func report(
        _ segment: ByteView,
        _ colon: Int?,
        _ selector: ByteView,
        _ found: (Declaration) -> Void
    ) {
        let start = segment.withoutLeadingWhiteSpace
        guard let first = start.first else { return }
        if first == UInt8(ascii: "@") {
            found(Declaration(selector: selector, name: start, value: segment[segment.endIndex...]))
        } else if let colon {
            let value = segment[(colon + 1)...].withoutWhiteSpace
            found(Declaration(selector: selector, name: segment[..<colon].withoutWhiteSpace, value: value))
        }
    }

    /// The index of the end of a string: its quotation mark, the end of the line, or the last byte.
    private static func endOfText(_ bytes: ByteView, from start: Int) -> Int {
        var index = start + 1
        while index < bytes.endIndex, bytes[index] != bytes[start], bytes[index] != 0x0A {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.endIndex - 1)
    }

    private static func endOfComment(_ bytes: ByteView, from start: Int) -> Int {
        var index = start + 2
        while let slash = bytes.index(of: UInt8(ascii: "/"), from: index) {
            if slash > start + 2, bytes[slash - 1] == UInt8(ascii: "*") { return slash }
            index = slash + 1
        }
        return bytes.endIndex - 1
    }
}

extension StyleScan.Declaration {
    /// Whether it is this property, ignoring ASCII case.
    package func isNamed(_ name: StaticString) -> Bool {
        self.name.count == name.utf8CodeUnitCount && self.name.startsIgnoringCase(name)
    }

    // MARK: Painting

    /// Whether it may paint a box without content: a background, a border, a shadow, a list marker, or generated text.
    ///
    /// An uncertain case counts as painting; so does an imported style sheet.
    package var mayPaint: Bool {
        guard let first = self.name.first else { return false }
        switch first.lowercased {
        case UInt8(ascii: "b"):
            if self.name.startsIgnoringCase("border") { return self.mayPaintBorder }
            let isNamed =
                self.isNamed("background") || self.isNamed("background-color") || self.isNamed("background-image")
                || self.isNamed("box-shadow")
            return isNamed && !self.isUnpainted
        case UInt8(ascii: "o"):
            return (self.isNamed("outline") && !self.hasUnpaintedWord)
                || (self.isNamed("outline-style") && !self.isUnpainted)
        case UInt8(ascii: "c"):
            return (self.isNamed("content") && !self.isUnpainted)
                || (self.isNamed("column-rule") && !self.hasUnpaintedWord)
        case UInt8(ascii: "l"): return self.name.startsIgnoringCase("list-style") && !self.isUnpainted
        case UInt8(ascii: "d"): return self.isNamed("display") && self.value.startsIgnoringCase("list-item")
        case UInt8(ascii: "-"):
            return (self.name.endsIgnoringCase("-appearance") || self.name.endsIgnoringCase("-box-shadow"))
                && !self.isUnpainted
        case UInt8(ascii: "a"): return self.isNamed("appearance") && !self.isUnpainted
        case UInt8(ascii: "@"): return self.name.startsIgnoringCase("@import")
        default: return false
        }
    }

    private var mayPaintBorder: Bool {
        let name = self.name
        let isShape =
            name.endsIgnoringCase("-radius") || name.endsIgnoringCase("-collapse") || name.endsIgnoringCase("-spacing")
        if isShape || name.endsIgnoringCase("-color") || name.endsIgnoringCase("-width") { return false }
        return !(name.endsIgnoringCase("-style") ? self.isUnpainted : self.hasUnpaintedWord)
    }

    /// Whether no word of the value paints anything.
    private var isUnpainted: Bool { self.words.allSatisfy(StyleScan.Declaration.isUnpainted) }

    /// Whether a word of the value paints nothing: without a style or a width there is no line.
    private var hasUnpaintedWord: Bool { self.words.contains(where: StyleScan.Declaration.isUnpainted) }

    private var words: [ByteView] {
        self.value.split { $0.isWhiteSpace || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "!") }
            .filter { !($0.count == 9 && $0.startsIgnoringCase("important")) }
    }

    private static let unpaintedWords: [StaticString] = [
        "none", "hidden", "transparent", "inherit", "initial", "unset", "revert", "revert-layer", "normal", "\"\"",
        "''", "\"", "'",
    ]

    private static func isUnpainted(_ word: ByteView) -> Bool {
        if let first = word.first, first.isDigit || first == UInt8(ascii: "."), let number = Measure.number(word) {
            return number.value == 0
        }
        return self.unpaintedWords.contains { word.count == $0.utf8CodeUnitCount && word.startsIgnoringCase($0) }
    }

    // MARK: Hidden content

    /// Whether it may show what an element's `style` hides: it is `!important`, or starts an animation.
    package var mayUnhide: Bool {
        self.value.endsIgnoringCase("important") || self.name.startsIgnoringCase("animation")
            || self.name.startsIgnoringCase("-webkit-animation")
    }
}
