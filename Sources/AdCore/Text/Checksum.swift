/// A sum by which texts stay apart that are to be told apart, but not kept (FNV-1a); it protects nothing.
package enum Checksum {
    /// The sum of a text's bytes, the same in every process.
    package static func of(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
