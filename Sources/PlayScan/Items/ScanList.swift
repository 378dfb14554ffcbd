import AdCore
import AdMarkup
import LibC

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
        case folder(String)
        case list(LineReader, String, isJSON: Bool)
        case item(ScanItem)
    }

    private var pending: [Pending]
    private var ids: [String: Int] = [:]
    /// The endings of files in folders that are creatives.
    static let endings: Set<String> = ["html", "htm", "xml", "vast", "vmap", "zip"]
    /// How deep folders are searched.
    private static let maxDepth = 32

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
            case .folder(let path): try self.expand(path)
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
        let count = self.ids[item.id, default: 0] + 1
        self.ids[item.id] = count
        guard count > 1 else { return item }
        var item = item
        item.id += " #\(count)"
        return item
    }

    // MARK: Sources

    private func open(_ text: String) throws(Failure) {
        if text == "-" { return self.openStandardInput() }
        if text.contains("://") {
            self.pending.append(.item(ScanItem(Redaction.address(text), .url(text), from: Redaction.address(text))))
            return
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

    /// A tag, or a list of JSON objects, paths and URLs: its first line decides.
    private func openStandardInput() {
        guard let reader = LineReader("-") else { return }
        var first: [UInt8] = []
        while first.allSatisfy(\.isWhiteSpace), case .text(let line)? = reader.next() { first = line }
        let start = first.first { !$0.isWhiteSpace }
        let name = "standard input"
        if start == UInt8(ascii: "<") || first.starts(with: [0x50, 0x4B]) {
            var bytes = first
            while case .text(let line)? = reader.next() { bytes += [0x0A] + line }
            self.pending.append(.item(ScanItem(name, .markup(bytes), from: name)))
            return
        }
        let isJSON = start == UInt8(ascii: "{")
        self.pending.append(.list(reader, name, isJSON: isJSON))
        if let item = self.item(.text(first), at: "\(name):\(reader.number)", isJSON: isJSON) {
            self.pending.append(.item(item))
        }
    }

    // MARK: Folders

    private func expand(_ path: String) throws(Failure) {
        guard path.split(separator: "/").count < 200, let folder = opendir(path) else {
            throw Failure(message: "\(path) can't be read: \(String(cString: strerror(errno)))")
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
                self.pending.append(Self.isBundle(child) ? .item(Self.item(child)) : .folder(child))
            } else if Self.endings.contains(Self.ending(of: name)) {
                self.pending.append(.item(Self.item(child)))
            }
        }
    }

    private static func item(_ path: String) -> ScanItem { ScanItem(path, .path(path), from: path) }

    /// Whether a path leads to a folder; nil if nothing is there, or if it is a link that is not followed.
    private static func isFolder(_ path: String, followsLinks: Bool = true) -> Bool? {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return true
        // A link in a folder may lead to a circle.
        case S_IFLNK: return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? false : nil
        default: return false
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
            let isURL = text.contains("://")
            return isURL
                ? ScanItem(Redaction.address(text), .url(text), from: Redaction.address(text)) : Self.item(text)
        }
        do throws(AdJSON.ParseError) {
            return ScanItem(line: try AdJSON.reading(bytes).json, at: place)
        } catch {
            return ScanItem(place, .invalid("\(place) is no JSON: \(error)"), from: place)
        }
    }
}

extension ScanItem {
    /// The checksum of its content, by which a changed creative is scanned again.
    package var digest: String {
        switch self.content {
        case .url(let text): return Self.hex(Checksum.of(text))
        case .invalid(let text): return Self.hex(Checksum.of(text))
        case .markup(let bytes): return Self.hex(Checksum.of(bytes))
        case .path(let path): return Self.hex(Self.digest(ofFile: path))
        }
    }

    private static func hex(_ number: UInt64) -> String { String(number, radix: 16) }

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
