import LibC

/// Writes files, whole or not at all as far as anybody sees.
package enum FileWriting {
    /// The access rights of a new file or folder.
    package enum Readers: Sendable {
        /// This user alone: it holds what an ad's servers were asked, as a trace and a ledger do.
        case owner
        /// As the process's mask (umask) allows.
        case anyone

        fileprivate var folder: mode_t { self == .owner ? 0o700 : 0o777 }
        fileprivate var file: mode_t { self == .owner ? 0o600 : 0o666 }
    }

    /// Makes a folder with all that lie above it; says why not where that can't be.
    package static func makeFolder(_ path: String, for readers: Readers = .anyone) -> String? {
        guard !path.isEmpty else { return "a folder has a name" }
        var end = path.startIndex
        while end != path.endIndex {
            let rest = path[path.index(after: end)...]
            end = rest.firstIndex(of: "/") ?? path.endIndex
            let part = String(path[..<end])
            if mkdir(part, readers.folder) == 0 || errno == EEXIST { continue }
            return "\(part) can't be made: \(String(cString: strerror(errno)))"
        }
        var status = stat()
        let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        return isFolder ? nil : "\(path) is a file"
    }

    /// Why nothing can be written to a file, found out without changing it; nil where it can be.
    package static func trouble(at path: String) -> String? {
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return "\(path) is a folder" }
            // What is no file can't be tried without writing to it.
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        }
        let draft = self.target(of: path) + ".part"
        guard let file = fopen(draft, "w") else {
            return "\(path) can't be written: \(String(cString: strerror(errno)))"
        }
        fclose(file)
        unlink(draft)
        return nil
    }

    /// Writes bytes in the place of what is there; says why not where that can't be.
    ///
    /// A link stays one, and what it leads to is written; what is no file, as a device, is written to and not replaced.
    package static func write(_ bytes: [UInt8], to path: String, for readers: Readers = .anyone) -> String? {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return self.pour(bytes, into: path) }
        let target = self.target(of: path)
        let draft = target + ".part"
        guard let file = self.create(draft, for: readers) else {
            return "\(path) can't be written: \(String(cString: strerror(errno)))"
        }
        let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
        let isClosed = fclose(file) == 0
        guard isWhole, isClosed, rename(draft, target) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            return "\(path) can't be written: \(reason)"
        }
        return nil
    }

    /// Opens a new file for writing, in the place of whatever was left at its name.
    private static func create(_ path: String, for readers: Readers) -> UnsafeMutablePointer<FILE>? {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readers.file)
        guard descriptor >= 0 else { return nil }
        guard let file = fdopen(descriptor, "w") else {
            close(descriptor)
            return nil
        }
        return file
    }

    /// Writes bytes into what is there already.
    private static func pour(_ bytes: [UInt8], into path: String) -> String? {
        let file = fopen(path, "w")
        let isWhole = file.map { fwrite(bytes, 1, bytes.count, $0) == bytes.count } ?? false
        let reason = String(cString: strerror(errno))
        let isClosed = file.map { fclose($0) == 0 } ?? false
        guard isWhole, isClosed else {
            return "\(path) can't be written: \(isWhole ? String(cString: strerror(errno)) : reason)"
        }
        return nil
    }

    /// What a name leads to; the name itself where nothing is there.
    private static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
