/// The FNV-1a hash with 64 bits; it is not cryptographic.
package enum Checksum {
    /// The hash of a text's UTF-8, the same in every process.
    package static func of(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
