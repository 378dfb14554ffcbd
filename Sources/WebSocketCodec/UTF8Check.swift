/// Checks a text piece by piece, wherever it is cut: what can't become UTF-8 any more is found at once.
struct UTF8Check: Hashable, Sendable {
    /// How many bytes the letter that was begun still needs.
    private var missing = 0
    /// The bounds of its next byte.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    /// Whether no letter is begun.
    var isComplete: Bool { self.missing == 0 }

    /// Takes the next piece; returns false where it can't be UTF-8.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < bytes.count {
            if self.missing == 0 {
                // Mostly it is ASCII: eight bytes at a time.
                while place + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    place += 8
                }
                guard place < bytes.count else { return true }
            }
            guard self.take(bytes[place]) else { return false }
            place += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard self.missing > 0 else { return self.begin(byte) }
        guard byte >= self.low, byte <= self.high else { return false }
        self.missing -= 1
        (self.low, self.high) = (0x80, 0xBF)
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: self.missing = 1
        case 0xE0: (self.missing, self.low) = (2, 0xA0)
        case 0xED: (self.missing, self.high) = (2, 0x9F)
        case 0xE1...0xEF: self.missing = 2
        case 0xF0: (self.missing, self.low) = (3, 0x90)
        case 0xF1...0xF3: self.missing = 3
        case 0xF4: (self.missing, self.high) = (3, 0x8F)
        default: return false
        }
        return true
    }
}
