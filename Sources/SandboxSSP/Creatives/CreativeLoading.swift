import AdCore
import LibC

extension CreativeCatalogue {
    private static let maxCreatives = 1000
    private static let maxFileSize = 32 << 20
    private static let maxTotalSize = 256 << 20

    /// Reads the `manifest.json` of a folder and the files that it lists.
    ///
    /// Only those files are served. They are read once and served from memory.
    package static func load(directory: String) throws(SandboxError) -> CreativeCatalogue {
        let manifest = directory + "/manifest.json"
        let bytes = try self.file(manifest, in: directory, atMost: 1 << 20)
        var files: [String: [UInt8]] = [:]
        var sum = 0
        func read(_ name: String, listedAt path: String) throws(SandboxError) -> [UInt8] {
            guard self.isInside(name) else {
                throw SandboxError(
                    "\(manifest): \(path) is \"\(name)\"; use a path inside the folder, without .."
                )
            }
            if let known = files[name] { return known }
            let bytes = try self.file(
                directory + "/" + name,
                in: directory,
                atMost: min(self.maxFileSize, self.maxTotalSize - sum)
            )
            sum += bytes.count
            files[name] = bytes
            return bytes
        }
        var creatives: [CreativeEntry] = []
        for (index, description) in try self.descriptions(bytes, in: manifest).enumerated() {
            let markup = try read(description.file, listedAt: "creatives[\(index)].file")
            let text = String(decoding: markup, as: UTF8.self)
            guard text.utf8.elementsEqual(markup) else {
                throw SandboxError("\(directory)/\(description.file) is not UTF-8; save it as UTF-8")
            }
            for asset in description.assets { _ = try read(asset, listedAt: "creatives[\(index)].assets") }
            var creative = description.creative
            creative.markup = text
            creatives.append(creative)
        }
        return try CreativeCatalogue(creatives, files: files)
    }

    private struct Description {
        let creative: CreativeEntry
        let file: String
        let assets: [String]
    }

    private static func descriptions(_ bytes: [UInt8], in manifest: String) throws(SandboxError) -> [Description] {
        do throws(FieldError) {
            let fields = try Fields(parsing: bytes)
            _ = try fields.integer("version", in: 1...1)
            var descriptions: [Description] = []
            for (index, element) in try fields.array("creatives", atMost: self.maxCreatives).enumerated() {
                descriptions.append(try self.description(Fields(element, at: "creatives[\(index)]")))
            }
            return descriptions
        } catch {
            throw SandboxError("\(manifest): \(error.message)")
        }
    }

    private static func description(_ fields: Fields) throws(FieldError) -> Description {
        let type = try fields.integer("type", in: 1...3)
        guard let kind = CreativeEntry.Kind(rawValue: type) else { throw fields.error("type", "must be 1, 2 or 3") }
        let format = try fields.text("format")
        guard let format = CreativeEntry.Format(rawValue: format) else {
            let known = CreativeEntry.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.error("format", "is unknown: \"\(format)\"; allowed: \(known)")
        }
        var tags: Set<CreativeEntry.Tag> = []
        for name in try self.texts("tags", of: fields) {
            guard let tag = CreativeEntry.Tag(rawValue: name) else {
                let known = CreativeEntry.Tag.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.error("tags", "has the unknown tag \"\(name)\"; allowed: \(known)")
            }
            tags.insert(tag)
        }
        let creative = CreativeEntry(
            name: try fields.text("name"),
            kind: kind,
            format: format,
            markup: "",
            width: try fields.integer("width", in: 0...100_000),
            height: try fields.integer("height", in: 0...100_000),
            closeDelay: try fields.integer("closeTimeout", in: 0...3_600_000),
            title: try fields.text("title"),
            about: try fields.text("about", mayBeEmpty: true),
            tags: tags
        )
        let assets = try self.texts("assets", of: fields)
        return Description(creative: creative, file: try fields.text("file"), assets: assets)
    }

    /// An optional array of strings.
    private static func texts(_ name: String, of fields: Fields) throws(FieldError) -> [String] {
        guard fields[name] != nil else { return [] }
        var texts: [String] = []
        for element in try fields.array(name, atMost: 1000) {
            guard let text = element.string else { throw fields.error(name, "must be strings, not \(element.kind)") }
            texts.append(text)
        }
        return texts
    }

    /// Whether a relative path stays inside its folder.
    static func isInside(_ path: String) -> Bool {
        !path.utf8.contains(0)
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !["", ".", ".."].contains($0)
            }
    }

    /// A path with all links resolved; nil on an error, with the reason in `errno`.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The bytes of a file inside a folder; a link to another file there is followed, one out of it is an error.
    private static func file(_ path: String, in directory: String, atMost limit: Int) throws(SandboxError) -> [UInt8] {
        func failed(_ reason: Int32) -> SandboxError {
            SandboxError("can't read \(path): \(String(cString: strerror(reason)))")
        }
        guard let folder = self.resolved(directory), let target = self.resolved(path) else { throw failed(errno) }
        guard folder == "/" || target.utf8.starts(with: (folder + "/").utf8) else {
            throw SandboxError("\(path) is a link out of the folder; copy the file into the folder")
        }
        // O_NONBLOCK: opening a pipe without a writer would block. O_NOFOLLOW: the file may have been replaced
        // by a link after it was resolved.
        let descriptor = open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failed(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SandboxError("\(path) is not a file") }
        guard status.st_size <= limit else { throw SandboxError("\(path) is larger than \(limit) bytes") }

        // One byte more than the size: when it is filled, the file has grown since.
        let size = Int(status.st_size)
        var reason: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
            while count < buffer.count {
                let done = read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if done < 0, errno == EINTR { continue }
                if done < 0 { reason = errno }
                guard done > 0 else { break }
                count += done
            }
        }
        guard reason == 0 else { throw failed(reason) }
        guard bytes.count == size else { throw SandboxError("\(path) changed while it was being read; try again") }
        return bytes
    }
}
