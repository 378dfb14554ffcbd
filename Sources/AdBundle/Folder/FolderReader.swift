import LibC

/// Reads the files of a folder and of the folders in it.
struct FolderReader {
    private(set) var collector: BundleCollector
    private let root: String
    private var entries = 0
    private var limits: BundleLimits { self.collector.limits }

    init(_ root: String, _ limits: BundleLimits) {
        self.root = root
        self.collector = BundleCollector(root, limits)
    }

    mutating func read() throws(BundleError.Reason) {
        let descriptor = open(self.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno
            throw .unreadable(reason == ENOTDIR ? "it is a file, not a folder" : Self.text(reason))
        }
        defer { close(descriptor) }
        guard let names = try self.names(in: descriptor) else { throw .unreadable(Self.text(errno)) }
        try self.read(names, in: descriptor, path: "")
    }

    /// The entries of an open folder.
    ///
    /// The descriptors of the folders around it stay open; their number is bounded by that of the names in a path.
    private mutating func read(
        _ names: [[UInt8]],
        in folder: Int32,
        path parent: String
    ) throws(BundleError.Reason) {
        for bytes in names {
            let name = String(decoding: bytes, as: UTF8.self)
            let written = parent.isEmpty ? name : "\(parent)/\(name)"
            switch BundlePath.path(of: written, within: self.limits) {
            case .failure(let fault):
                self.collector.leaveOut(written, fault)
            case .success(let path):
                guard !BundlePath.isLitter(path) else { continue }
                if !name.utf8.elementsEqual(bytes) { self.collector.repair(path, .replacedBytes) }
                try self.read(bytes.map { CChar(bitPattern: $0) } + [0], in: folder, at: path)
            }
        }
    }

    private mutating func read(_ name: [CChar], in folder: Int32, at path: String) throws(BundleError.Reason) {
        // Checked before it is opened, because opening a device can have an effect.
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return self.collector.leaveOut(path, .unreadable(Self.text(errno)))
        }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else {
            return self.collector.leaveOut(path, kind == S_IFLNK ? .link : .special)
        }
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return self.collector.leaveOut(path, .unreadable(Self.text(errno))) }
        defer { close(descriptor) }
        // It may have been replaced meanwhile.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == kind else {
            return self.collector.leaveOut(path, .unreadable("it changed while the folder was read"))
        }
        if kind == S_IFREG { return try self.readFile(descriptor, at: path, stated: Int(status.st_size)) }
        guard let names = try self.names(in: descriptor) else {
            return self.collector.leaveOut(path, .unreadable(Self.text(errno)))
        }
        try self.read(names, in: descriptor, path: path)
    }

    private mutating func readFile(_ file: Int32, at path: String, stated: Int) throws(BundleError.Reason) {
        guard stated <= self.limits.file else { throw .fileTooLarge(path, stated, limit: self.limits.file) }
        guard stated <= self.collector.bytesLeft else { throw .allTooLarge(path, limit: self.limits.total) }
        guard self.collector.files[path] == nil else { return self.collector.leaveOut(path, .duplicate) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(stated)
        var chunk = [UInt8](repeating: 0, count: min(1 << 16, stated + 1))
        while true {
            let count = LibC.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return self.collector.leaveOut(path, .unreadable(Self.text(errno))) }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
            self.collector.count(count)
            // It may grow while it is read.
            guard bytes.count <= self.limits.file else { throw .fileTooLarge(path, nil, limit: self.limits.file) }
            guard self.collector.bytesLeft >= 0 else { throw .allTooLarge(path, limit: self.limits.total) }
        }
        self.collector.add(bytes, at: path)
    }

    /// The sorted names in an open folder, without hidden ones; nil if they can't be read, with the reason in `errno`.
    private mutating func names(in folder: Int32) throws(BundleError.Reason) -> [[UInt8]]? {
        // The list closes its descriptor.
        let descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let list = fdopendir(descriptor) else {
            let reason = errno
            close(descriptor)
            errno = reason
            return nil
        }
        defer { closedir(list) }
        var names: [[UInt8]] = []
        while true {
            // Only `errno` distinguishes the end from an error (POSIX, "readdir").
            errno = 0
            guard let entry = readdir(list) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
            guard name.first != UInt8(ascii: ".") else { continue }
            self.entries += 1
            guard self.entries <= self.limits.entries else { throw .tooMany(nil, limit: self.limits.entries) }
            names.append(name)
        }
        guard errno == 0 else { return nil }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func text(_ reason: Int32) -> String { String(cString: strerror(reason)) }
}
