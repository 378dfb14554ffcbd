import AdMarkup
package import PlayConsole

extension FileReading {
    /// The bytes of a file that may be an ad.
    package static func document(_ path: String) throws(UsageError) -> [UInt8] {
        try self.bytes(path, upTo: HTMLLimits.standard.bytes, "no ad may be; give a smaller file")
    }
}
