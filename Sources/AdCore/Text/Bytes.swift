// `@inlinable`, because parsers of other modules use these for every byte of every ad.

extension UInt8 {
    @inlinable package var isDigit: Bool { self &- 0x30 < 10 }
    @inlinable package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
    @inlinable package var isHexDigit: Bool { self.isDigit || (self | 0x20) &- 0x61 < 6 }
    /// The byte with an ASCII capital letter in lower case.
    @inlinable package var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
    /// Whether it is space, tab, line feed, form feed or carriage return: ASCII whitespace of HTML.
    @inlinable package var isWhiteSpace: Bool { self == 0x20 || (self &- 0x09 < 5 && self != 0x0B) }
}

extension Collection<UInt8> {
    /// Whether the bytes begin with an ASCII text, ignoring case.
    @inlinable package func startsIgnoringCase(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        var index = self.startIndex
        for offset in 0..<count {
            guard index != self.endIndex, self[index].lowercased == text.utf8Start[offset].lowercased else {
                return false
            }
            self.formIndex(after: &index)
        }
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether an ASCII text is at an index, which may be behind the end, but not negative.
    @inlinable package func has(_ text: StaticString, at index: Int) -> Bool {
        guard self.count - index >= text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount where self[index + offset] != text.utf8Start[offset] { return false }
        return true
    }
}

extension StringProtocol {
    /// The text without white space at either end.
    @inlinable package var trimmed: String {
        // Most texts need no trimming, and then nothing is copied.
        let text = Substring(self)
        let isVisible = { (byte: UInt8?) in byte.map { $0 > 0x20 && $0 < 0x7F } ?? false }
        if isVisible(text.utf8.first), isVisible(text.utf8.last) { return String(text) }
        var scalars = text.unicodeScalars
        while let first = scalars.first, first.properties.isWhitespace || first == "\u{FEFF}" { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }

    /// The text with ASCII letters in lower case; nothing else changes.
    @inlinable package var asciiLowercased: String { String(self).asciiLowercased }
}

extension String {
    /// The text with ASCII letters in lower case; nothing else changes.
    @usableFromInline package var asciiLowercased: String {
        var text = self
        let small = text.withUTF8 { bytes -> String? in
            // Most texts have no capital letter, and then nothing is copied.
            guard bytes.contains(where: { (0x41...0x5A).contains($0) }) else { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) { copy in
                for index in bytes.indices { copy.initializeElement(at: index, to: bytes[index].lowercased) }
                return bytes.count
            }
        }
        return small ?? self
    }

    /// Whether both texts are the same, ignoring ASCII case.
    package func equalsIgnoringCase(_ other: String) -> Bool {
        self.utf8.count == other.utf8.count && self.utf8.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
    }
}
