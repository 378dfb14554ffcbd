import AdCore
import LibC

extension CreativeCatalogue {
    private static let mostCreatives = 1000
    private static let largestFile = 32 << 20
    private static let largestSum = 256 << 20

    /// Reads `manifest.json` of a folder and every file that it names.
    ///
    /// Only those files are served. They are read once: the sandbox answers from memory.
    package static func load(directory: String) throws(SandboxError) -> CreativeCatalogue {
        let manifest = directory + "/manifest.json"
        let bytes = try self.file(manifest, in: directory, atMost: 1 << 20)
        var files: [String: [UInt8]] = [:]
        var sum = 0
        func read(_ name: String, namedBy place: String) throws(SandboxError) -> [UInt8] {
            guard self.isInside(name) else {
                throw SandboxError(
                    "\(manifest): \(place) is \"\(name)\"; it must be a path inside the folder, without .."
                )
            }
            if let known = files[name] { return known }
            let bytes = try self.file(
                directory + "/" + name,
                in: directory,
                atMost: min(self.largestFile, self.largestSum - sum)
            )
            sum += bytes.count
            files[name] = bytes
            return bytes
        }
        var creatives: [CreativeEntry] = []
        for (index, description) in try self.descriptions(bytes, in: manifest).enumerated() {
            let markup = try read(description.file, namedBy: "creatives[\(index)].file")
            let text = String(decoding: markup, as: UTF8.self)
            guard text.utf8.elementsEqual(markup) else {
                throw SandboxError("\(directory)/\(description.file) is not UTF-8; save it as UTF-8")
            }
            for asset in description.assets { _ = try read(asset, namedBy: "creatives[\(index)].assets") }
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
        do throws(FieldFault) {
            let fields = try Fields(parsing: bytes)
            _ = try fields.whole("version", in: 1...1)
            var descriptions: [Description] = []
            for (index, element) in try fields.array("creatives", atMost: self.mostCreatives).enumerated() {
                descriptions.append(try self.description(Fields(element, at: "creatives[\(index)]")))
            }
            return descriptions
        } catch {
            throw SandboxError("\(manifest): \(error.message)")
        }
    }

    private static func description(_ fields: Fields) throws(FieldFault) -> Description {
        let type = try fields.whole("type", in: 1...3)
        guard let kind = CreativeEntry.Kind(rawValue: type) else { throw fields.fault("type", "must be 1, 2 or 3") }
        let format = try fields.text("format")
        guard let format = CreativeEntry.Format(rawValue: format) else {
            let known = CreativeEntry.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.fault("format", "is \"\(format)\"; known are \(known)")
        }
        var tags: Set<CreativeEntry.Tag> = []
        for name in try self.texts("tags", of: fields) {
            guard let tag = CreativeEntry.Tag(rawValue: name) else {
                let known = CreativeEntry.Tag.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.fault("tags", "has \"\(name)\"; known are \(known)")
            }
            tags.insert(tag)
        }
        let creative = CreativeEntry(
            name: try fields.text("name"),
            kind: kind,
            format: format,
            markup: "",
            width: try fields.whole("width", in: 0...100_000),
            height: try fields.whole("height", in: 0...100_000),
            closeDelay: try fields.whole("closeTimeout", in: 0...3_600_000),
            title: try fields.text("title"),
            about: try fields.text("about", mayBeEmpty: true),
            tags: tags
        )
        let assets = try self.texts("assets", of: fields)
        return Description(creative: creative, file: try fields.text("file"), assets: assets)
    }

    /// A list of texts that may be left out.
    private static func texts(_ name: String, of fields: Fields) throws(FieldFault) -> [String] {
        guard fields[name] != nil else { return [] }
        var texts: [String] = []
        for element in try fields.array(name, atMost: 1000) {
            guard let text = element.string else { throw fields.fault(name, "must be texts, not \(element.kind)") }
            texts.append(text)
        }
        return texts
    }

    /// Whether a path stays below the folder that it is relative to.
    static func isInside(_ path: String) -> Bool {
        !path.utf8.contains(0)
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !["", ".", ".."].contains($0)
            }
    }

    /// Where a path leads when all links in it are followed; nil where nothing is there, with the reason in `errno`.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The bytes of a file below a folder: a link may lead to another file there, and not out of it.
    private static func file(_ path: String, in directory: String, atMost limit: Int) throws(SandboxError) -> [UInt8] {
        func failed(_ reason: Int32) -> SandboxError {
            SandboxError("\(path) can't be read: \(String(cString: strerror(reason)))")
        }
        guard let folder = self.resolved(directory), let place = self.resolved(path) else { throw failed(errno) }
        guard folder == "/" || place.utf8.starts(with: (folder + "/").utf8) else {
            throw SandboxError("\(path) is a link that leads out of the folder; put the file itself there")
        }
        // Not blocking: to open a pipe that nobody writes to would wait for ever. What has become a link since is none of
        // the file that was looked at.
        let descriptor = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failed(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SandboxError("\(path) is no file") }
        guard status.st_size <= limit else { throw SandboxError("\(path) is larger than \(limit) bytes") }

        // One byte more than the size: a read that fills it shows that the file has grown meanwhile.
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
        guard bytes.count == size else { throw SandboxError("\(path) changed while it was read; try again") }
        return bytes
    }
}
