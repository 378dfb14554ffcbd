/// Random variation of pauses, so that clients that failed together do not retry together.
package enum Jitter {
    /// A random factor for a pause, from 0.5 to 1.
    package static func share(_ bits: UInt64) -> Double { 0.5 + Double(bits >> 11) / Double(UInt64(1) << 53) / 2 }
}
