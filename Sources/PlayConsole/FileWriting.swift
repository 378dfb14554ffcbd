import LibC

/// Writes files atomically.
package enum FileWriting {
    /// The access rights of a new file or folder.
    package enum Readers: Sendable {
        /// Only this user: traces, ledgers and reports contain requests with private data.
        case owner
        /// As the process's umask allows.
        case anyone

        fileprivate var folder: mode_t { self == .owner ? 0o700 : 0o777 }
        fileprivate var file: mode_t { self == .owner ? 0o600 : 0o666 }
    }

    /// Creates a folder and its parents.
    ///
    /// Returns an error message on failure.
    package static func makeFolder(_ path: String, for readers: Readers = .anyone) -> String? {
        guard !path.isEmpty else { return "the folder's name is empty" }
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

    /// An error message if a file can't be written, found without changing it.
    package static func failure(at path: String) -> String? {
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return "\(path) is a folder" }
            // A device or pipe can't be tested without writing to it.
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

    /// Replaces the content of a file.
    ///
    /// Returns an error message on failure.
    ///
    /// A symbolic link is kept, and its target replaced. Devices and pipes are written to and not replaced.
    package static func write(_ bytes: [UInt8], to path: String, for readers: Readers = .anyone) -> String? {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return self.writeInPlace(bytes, path) }
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

    /// Creates a file for writing, in place of an older draft.
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

    /// Writes into an existing device or pipe.
    private static func writeInPlace(_ bytes: [UInt8], _ path: String) -> String? {
        let file = fopen(path, "w")
        let isWhole = file.map { fwrite(bytes, 1, bytes.count, $0) == bytes.count } ?? false
        let reason = String(cString: strerror(errno))
        let isClosed = file.map { fclose($0) == 0 } ?? false
        guard isWhole, isClosed else {
            return "\(path) can't be written: \(isWhole ? String(cString: strerror(errno)) : reason)"
        }
        return nil
    }

    /// The target of symbolic links.
    ///
    /// The path itself if nothing exists there.
    private static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
