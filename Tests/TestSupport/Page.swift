import LibC

/// A documentation page or a source file, with the Swift snippets in it.
///
/// A snippet may have a comment in the line before it: `<!-- runs in: SUITE -->` if a test contains the code, or
/// `<!-- not compiled here: WHY -->` if it can't be compiled.
public struct Page: Sendable, CustomStringConvertible {
    /// A snippet of Swift on a page.
    public struct Fence: Sendable {
        /// The line of its first line of code, counted from 1.
        public let line: Int
        /// The code.
        public let code: String
        /// The suite that runs it; nil for none.
        public let suite: String?
        /// Why it is not compiled; nil if it is.
        public let excuse: String?

        /// Whether it is a whole file, and not part of a function.
        public var isFile: Bool { self.code.hasPrefix("import ") }
    }

    /// The path within the package.
    public let path: String
    /// The whole text.
    public let text: String
    /// The snippets, in order.
    public let fences: [Fence]

    /// Reads a page; nil if there is none.
    public init?(_ path: String) {
        guard let text = PackageFolder.text(path) else { return nil }
        self.path = path
        self.text = text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.fences = Page.fences(in: path.hasSuffix(".swift") ? lines.map(Page.commented) : lines.map(String.init))
    }

    /// The modules that the snippets import besides the umbrella.
    ///
    /// A page names them in a line that begins with "The code on this page imports".
    public var imports: [String] {
        let head = "The code on this page imports "
        guard let line = Page.lines(self.text[...]).first(where: { $0.hasPrefix(head) }) else { return [] }
        return line.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// All documentation pages.
    public static let all: [Page] = {
        let articles = PackageFolder.files(below: "Sources", ending: ".md")
        return (["README.md", "CONTRIBUTING.md"] + articles).compactMap { Page($0) }
    }()

    /// The source files of a module with snippets in their comments.
    public static func sources(of module: String) -> [Page] {
        PackageFolder.files(below: "Sources/\(module)", ending: ".swift").compactMap { Page($0) }.filter {
            !$0.fences.isEmpty
        }
    }

    /// The text of a documentation comment; empty for a line of code.
    private static func commented(_ line: Substring) -> String {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { return "" }
        return String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3))
    }

    /// Compares the text between the lines `<!-- NAME:begin -->` and `<!-- NAME:end -->` with generated text.
    ///
    /// Returns the lines that differ. If `YABBI_DRAW` is set, the generated text is written there instead.
    public func differences(_ name: String, from drawn: String) -> [String] {
        guard let found = self.marked(name) else {
            return ["\(self.path) has no lines <!-- \(name):begin --> and <!-- \(name):end -->"]
        }
        guard getenv("YABBI_DRAW") == nil else {
            let text = self.text[..<found.startIndex] + drawn + self.text[found.endIndex...]
            return PackageFolder.write(String(text), self.path) ? [] : ["\(self.path) can't be written"]
        }
        guard found != drawn else { return [] }
        let (actual, expected) = (Page.lines(found), Page.lines(drawn[...]))
        return expected.filter { !actual.contains($0) }.map { "missing: \($0)" }
            + actual.filter { !expected.contains($0) }.map { "wrong: \($0)" } + ["run Scripts/draw.sh to update it"]
    }

    /// The text between the lines `<!-- NAME:begin -->` and `<!-- NAME:end -->`; nil if they are missing.
    public func marked(_ name: String) -> Substring? {
        guard let begin = self.text.firstRange(of: "<!-- \(name):begin -->\n"),
            let end = self.text.firstRange(of: "<!-- \(name):end -->"), begin.upperBound <= end.lowerBound
        else { return nil }
        return self.text[begin.upperBound..<end.lowerBound]
    }

    private static func lines(_ text: Substring) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The page's path.
    public var description: String { self.path }

    private static func fences(in lines: [String]) -> [Fence] {
        var fences: [Fence] = []
        var begin: Int?
        for (index, line) in lines.enumerated() {
            if let start = begin {
                guard line == "```" else { continue }
                let remark = start > 0 ? lines[start - 1] : ""
                fences.append(
                    Fence(
                        line: start + 2,
                        code: lines[(start + 1)..<index].joined(separator: "\n"),
                        suite: self.remark("runs in", remark),
                        excuse: self.remark("not compiled here", remark)
                    )
                )
                begin = nil
            } else if line == "```swift" {
                begin = index
            }
        }
        return fences
    }

    private static func remark(_ name: String, _ line: String) -> String? {
        let head = "<!-- \(name): "
        guard line.hasPrefix(head), line.hasSuffix(" -->") else { return nil }
        return String(line.dropFirst(head.count).dropLast(4))
    }
}
