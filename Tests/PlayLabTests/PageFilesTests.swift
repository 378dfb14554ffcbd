import LibC
import TestSupport
import Testing

@testable import PlayLab

@Suite("The files of the page")
struct PageFilesTests {
    private static var folder: String { PackageFolder.path + "/Sources/PlayLab/Page" }

    private static var names: [String] {
        guard let folder = opendir(self.folder) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    @Test("all files of the folder are embedded, and are what is in the folder")
    func complete() throws {
        #expect(PageFiles.embedded.map(\.name) == Self.names)
        for (name, text) in PageFiles.embedded {
            #expect(try TextFile.bytes(Self.folder + "/" + name) == Array(text.utf8), "\(name)")
        }
    }

    @Test("no file inserts markup, evaluates code or loads anything from elsewhere")
    func safe() {
        let forbidden = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc",
            "postMessage",
        ]
        for (name, text) in PageFiles.embedded where name.hasSuffix(".js") {
            for word in forbidden { #expect(!text.contains(word), "\(name) has \(word)") }
        }
        for (name, text) in PageFiles.embedded {
            #expect(!text.contains("src=\"http") && !text.contains("url(http") && !text.contains("@import"), "\(name)")
        }
    }
}

private enum TextFile {
    struct Unreadable: Error {}

    static func bytes(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw Unreadable() }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}
