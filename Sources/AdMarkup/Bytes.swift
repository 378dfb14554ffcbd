/// Bytes that somebody else keeps.
typealias ByteView = Slice<UnsafeBufferPointer<UInt8>>

// AdCore tells bytes apart as well, but nothing of another module's package interface is inlined or specialised, and
// here it runs for every byte of every ad.

extension UInt8 {
    var isNumeral: Bool { self &- 0x30 < 10 }
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    /// The byte with an ASCII capital made small.
    var small: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
    /// What HTML calls white space: space, tab, line feed, form feed, carriage return.
    var isBlank: Bool { self == 0x20 || (self &- 0x09 < 5 && self != 0x0B) }
}

extension ByteView {
    /// Whether the bytes begin with an ASCII text, capitals and small letters taken as the same.
    func begins(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard self.count >= count else { return false }
        for index in 0..<count where self[self.startIndex + index].small != text.utf8Start[index].small { return false }
        return true
    }

    /// Whether the bytes end with an ASCII text, capitals and small letters taken as the same.
    func ends(_ text: StaticString) -> Bool {
        self.count >= text.utf8CodeUnitCount && self[(self.endIndex - text.utf8CodeUnitCount)...].begins(text)
    }

    /// The bytes without the white space before them.
    var unindented: ByteView {
        var start = self.startIndex
        while start < self.endIndex, self[start].isBlank { start += 1 }
        return self[start...]
    }

    /// The bytes without white space at either end.
    var withoutBlanks: ByteView {
        let start = self.unindented
        var end = start.endIndex
        while end > start.startIndex, start[end - 1].isBlank { end -= 1 }
        return start[..<end]
    }

    /// The offset of a byte at or behind another offset.
    func index(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < self.endIndex {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// Whether the byte stands anywhere.
    func holds(_ byte: UInt8) -> Bool { self.index(of: byte, from: self.startIndex) != nil }

    /// The bytes as text.
    var text: String { String(decoding: self, as: UTF8.self) }
}
