import LibC

/// A browser's profile folder, which is removed after the browser has ended.
///
/// A file lock marks a folder in use. The lock ends with the process that holds it, so a later process can remove the
/// folders of killed ones.
package final class ProfileFolder: Sendable {
    /// The name prefix of locked folders.
    private static let prefix = "yabbi-stage-"
    /// The name prefix of folders that are not locked yet.
    private static let unlocked = "yabbi-newstage-"

    package let path: String
    private let lock: Int32
    /// The identifier of the user `nobody`, as whom browsers run that refuse to run as root.
    package static let nobody: UInt32 = 65_534

    /// The folder in which profile folders are created.
    package static func parent(_ environment: [String: String]) -> String {
        environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Creates and locks a folder; nil if that fails.
    ///
    /// - Parameters:
    ///   - parent: The folder in which it is created.
    ///   - owner: The user that owns it; nil for the user of this process.
    package init?(in parent: String, owner: UInt32? = nil) {
        var template = Array("\(parent)/\(ProfileFolder.unlocked)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let first = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let lock = open(first, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        // It is locked before it gets the name that `removeLeftovers` searches for.
        let name = ProfileFolder.prefix + first.suffix(6)
        let path = "\(parent)/\(name)"
        let isOwned = owner.map { fchown(lock, $0, $0) == 0 } ?? true
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, isOwned, rename(first, path) == 0 else {
            if lock >= 0 { close(lock) }
            rmdir(first)
            return nil
        }
        self.path = path
        self.lock = lock
    }

    deinit { close(self.lock) }

    /// Copies a small file into the folder, readable only for its owner.
    package func copy(_ path: String, to copy: String, owner: UInt32?) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return }
        defer { close(source) }
        let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else { return }
        defer { close(target) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(source, &bytes, bytes.count)
        guard count > 0, write(target, bytes, count) == count else { return }
        if let owner { _ = fchown(target, owner, owner) }
    }

    /// Removes the folder and its contents.
    package func remove() {
        ProfileFolder.empty(self.lock, depth: 0)
        rmdir(self.path)
    }

    /// Removes the folders of killed browsers: unlocked ones with the prefix that belong to this user or to `nobody`.
    ///
    /// - Returns: The number of removed folders.
    @discardableResult
    package static func removeLeftovers(_ parent: String) -> Int {
        guard let folder = opendir(parent) else { return 0 }
        defer { closedir(folder) }
        let here = dirfd(folder)
        var count = 0
        for name in self.names(folder) {
            if name.hasPrefix(self.unlocked) { self.removeOld(name, in: here) }
            guard name.hasPrefix(self.prefix) else { continue }
            let file = openat(here, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0, [geteuid(), ProfileFolder.nobody].contains(status.st_uid),
                flock(file, LOCK_EX | LOCK_NB) == 0
            else { continue }
            self.empty(file, depth: 0)
            if unlinkat(here, name, Int32(AT_REMOVEDIR)) == 0 { count += 1 }
        }
        return count
    }

    /// The folders that `removeLeftovers` would remove.
    package static func leftovers(in parent: String) -> [String] {
        guard let folder = opendir(parent) else { return [] }
        defer { closedir(folder) }
        let here = dirfd(folder)
        return self.names(folder).filter { name in
            guard name.hasPrefix(self.prefix) else { return false }
            let file = openat(here, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard file >= 0 else { return false }
            // Closing the file releases the lock.
            defer { close(file) }
            return flock(file, LOCK_EX | LOCK_NB) == 0
        }.sorted().map { "\(parent)/\($0)" }
    }

    /// Removes a folder whose process was killed before it was locked: an empty one that is older than a minute.
    private static func removeOld(_ name: String, in parent: Int32) {
        var status = stat()
        guard fstatat(parent, name, &status, Int32(AT_SYMLINK_NOFOLLOW)) == 0,
            [geteuid(), ProfileFolder.nobody].contains(status.st_uid)
        else { return }
        #if canImport(Darwin)
            let age = time(nil) - status.st_mtimespec.tv_sec
        #else
            let age = time(nil) - status.st_mtim.tv_sec
        #endif
        if age > 60 { unlinkat(parent, name, Int32(AT_REMOVEDIR)) }
    }

    /// Removes the contents of a folder, without following symbolic links.
    private static func empty(_ file: Int32, depth: Int) {
        // Each level keeps two files open; no browser nests that deep.
        guard depth < 64 else { return }
        let copy = openat(file, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return }
        guard let folder = fdopendir(copy) else {
            close(copy)
            return
        }
        defer { closedir(folder) }
        for name in self.names(folder) where name != "." && name != ".." {
            if unlinkat(file, name, 0) == 0 { continue }
            let inner = openat(file, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard inner >= 0 else { continue }
            self.empty(inner, depth: depth + 1)
            close(inner)
            unlinkat(file, name, Int32(AT_REMOVEDIR))
        }
    }

    private static func names(_ folder: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                        String(cString: $0)
                    }
                }
            )
        }
        return names
    }
}
