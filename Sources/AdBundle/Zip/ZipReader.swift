/// Reads the files of a zip: chooses by its list what to unpack, and unpacks that within the limits.
struct ZipReader {
    private(set) var collector: BundleCollector
    private let zip: ZipBytes
    private let entries: [ZipEntry]
    /// The entries as libarchive finds them: by their local headers, of several at one place the first.
    private var order: [Int] = []
    /// The paths of the entries to unpack, by their place in the list.
    private var wanted: [Int: String] = [:]
    private var damaged = 0
    private var limits: BundleLimits { self.collector.limits }

    init(_ bytes: [UInt8], called name: String, _ limits: BundleLimits) throws(BundleError.Reason) {
        self.collector = BundleCollector(name, limits)
        guard bytes.count <= limits.total else { throw .zipTooLarge(bytes.count, limit: limits.total) }
        guard AdBundle.isZip(bytes) else { throw .notZip }
        self.zip = ZipBytes(bytes: bytes)
        // An empty zip is its end record only, which libarchive does not accept.
        self.entries = bytes[3] == 6 ? [] : try ZipList(self.zip, within: limits).entries
        self.choose()
    }

    /// Chooses what to unpack, in the order of the list.
    private mutating func choose() {
        var places: Set<Int> = []
        var paths: Set<String> = []
        for (number, entry) in self.entries.enumerated() {
            let isFirst = places.insert(entry.offset).inserted
            if isFirst { self.order.append(number) }
            // A folder is there when a file is in it.
            guard !entry.isFolder else { continue }
            let (name, spelling) = entry.text
            switch BundlePath.path(of: name, within: self.limits) {
            case .failure(let fault):
                self.collector.leaveOut(name, fault)
            case .success(let path):
                guard !BundlePath.isLitter(path) else { continue }
                if let fault = isFirst ? self.fault(of: entry) : .sharedData {
                    self.collector.leaveOut(path, fault)
                } else if !paths.insert(path).inserted {
                    self.collector.leaveOut(path, .duplicate)
                } else {
                    if let spelling { self.collector.repair(path, spelling) }
                    self.wanted[number] = path
                }
            }
        }
        self.order.sort { self.entries[$0].offset < self.entries[$1].offset }
    }

    private func fault(of entry: ZipEntry) -> EntryFault? {
        if let fault = entry.specialFault { return fault }
        if entry.isEncrypted { return .encrypted }
        guard entry.method == 0 || entry.method == 8 else { return .method(entry.method) }
        return entry.packed > self.zip.count - entry.dataStart ? .pastEnd : nil
    }

    /// Unpacks what was chosen.
    mutating func read() throws(BundleError.Reason) {
        let bytes = self.zip.bytes
        var error: BundleError.Reason?
        bytes.withUnsafeBytes { buffer in
            do throws(BundleError.Reason) { try self.read(buffer) } catch let reason { error = reason }
        }
        if let error { throw error }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(BundleError.Reason) {
        guard let last = self.order.lastIndex(where: { self.wanted[$0] != nil }) else { return }
        var archive = try self.open(bytes, after: 0)
        for (position, number) in self.order[...last].enumerated() {
            let header = archive.advance()
            if case .stopped(let text) = header { throw .damaged(text) }
            guard let path = self.wanted[number] else { continue }
            if case .failed(let text) = header {
                self.collector.leaveOut(path, .broken(text))
                continue
            }
            let isUsable = try self.unpack(self.entries[number], at: path, from: archive)
            if !isUsable, position < last { archive = try self.open(bytes, after: position + 1) }
        }
    }

    /// Opens the zip, and goes past so many entries: libarchive reads nothing more after an entry that is damaged.
    private func open(_ bytes: UnsafeRawBufferPointer, after count: Int) throws(BundleError.Reason) -> ZipArchive {
        guard let archive = ZipArchive(bytes) else { throw .damaged("it can't be read as a zip file") }
        for _ in 0..<count {
            if case .stopped(let text) = archive.advance() { throw .damaged(text) }
        }
        return archive
    }

    /// Unpacks an entry; false if the archive can't be used after it.
    private mutating func unpack(
        _ entry: ZipEntry,
        at path: String,
        from archive: borrowing ZipArchive
    ) throws(BundleError.Reason) -> Bool {
        // Our list and libarchive's reading of it must agree on which entry this is.
        guard archive.place == entry.dataStart else {
            throw .damaged("\(BundleText.shown(path)) is not where its list of files says")
        }
        var file = UnpackedFile(path, entry, self.collector)
        let outcome = try archive.unpack { (part) throws(BundleError.Reason) in try file.append(part) }
        if !file.isLonger { try file.finish(packed: archive.place - entry.dataStart) }
        self.collector.count(file.unpacked)
        let fault: EntryFault
        switch outcome {
        case .done where file.bytes.count == entry.size && !file.isLonger:
            self.collector.add(file.bytes, at: path)
            return true
        case .done: fault = .size(stated: entry.size, found: file.isLonger ? nil : file.bytes.count)
        // A wrong size or checksum is a warning in libarchive 3.6, and a failure in 3.8.
        case .warned(let text), .failed(let text), .stopped(let text): fault = .broken(text)
        }
        self.damaged += 1
        guard self.damaged <= self.limits.damaged else {
            throw .damaged("more than \(self.limits.damaged) of its entries can't be unpacked")
        }
        self.collector.leaveOut(path, fault)
        if case .stopped = outcome { return false }
        return true
    }
}
