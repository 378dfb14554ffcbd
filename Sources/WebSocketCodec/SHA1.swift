/// SHA-1 (FIPS 180-4), which the handshake requires (RFC 6455 §1.3); not used for security.
enum SHA1 {
    /// The digest of a message, 20 bytes.
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(message.count * 8) >> (56 - 8 * $0)) }
        for start in stride(from: 0, to: padded.count, by: 64) { self.process(padded[start..<start + 64], into: &hash) }
        return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private static func process(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(
                self.rotateLeft(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
            )
        }
        var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
        for (index, word) in words.enumerated() {
            let (choice, constant): (UInt32, UInt32) =
                switch index {
                case 0..<20: (b & c | ~b & d, 0x5A82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = self.rotateLeft(a, 5) &+ choice &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, self.rotateLeft(b, 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { hash[index] &+= value }
    }

    private static func rotateLeft(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
