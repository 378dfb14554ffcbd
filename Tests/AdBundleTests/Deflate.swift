/// Deflate streams (RFC 1951).
enum Deflate {
    /// Bytes in a stored block (§3.2.4); at most 65,535.
    static func stored(_ data: [UInt8]) -> [UInt8] {
        let count = UInt16(data.count)
        return [1, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)] + data
    }

    /// At least so many zeros, packed as densely as Deflate can: 258 bytes in two bits.
    ///
    /// One block with codes of its own (§3.2.7): a literal 0, then as often as needed "the last byte 258 times more".
    static func zeros(_ count: Int) -> (packed: [UInt8], count: Int) {
        var bits = BitWriter()
        bits.write(1, 1)  // the last block
        bits.write(2, 2)  // with its own codes
        bits.write(286 - 257, 5)  // codes of literals and lengths
        bits.write(0, 5)  // one code of distances
        bits.write(18 - 4, 4)  // lengths of the codes for lengths: up to that for 1
        // In the order 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1: 18 has one bit, 1 and 2 have two.
        for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { bits.write(length, 3) }
        // The codes: 18 is 0, 1 is 10, 2 is 11.
        bits.writeCode(0b11, 2)  // literal 0: two bits
        bits.writeCode(0, 1)
        bits.write(138 - 11, 7)  // 138 unused
        bits.writeCode(0, 1)
        bits.write(117 - 11, 7)  // 117 unused
        bits.writeCode(0b11, 2)  // the end, 256: two bits
        bits.writeCode(0, 1)
        bits.write(28 - 11, 7)  // 257 to 284 unused
        bits.writeCode(0b10, 2)  // length 258, 285: one bit
        bits.writeCode(0b10, 2)  // distance 1: one bit
        // The codes of this block: 285 is 0, literal 0 is 10, the end is 11.
        let repeats = (count + 257) / 258
        bits.writeCode(0b10, 2)
        bits.writeZeros(2 * repeats)
        bits.writeCode(0b11, 2)
        return (bits.bytes, repeats * 258 + 1)
    }
}

/// Bits from the lowest of each byte on; codes with their highest bit first (RFC 1951 §3.1.1).
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func write(_ value: Int, _ count: Int) {
        for bit in 0..<count {
            if self.used == 8 {
                self.bytes.append(0)
                self.used = 0
            }
            self.bytes[self.bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(self.used)
            self.used += 1
        }
    }

    /// So many bits that are 0, of which there are millions.
    mutating func writeZeros(_ count: Int) {
        let inLast = min(count, 8 - self.used)
        let more = count - inLast
        self.used += inLast
        guard more > 0 else { return }
        self.bytes += [UInt8](repeating: 0, count: (more + 7) / 8)
        self.used = more % 8 == 0 ? 8 : more % 8
    }

    mutating func writeCode(_ code: Int, _ count: Int) {
        for bit in (0..<count).reversed() { self.write(code >> bit & 1, 1) }
    }
}
