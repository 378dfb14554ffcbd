extension AdBundle {
    /// Reads a zip file.
    ///
    /// Nothing is written to disk, and a zip inside the zip is a file like any other.
    package init(zip bytes: [UInt8], called name: String) throws(BundleError) {
        try self.init(zip: bytes, called: name, within: .standard)
    }

    /// The same with other limits.
    package init(zip bytes: [UInt8], called name: String, within limits: BundleLimits) throws(BundleError) {
        let collector: BundleCollector
        do throws(BundleError.Reason) {
            var reader = try ZipReader(bytes, called: name, limits)
            try reader.read()
            collector = reader.collector
        } catch {
            throw BundleError(name, error)
        }
        try self.init(collector, called: name)
    }

    /// The library that unpacks zip files, as it is loaded at run time: `libarchive 3.6.2`.
    package static var libraryVersion: String { ZipArchive.version }

    /// Whether a file's first bytes are those of a zip: a local header, or the end record of an empty one
    /// (APPNOTE.TXT 4.3.7, 4.3.16).
    package static func isZip(_ bytes: some Collection<UInt8>) -> Bool {
        let start = bytes.prefix(4)
        return start.elementsEqual([0x50, 0x4B, 3, 4]) || start.elementsEqual([0x50, 0x4B, 5, 6])
    }
}
