/// Keeps those who failed together from coming back together.
package enum Jitter {
    /// What is left of a pause of which a random half is taken off at most: from a half to one.
    package static func share(_ bits: UInt64) -> Double { 0.5 + Double(bits >> 11) / Double(UInt64(1) << 53) / 2 }
}
