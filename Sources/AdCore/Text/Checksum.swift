/// The FNV-1a hash with 64 bits; it is not cryptographic.
package enum Checksum {
    /// The hash of nothing.
    package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of a text's UTF-8, the same in every process.
    package static func of(_ text: String) -> UInt64 { self.of(text.utf8) }

    /// The hash of bytes that follow others with a known hash.
    package static func of(_ bytes: some Sequence<UInt8>, after hash: UInt64 = start) -> UInt64 {
        bytes.reduce(hash) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
