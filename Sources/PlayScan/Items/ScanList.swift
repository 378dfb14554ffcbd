import AdCore
import AdMarkup
import LibC
import PlayConsole

/// The creatives that a command line names, one after the other: files, folders, lists and URLs are read as they are
/// reached.
///
/// A folder with an `index.html` is one creative, and otherwise each file and folder in it. A list has a path or URL in
/// each line (`.txt`, `.list`), or a JSON object (`.jsonl`, `.ndjson`).
package final class ScanList {
    /// Why a source can't be read.
    package struct Failure: Error, Hashable, Sendable {
        package let message: String
    }

    /// What is still to be read, the next one last.
    private enum Pending {
        case source(String)
        /// A folder that is no creative itself.
        case folder(String, depth: Int)
        case list(LineReader, String, isJSON: Bool)
        case item(ScanItem)
    }

    private var pending: [Pending]
    /// The checksums of the ids so far.
    private var ids: Set<UInt64> = []
    /// The last numbers of ids that occur several times, by their checksums.
    private var numbers: [UInt64: Int] = [:]
    /// The endings of files in folders that are creatives.
    static let endings: Set<String> = ["html", "htm", "xml", "vast", "vmap", "zip"]
    /// How deep folders are searched.
    private static let maxDepth = 64
    /// The greatest size of a creative on standard input.
    private static let maxInput = 64 << 20

    package init(_ sources: [String]) { self.pending = sources.reversed().map(Pending.source) }

    /// The number of creatives; nil if one of the sources is the standard input.
    package static func count(_ sources: [String]) throws(Failure) -> Int? {
        guard !sources.contains("-") else { return nil }
        let list = ScanList(sources)
        var count = 0
        while try list.next() != nil { count += 1 }
        return count
    }

    /// The next creative; nil after the last one.
    package func next() throws(Failure) -> ScanItem? {
        while let last = self.pending.popLast() {
            switch last {
            case .item(let item): return self.unique(item)
            case .source(let text): try self.open(text)
            case .folder(let path, let depth): try self.expand(path, depth: depth)
            case .list(let reader, let name, let isJSON):
                guard let line = reader.next() else { continue }
                self.pending.append(last)
                if let item = self.item(line, at: "\(name):\(reader.number)", isJSON: isJSON) {
                    return self.unique(item)
                }
            }
        }
        return nil
    }

    /// The item with an id of its own.
    private func unique(_ item: ScanItem) -> ScanItem {
        let base = Checksum.of(item.id)
        if self.ids.insert(base).inserted { return item }
        var unique = item
        var number = self.numbers[base] ?? 1
        repeat {
            number += 1
            unique.id = "\(item.id)~\(number)"
        } while !self.ids.insert(Checksum.of(unique.id)).inserted
        self.numbers[base] = number
        return unique
    }

    // MARK: Sources

    private func open(_ text: String) throws(Failure) {
        if text == "-" { return self.openStandardInput() }
        if text.contains("://") {
            return self.pending.append(.item(Self.item(url: text)))
        }
        guard let isFolder = Self.isFolder(text) else {
            throw Failure(message: "\(text) can't be read: \(String(cString: strerror(errno)))")
        }
        if isFolder {
            guard !Self.isBundle(text) else { return self.pending.append(.item(Self.item(text))) }
            let before = self.pending.count
            try self.expand(text)
            guard self.pending.count > before else {
                let endings = Self.endings.sorted().map { ".\($0)" }.joined(separator: ", ")
                throw Failure(message: "\(text) has no creatives; files end in \(endings)")
            }
            return
        }
        switch Self.ending(of: text) {
        case "jsonl", "ndjson": try self.openList(text, isJSON: true)
        case "txt", "list":
            if Self.isMarkup(text) {
                self.pending.append(.item(Self.item(text)))
            } else {
                try self.openList(text, isJSON: false)
            }
        default: self.pending.append(.item(Self.item(text)))
        }
    }

    private func openList(_ path: String, isJSON: Bool) throws(Failure) {
        guard let reader = LineReader(path) else {
            throw Failure(message: "\(path) can't be read: \(String(cString: strerror(errno)))")
        }
        self.pending.append(.list(reader, path, isJSON: isJSON))
    }

    /// A creative, or a list of JSON objects, paths and URLs: its beginning decides.
    private func openStandardInput() {
        guard let reader = LineReader("-") else { return }
        let name = "standard input"
        let isZip = reader.begins(with: [0x50, 0x4B, 0x03, 0x04])
        guard isZip || reader.firstByte == UInt8(ascii: "<") else {
            return self.pending.append(.list(reader, name, isJSON: reader.firstByte == UInt8(ascii: "{")))
        }
        let limit = ScanList.maxInput
        guard let bytes = reader.all(upTo: limit) else {
            let reason = "\(name) is larger than \(Quantity.bytes(limit)); put the creatives into files"
            return self.pending.append(.item(ScanItem(name, .invalid(reason), from: name)))
        }
        self.pending.append(.item(ScanItem(name, .markup(bytes), from: name)))
    }

    // MARK: Folders

    private func expand(_ path: String, depth: Int = 0) throws(Failure) {
        guard depth < ScanList.maxDepth else {
            return self.pending.append(
                .item(ScanItem(path, .invalid("\(path) is more than \(ScanList.maxDepth) folders deep"), from: path))
            )
        }
        guard let folder = opendir(path) else {
            let reason = "\(path) can't be read: \(String(cString: strerror(errno)))"
            if depth == 0 { throw Failure(message: reason) }
            return self.pending.append(.item(ScanItem(path, .invalid(reason), from: path)))
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        let base = path.hasSuffix("/") ? path : path + "/"
        for name in names.sorted().reversed() {
            let child = base + name
            guard let isFolder = Self.isFolder(child, followsLinks: false) else { continue }
            if isFolder {
                self.pending.append(Self.isBundle(child) ? .item(Self.item(child)) : .folder(child, depth: depth + 1))
            } else if Self.endings.contains(Self.ending(of: name)) {
                self.pending.append(.item(Self.item(child)))
            }
        }
    }

    private static func item(_ path: String) -> ScanItem { ScanItem(path, .path(path), from: path) }

    /// The tag of a URL; where its secrets are hidden, a checksum tells it from similar ones, and its line in a list where
    /// it is.
    private static func item(url text: String, at place: String? = nil) -> ScanItem {
        let shown = Redaction.address(text)
        guard shown != text else { return ScanItem(text, .url(text), from: text) }
        let id = "\(shown)~\(String(Checksum.of(text), radix: 16))"
        return ScanItem(id, .url(text), from: place ?? shown)
    }

    /// Whether a path leads to a folder; nil if nothing is there that can be scanned: no file and no folder, or a link that
    /// is not followed.
    private static func isFolder(_ path: String, followsLinks: Bool = true) -> Bool? {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return true
        // A link in a folder may lead to a circle.
        case S_IFLNK: return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? false : nil
        case S_IFREG: return false
        default:
            errno = EINVAL
            return nil
        }
    }

    private static func isBundle(_ folder: String) -> Bool {
        ["index.html", "index.htm"].contains { access("\(folder)/\($0)", F_OK) == 0 }
    }

    private static func ending(of path: String) -> String {
        let name = path.split(separator: "/").last ?? path[...]
        return name.contains(".") ? name.split(separator: ".").last.map { String($0).asciiLowercased } ?? "" : ""
    }

    /// Whether a text file is a tag and no list.
    private static func isMarkup(_ path: String) -> Bool {
        guard let reader = LineReader(path, limit: 1 << 16) else { return false }
        while let line = reader.next() {
            guard case .text(let bytes) = line else { return true }
            if let first = bytes.first(where: { !$0.isWhiteSpace }) { return first == UInt8(ascii: "<") }
        }
        return false
    }

    // MARK: Lines

    /// The creative in a line; nil for an empty line or a comment.
    private func item(_ line: LineReader.Line, at place: String, isJSON: Bool) -> ScanItem? {
        guard case .text(let bytes) = line else {
            return ScanItem(place, .invalid("\(place) is too long; put the markup into a file"), from: place)
        }
        guard bytes.contains(where: { !$0.isWhiteSpace }) else { return nil }
        guard isJSON else {
            let text = String(decoding: bytes, as: UTF8.self).trimmed
            if text.hasPrefix("#") { return nil }
            return text.contains("://") ? Self.item(url: text, at: place) : Self.item(text).checked(at: place)
        }
        do throws(AdJSON.ParseError) {
            return ScanItem(line: try AdJSON.reading(bytes).json, at: place).checked(at: place)
        } catch {
            return ScanItem(place, .invalid("\(place) is no JSON: \(error)"), from: place)
        }
    }
}

extension ScanItem {
    /// The item of a list, or what is wrong with its path or URL: standard input, a device or a pipe would never end.
    fileprivate func checked(at place: String) -> ScanItem {
        switch self.content {
        case .url(let text) where !text.contains("://"):
            return ScanItem(
                self.id,
                .invalid("\(place): \(text.excerpt(60)) is no URL; begin it with https://"),
                from: place
            )
        case .path(let path):
            var status = stat()
            let isThere = path != "-" && stat(path, &status) == 0
            // What is missing is told when it is read.
            guard path == "-" || isThere && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return self }
            return ScanItem(self.id, .invalid("\(place): \(path.excerpt(200)) is no file and no folder"), from: place)
        default: return self
        }
    }

    /// The checksum of its content, by which a changed creative is scanned again.
    package var digest: String {
        switch self.content {
        case .url(let text), .invalid(let text): return self.hex(Checksum.of(text))
        case .markup(let bytes): return self.hex(Checksum.of(bytes))
        case .path(let path): return self.hex(Self.digest(ofFile: path))
        }
    }

    /// The checksum with that of what else the list says about the creative.
    private func hex(_ number: UInt64) -> String {
        let size = self.size.map { "\($0.width)x\($0.height)" } ?? ""
        return String(Checksum.of("\(self.format?.rawValue ?? "") \(size)".utf8, after: number), radix: 16)
    }

    private static func digest(ofFile path: String) -> UInt64 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            guard let file = fopen(path, "r") else { return 0 }
            defer { fclose(file) }
            var (hash, chunk) = (Checksum.start, [UInt8](repeating: 0, count: 1 << 16))
            while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
                hash = Checksum.of(chunk[..<count], after: hash)
            }
            return hash
        }
        // Of a bundle, the names, sizes and times of its files.
        var hash = Checksum.start
        var folders = [path]
        while let folder = folders.popLast(), folders.count < 1_000 {
            guard let entries = opendir(folder) else { continue }
            defer { closedir(entries) }
            var lines: [String] = []
            while let entry = readdir(entries) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard name != ".", name != "..", lstat("\(folder)/\(name)", &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR { folders.append("\(folder)/\(name)") }
                lines.append("\(name) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
            }
            hash = Checksum.of(Array(lines.sorted().joined(separator: "\n").utf8), after: hash)
        }
        return hash
    }
}
