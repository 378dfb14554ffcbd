/// Finds macros of all spellings in a URL, in one pass over its bytes.
struct AdMacroScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Whether the bytes are a URL; then anything like a macro at their start is one.
    private let isAddress: Bool
    private var at = 0

    /// The maximum length of a macro's name.
    static let maximumNameLength = 64

    init(_ bytes: UnsafeBufferPointer<UInt8>, isAddress: Bool = false) {
        self.bytes = bytes
        self.isAddress = isAddress
    }

    /// The next macro; nil after the last one.
    mutating func next() -> AdMacroSpelling? {
        while self.at < self.bytes.count {
            if let found = self.macro() {
                self.at = found.end
                return found.macro
            }
            self.at += 1
        }
        return nil
    }

    private typealias Found = (macro: AdMacroSpelling, end: Int)

    private func macro() -> Found? {
        switch self.bytes[self.at] {
        case UInt8(ascii: "["): self.brackets()
        case UInt8(ascii: "%"): self.enclosed("%%", "%%", .percent) ?? self.letter()
        case UInt8(ascii: "$"): self.enclosed("${", "}", .dollar) ?? self.capitalized(self.enclosed("$", "$", .dollars))
        case UInt8(ascii: "@"): self.capitalized(self.enclosed("@@", "@@", .ats))
        case UInt8(ascii: "{"): self.enclosed("{{", "}}", .doubleBraces) ?? self.braces()
        case UInt8(ascii: "_"): self.underscores()
        case UInt8(ascii: "#"): self.enclosed("##", "##", .hashes)
        case 0x41...0x5A: self.placeholder()
        default: nil
        }
    }

    private func byte(_ index: Int) -> UInt8 {
        self.bytes.indices.contains(index) ? self.bytes[index] : 0
    }

    private func found(_ name: Range<Int>, _ style: AdMacroSpelling.Style, to end: Int) -> Found {
        let text = String(decoding: self.bytes[name], as: UTF8.self)
        return (AdMacroSpelling(name: text, style: style, range: self.at..<end), end)
    }

    /// The name that begins at an index: letters, digits and `_`, and with arguments also `:`, `.` and `-`.
    private func name(from start: Int, hasArguments: Bool) -> Range<Int>? {
        var end = start
        while end < self.bytes.count, end - start < AdMacroScanner.maximumNameLength {
            let byte = self.bytes[end]
            let isNameCharacter = byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "_")
            guard isNameCharacter || (hasArguments && end > start && ":.-".utf8.contains(byte)) else { break }
            end += 1
        }
        return end > start && self.bytes[start].isASCIILetter ? start..<end : nil
    }

    private func enclosed(_ open: StaticString, _ close: StaticString, _ style: AdMacroSpelling.Style) -> Found? {
        guard self.bytes.has(open, at: self.at) else { return nil }
        var start = self.at + open.utf8CodeUnitCount
        // `{{ name }}`
        if style == .doubleBraces { while self.byte(start) == 0x20 { start += 1 } }
        guard let name = self.name(from: start, hasArguments: [.percent, .dollar, .doubleBraces].contains(style)),
            name.count > 1
        else { return nil }
        var end = name.upperBound
        if style == .doubleBraces { while self.byte(end) == 0x20 { end += 1 } }
        guard self.bytes.has(close, at: end) else { return nil }
        return self.found(name, style, to: end + close.utf8CodeUnitCount)
    }

    /// `[NAME]`; `list[3]`, `filter[name]` and the host in `http://[::1]` are not macros.
    private func brackets() -> Found? {
        guard let name = self.name(from: self.at + 1, hasArguments: false), name.count > 1,
            self.byte(name.upperBound) == UInt8(ascii: "]")
        else { return nil }
        // A lower-case name is a macro only if it is a whole value.
        guard self.isUppercase(name) || self.at == 0 || "=/;".utf8.contains(self.byte(self.at - 1))
        else { return nil }
        return self.found(name, .brackets, to: name.upperBound + 1)
    }

    /// A macro in a spelling that other texts use, too: it must be in capital letters.
    private func capitalized(_ found: Found?) -> Found? {
        guard let found, found.macro.name.utf8.count > 2,
            !found.macro.name.utf8.contains(where: { (0x61...0x7A).contains($0) })
        else { return nil }
        return found
    }

    /// `{NAME}` and `{clickurl}`; other lower-case names may be a template of the URL's own server.
    private func braces() -> Found? {
        guard let found = self.enclosed("{", "}", .braces) else { return nil }
        let name = found.macro.name
        guard name.utf8.count > 2, name.utf8.first?.isASCIILetter ?? false else { return nil }
        if self.isLeading || found.macro.isClick { return found }
        return name.utf8.contains { (0x61...0x7A).contains($0) } ? nil : found
    }

    /// `__NAME__` as a whole value or at the start of a URL.
    private func underscores() -> Found? {
        let before = self.byte(self.at - 1)
        guard self.bytes.has("__", at: self.at), self.at == 0 || "=/;".utf8.contains(before) else {
            return nil
        }
        let start = self.at + 2
        var end = start
        while end < self.bytes.count, end - start < AdMacroScanner.maximumNameLength {
            let byte = self.bytes[end]
            guard
                (self.isLeading ? byte.isASCIILetter : (0x41...0x5A).contains(byte)) || byte.isDigit
                    || byte == UInt8(ascii: "_")
            else { break }
            if byte == UInt8(ascii: "_"), self.bytes.has("__", at: end), self.byte(end + 2) != UInt8(ascii: "_") {
                break
            }
            end += 1
        }
        guard end - start > 1, self.bytes[start].isASCIILetter, self.bytes.has("__", at: end) else { return nil }
        return self.found(start..<end, .underscores, to: end + 2)
    }

    /// `%c`, `%n`, `%epid!`, `%pkey=!;`: a percent sign that is not an escape.
    private func letter() -> Found? {
        let letter = self.byte(self.at + 1)
        let next = self.byte(self.at + 2)
        let before = self.byte(self.at - 1)
        let isValue = self.at == 0 || "=/;?&,:".utf8.contains(before)
        guard isValue, !(letter.isHexDigit && next.isHexDigit) else { return nil }
        if letter == UInt8(ascii: "e") || letter == UInt8(ascii: "p") || letter == UInt8(ascii: "k") {
            if let name = self.name(from: self.at + 1, hasArguments: false), name.count > 2 {
                var end = name.upperBound
                if self.byte(end) == UInt8(ascii: "=") { end += 1 }
                if self.byte(end) == UInt8(ascii: "!") { return self.found(name, .letter, to: end + 1) }
            }
        }
        guard "cnugshmv".utf8.contains(letter) else { return nil }
        // `%c` is in front of the click-through URL; the others are values.
        let isAtEnd = next == 0 || "&;/?!#%\"'),".utf8.contains(next)
        guard isAtEnd || ("cu".utf8.contains(letter) && self.bytes.has("http", at: self.at + 2)) else { return nil }
        let name = (self.at + 1)..<(self.at + 2)
        return self.found(name, .letter, to: name.upperBound)
    }

    /// `INSERT_CLICK_HERE` as a separate word.
    private func placeholder() -> Found? {
        let before = self.byte(self.at - 1)
        guard !before.isASCIILetter, !before.isDigit, before != UInt8(ascii: "_") else { return nil }
        var end = self.at
        var hasSeparator = false
        while end < self.bytes.count, end - self.at < AdMacroScanner.maximumNameLength {
            let byte = self.bytes[end]
            guard (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") else { break }
            hasSeparator = hasSeparator || !byte.isASCIILetter
            end += 1
        }
        guard hasSeparator, end - self.at > 6, !self.byte(end).isASCIILetter || self.bytes.has("http", at: end),
            AdMacroWords.isPlaceholder(String(decoding: self.bytes[self.at..<end], as: UTF8.self))
        else { return nil }
        return self.found(self.at..<end, .placeholder, to: end)
    }

    /// Whether the scanner is at the start of a URL.
    private var isLeading: Bool { self.isAddress && self.at == 0 }

    private func isUppercase(_ name: Range<Int>) -> Bool { !self.bytes[name].contains { (0x61...0x7A).contains($0) } }
}
