import AdCore
import AdMarkup

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A whole typed document against libxml2's own tree of the same bytes, round by round in one run.
enum ParseBench {
    static func run(_ files: [String]) throws -> [JSON] {
        var documents: [[UInt8]] = []
        for path in files {
            let bytes = try self.bytes(path)
            // What is not well-formed has no tree to be held against.
            if XMLTree.build(bytes), (try? VASTDocument(parsing: bytes)) != nil { documents.append(bytes) }
        }
        guard !documents.isEmpty else { return [["benchmark": "parse", "files": 0]] }
        var typed: [Double] = []
        var trees: [Double] = []
        let clock = ContinuousClock()
        let end = clock.now + .seconds(8)
        while typed.count < 40, clock.now < end {
            let tree = clock.measure { for bytes in documents { _ = XMLTree.build(bytes) } }
            let whole = clock.measure { for bytes in documents { _ = try? VASTDocument(parsing: bytes) } }
            trees.append(tree.inSeconds)
            typed.append(whole.inSeconds)
        }
        let bytes = documents.reduce(0) { $0 + $1.count }
        let (whole, tree) = (ProcessFigures.median(typed), ProcessFigures.median(trees))
        return [
            [
                "benchmark": "parse",
                "files": .int(documents.count),
                "bytes": .int(bytes),
                "rounds": .int(typed.count),
                "mbPerSecond": ProcessFigures.rounded(Double(bytes) / whole / 1e6),
                "floorMbPerSecond": ProcessFigures.rounded(Double(bytes) / tree / 1e6),
                "ratio": ProcessFigures.rounded(whole / tree),
            ]
        ]
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw WishError(message: "\(path) can't be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}
