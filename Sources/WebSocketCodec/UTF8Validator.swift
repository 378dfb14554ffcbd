/// Validates UTF-8 incrementally (RFC 3629 §4): an invalid sequence is found at its first invalid byte.
struct UTF8Validator: Hashable, Sendable {
    /// The number of bytes that the current scalar still needs.
    private var missing = 0
    /// The allowed range of its next byte.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    /// Whether the text ends at a scalar boundary.
    var isComplete: Bool { self.missing == 0 }

    /// Validates the next part; false if the text can't become valid UTF-8.
    mutating func validate(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if self.missing == 0 {
                // Skip ASCII eight bytes at a time.
                while index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { return true }
            }
            guard self.validate(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func validate(_ byte: UInt8) -> Bool {
        guard self.missing > 0 else { return self.startScalar(byte) }
        guard byte >= self.low, byte <= self.high else { return false }
        self.missing -= 1
        (self.low, self.high) = (0x80, 0xBF)
        return true
    }

    private mutating func startScalar(_ byte: UInt8) -> Bool {
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
