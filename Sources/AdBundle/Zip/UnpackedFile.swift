/// A file that is being unpacked: refuses more bytes than allowed as soon as they come.
///
/// Sizes in the zip can be wrong. A file that is larger than stated ends there, and the limits are compared with the
/// bytes that were really read and unpacked.
struct UnpackedFile {
    private(set) var bytes: [UInt8] = []
    /// Whether there were more bytes than the zip states; the others were not unpacked.
    private(set) var isLonger = false
    /// The bytes that came out, also those that are not in ``bytes``.
    private(set) var unpacked = 0
    private let path: String
    private let limits: BundleLimits
    /// The bytes that may still be unpacked in all.
    private let bytesLeft: Int
    private let entry: ZipEntry

    init(_ path: String, _ entry: ZipEntry, _ collector: BundleCollector) {
        self.path = path
        self.limits = collector.limits
        self.bytesLeft = collector.bytesLeft
        self.entry = entry
        // Not the stated size: a small zip can state any.
        self.bytes.reserveCapacity(min(entry.size, entry.packed * 8, 1 << 20))
    }

    /// Adds what came out next; false if it is more than there should be.
    mutating func append(_ part: UnsafeRawBufferPointer) throws(BundleError.Reason) -> Bool {
        self.unpacked += part.count
        // Newer versions of libarchive end here by themselves.
        guard self.unpacked <= self.entry.size else {
            self.isLonger = true
            return false
        }
        let limit = self.limits.file
        guard self.unpacked <= limit else { throw .fileTooLarge(self.path, self.entry.size, limit: limit) }
        guard self.unpacked <= self.bytesLeft else { throw .allTooLarge(self.path, limit: self.limits.total) }
        // No more goes in than the whole entry, which is a part of the zip.
        try self.checkRatio(packed: self.entry.packed)
        self.bytes.append(contentsOf: part)
        return true
    }

    /// Compares with the packed bytes that were really used; of a stored file they are the same.
    func finish(packed: Int) throws(BundleError.Reason) {
        if self.entry.method != 0 { try self.checkRatio(packed: packed) }
    }

    private func checkRatio(packed: Int) throws(BundleError.Reason) {
        guard self.unpacked > self.limits.ratioFrom, self.unpacked > self.limits.ratio * packed else { return }
        throw .tooDense(self.path, packed: packed, limit: self.limits.ratio)
    }
}
