import AdCore

/// Cuts CSS into its declarations, in one pass (CSS Syntax Module Level 3 §5).
enum StyleScan {
    struct Declaration {
        /// What stands before the block that it is in; empty outside of blocks, and in blocks within blocks.
        let selector: ByteView
        let name: ByteView
        /// What stands behind the colon; empty for `@import` and the like, whose name is all of it.
        let value: ByteView
    }

    /// Finds the declarations of a style sheet, or of an element's own `style`.
    static func each(_ bytes: ByteView, _ found: (Declaration) -> Void) {
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
            case UInt8(ascii: "/") where bytes[index...].begins("/*"):
                let isBetween = bytes[start..<index].unindented.isEmpty
                index = self.endOfComment(bytes, from: index)
                if isBetween { start = min(index + 1, bytes.endIndex) }
            case UInt8(ascii: "("): brackets += 1
            case UInt8(ascii: ")"): brackets = max(0, brackets - 1)
            case UInt8(ascii: ":") where colon == nil && brackets == 0: colon = index
            case UInt8(ascii: "{") where brackets == 0:
                selector = blocks == 0 ? bytes[start..<index].withoutBlanks : nothing
                blocks += 1
                (start, colon) = (index + 1, nil)
            case UInt8(ascii: ";") where brackets == 0,
                UInt8(ascii: "}") where brackets == 0 || index == bytes.endIndex:
                self.tell(bytes[start..<index], colon, selector, found)
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

    private static func tell(
        _ segment: ByteView,
        _ colon: Int?,
        _ selector: ByteView,
        _ found: (Declaration) -> Void
    ) {
        let start = segment.unindented
        guard let first = start.first else { return }
        if first == UInt8(ascii: "@") {
            found(Declaration(selector: selector, name: start, value: segment[segment.endIndex...]))
        } else if let colon {
            let value = segment[(colon + 1)...].withoutBlanks
            found(Declaration(selector: selector, name: segment[..<colon].withoutBlanks, value: value))
        }
    }

    /// Where a text in quotation marks ends: at its mark, at the end of the line, or with the style.
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
    /// Whether it is this property, capitals and small letters taken as the same.
    func isNamed(_ name: StaticString) -> Bool {
        self.name.count == name.utf8CodeUnitCount && self.name.begins(name)
    }

    // MARK: Painting

    /// Whether it may make a box visible that holds nothing: a background, a border, a shadow, a mark, or text of its own.
    ///
    /// In doubt it does. What names a style sheet from elsewhere may as well.
    var mayPaint: Bool {
        guard let first = self.name.first else { return false }
        switch first.small {
        case UInt8(ascii: "b"):
            if self.name.begins("border") { return self.mayPaintBorder }
            let isNamed =
                self.isNamed("background") || self.isNamed("background-color") || self.isNamed("background-image")
                || self.isNamed("box-shadow")
            return isNamed && !self.isNothing
        case UInt8(ascii: "o"):
            return (self.isNamed("outline") && !self.holdsNothing) || (self.isNamed("outline-style") && !self.isNothing)
        case UInt8(ascii: "c"):
            return (self.isNamed("content") && !self.isNothing) || (self.isNamed("column-rule") && !self.holdsNothing)
        case UInt8(ascii: "l"): return self.name.begins("list-style") && !self.isNothing
        case UInt8(ascii: "d"): return self.isNamed("display") && self.value.begins("list-item")
        case UInt8(ascii: "-"):
            return (self.name.ends("-appearance") || self.name.ends("-box-shadow")) && !self.isNothing
        case UInt8(ascii: "a"): return self.isNamed("appearance") && !self.isNothing
        case UInt8(ascii: "@"): return self.name.begins("@import")
        default: return false
        }
    }

    private var mayPaintBorder: Bool {
        let name = self.name
        let isShape = name.ends("-radius") || name.ends("-collapse") || name.ends("-spacing")
        if isShape || name.ends("-color") || name.ends("-width") { return false }
        return !(name.ends("-style") ? self.isNothing : self.holdsNothing)
    }

    /// Whether every word of the value stands for nothing.
    private var isNothing: Bool { self.words.allSatisfy(StyleScan.Declaration.isNothing) }

    /// Whether a word of the value stands for nothing: without a style or a width there is no line.
    private var holdsNothing: Bool { self.words.contains(where: StyleScan.Declaration.isNothing) }

    private var words: [ByteView] {
        self.value.split { $0.isBlank || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "!") }
            .filter { !($0.count == 9 && $0.begins("important")) }
    }

    private static let nothings: [StaticString] = [
        "none", "hidden", "transparent", "inherit", "initial", "unset", "revert", "revert-layer", "normal", "\"\"",
        "''", "\"", "'",
    ]

    private static func isNothing(_ word: ByteView) -> Bool {
        if let first = word.first, first.isNumeral || first == UInt8(ascii: "."), let number = Measure.number(word) {
            return number.value == 0
        }
        return self.nothings.contains { word.count == $0.utf8CodeUnitCount && word.begins($0) }
    }

    // MARK: Uncovering

    /// Whether it may show what an element's own `style` hides: it outranks that, or is a step of an animation.
    var mayUncover: Bool {
        self.value.ends("important") || self.name.begins("animation") || self.name.begins("-webkit-animation")
    }
}
