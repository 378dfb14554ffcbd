import AdMarkup
package import PlayConsole

extension FileReading {
    /// The bytes of a file with an ad, up to the limit for creatives.
    package static func document(_ path: String) throws(UsageError) -> [UInt8] {
        try self.bytes(path, upTo: HTMLLimits.standard.bytes)
    }
}
