import LibC
import TestSupport
import Testing

/// Compares the documents about the code with the code.
@Suite("Documents about the code")
struct ArchitectureTests {
    private static let architecture = "docs/ARCHITECTURE.md"
    private static let flows = PackageFolder.files(below: "docs/flows", ending: ".md")
    private static let documents =
        [architecture, "CONTRIBUTING.md", "GLOSSARY.md", "README.md"] + flows
        + PackageFolder.files(below: "Sources", ending: ".md")

    @Test("the graph of modules is the one of Package.swift")
    func graph() throws {
        let page = try #require(Page(Self.architecture))
        let drawn = try self.output(of: "Scripts/graph.sh")
        #expect(drawn.contains("YabbiAds --> AdRuntime"))
        let found = try #require(page.marked("modules"), "\(page) has no markers for the graph")
        #expect(found == drawn[...], "run Scripts/graph.sh write")
    }

    @Test("an app that imports YabbiAds links no module for tools")
    func apps() throws {
        var edges: [String: [String]] = [:]
        for line in try self.output(of: "Scripts/graph.sh").split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 3, words[1] == "-->" { edges[words[0], default: []].append(words[2]) }
        }
        var linked: Set<String> = []
        var remaining = ["YabbiAds"]
        while let next = remaining.popLast() {
            if linked.insert(next).inserted { remaining += edges[next] ?? [] }
        }
        #expect(linked.isSuperset(of: ["AdCore", "AdRuntime", "CurlTransport"]))
        #expect(linked.isDisjoint(with: ["AdHTML", "AdLint", "AdReplay", "SandboxSSP", "WebStage", "ChromiumStage"]))
    }

    @Test("the table has every module of the package once, and no other")
    func modules() throws {
        let page = try #require(Page(Self.architecture))
        let folders = Set(
            PackageFolder.files(below: "Sources", ending: ".swift").map { String($0.split(separator: "/")[1]) }
        )
        let rows = self.rows(in: page.text[...]).map { self.quoted($0[0]) }.filter { $0.count == 1 }.map { $0[0] }
        #expect(rows.sorted() == folders.sorted())
    }

    @Test("every file that a document names exists", arguments: documents)
    func files(path: String) throws {
        let page = try #require(Page(path))
        let paths = self.quoted(page.text).filter(Self.isPath)
        #expect(!paths.isEmpty || path.hasPrefix("Sources/") || path == "GLOSSARY.md")
        for path in paths {
            let isThere = access("\(PackageFolder.path)/\(path)", F_OK) == 0
            #expect(isThere || Self.fileNames.contains(path), "\(page) names \(path)")
        }
    }

    /// `docc` checks those of the libraries that have an archive only.
    @Test("every link of a document is to an existing article or file", arguments: documents)
    func targets(path: String) throws {
        let page = try #require(Page(path))
        let articles = Set(Self.documents.compactMap { $0.split(separator: "/").last?.dropLast(3) })
        for link in page.text.split(separator: "<doc:", omittingEmptySubsequences: false).dropFirst() {
            let name = link.prefix { $0 != ">" && $0 != "#" }
            // A link to another module may be to a type.
            #expect(name.hasPrefix("/") || articles.contains(name), "\(page) links \(name)")
        }
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        for link in page.text.split(separator: "](", omittingEmptySubsequences: false).dropFirst() {
            let target = link.prefix { $0 != ")" && $0 != "#" }
            guard !target.isEmpty, !target.contains(":"), !target.contains(" ") else { continue }
            let isThere = access("\(PackageFolder.path)/\(folder)/\(target)", F_OK) == 0
            #expect(isThere, "\(page) links \(target)")
        }
    }

    @Test("every flow is linked, and every link is a flow")
    func links() throws {
        let text = try #require(PackageFolder.text(Self.architecture))
        let linked = text.split(separator: "](").dropFirst().compactMap { $0.split(separator: ")").first }
            .filter { $0.hasPrefix("flows/") }.map { "docs/\($0)" }
        #expect(linked.count >= 5)
        #expect(Set(linked) == Set(Self.flows))
    }

    @Test("a flow has at most 40 lines, and each call and case in it is in a listed file of its end", arguments: flows)
    func flow(path: String) throws {
        let text = try #require(PackageFolder.text(path))
        let diagram = try #require(FlowDiagram(text))
        #expect(diagram.lines.first == "sequenceDiagram")
        #expect(diagram.lines.count <= 40)
        #expect(diagram.problems == [])
    }

    @Test("a flow that names what its files lack is found out")
    func flowProblems() throws {
        let text = """
            ```mermaid
            sequenceDiagram
              participant AL as AdLifecycle
              participant BD as BeaconDispatcher
              actor App
              App->>AL: handle(.answer), load(_:at:)
              AL-->>App: .recorded
              App->>BD: deliver()
            ```
            - `Sources/AdCore/Lifecycle/AdLifecycle.swift`, `Sources/AdCore/Lifecycle/AdInput.swift`
            """
        let call = "App->>AL: handle(.answer), load(_:at:): "
        #expect(
            try #require(FlowDiagram(text)).problems == [
                "no file of BeaconDispatcher is listed", call + "no case answer", call + "no func load",
                "App->>BD: deliver(): no func deliver",
            ]
        )
    }

    @Test("Every name of code in a document occurs in the sources", arguments: [architecture] + flows)
    func names(path: String) throws {
        let page = try #require(Page(path))
        let diagrams = page.text.split(separator: "```mermaid\nsequenceDiagram").dropFirst()
            .compactMap { $0.split(separator: "```").first }
        let texts = self.quoted(page.text).filter { !Self.isPath($0) } + diagrams.map(String.init)
        let names = Set(texts.flatMap(Self.words).filter(Self.isCamelCase))
        let unknown = names.subtracting(Self.sourceWords).subtracting(Self.namesOutsideCode)
        #expect(unknown.isEmpty, "\(page) names \(unknown.sorted())")
    }

    @Test("CONTRIBUTING.md has at most 100 lines, GLOSSARY.md at most 60 terms")
    func lengths() throws {
        let contributing = try #require(PackageFolder.text("CONTRIBUTING.md"))
        #expect(contributing.split(separator: "\n", omittingEmptySubsequences: false).count <= 101)
        let glossary = try #require(PackageFolder.text("GLOSSARY.md"))
        let verbs = try #require(glossary.firstRange(of: "\n## Verbs\n"))
        let rules = self.rows(in: glossary[..<verbs.lowerBound]).filter { $0[0] != "Term" }
        #expect(rules.count > 30)
        #expect(rules.count <= 60, "\(rules.count) terms")
    }

    @Test(
        "CONTRIBUTING.md has the number of public symbols that an app imports, within 750 symbols and 90 types",
        .enabled(if: hasExtractor, "swift-symbolgraph-extract is missing")
    )
    func surface() throws {
        let contributing = try #require(PackageFolder.text("CONTRIBUTING.md"))
        let row = try #require(self.rows(in: contributing[...]).first { $0[0] == "`import YabbiAds`" })
        let counted = try self.output(of: "Scripts/surface.sh").split { $0 == " " || $0 == "\n" }.map(String.init)
        #expect(Array(row.dropFirst()) == counted)
        let (symbols, types) = (try #require(Int(row[1])), try #require(Int(row[2])))
        #expect(symbols <= 750)
        #expect(types <= 90)
    }

    @Test("No initializer has more than 40 lines")
    func initializers() throws {
        let paths = PackageFolder.files(below: "Sources", ending: ".swift")
        for path in paths {
            let lengths = InitializerLengths(try #require(PackageFolder.text(path)))
            for found in lengths.all where found.count > 40 {
                Issue.record("\(path):\(found.line): the initializer has \(found.count) lines; move parts to functions")
            }
        }
    }

    /// The names of all sources, without their folders.
    private static let fileNames: Set<String> = {
        let paths = ["Sources", "Tests"].flatMap { PackageFolder.files(below: $0, ending: ".swift") }
        return Set(paths.compactMap { path in path.split(separator: "/").last.map { String($0) } })
    }()

    private static let hasExtractor: Bool = {
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return folders.split(separator: ":").contains { access("\($0)/swift-symbolgraph-extract", X_OK) == 0 }
    }()

    /// The output of a script of the package.
    private func output(of script: String) throws -> String {
        let command = "echo ready && cd '\(PackageFolder.path)' && exec \(script) 2>&1"
        let process = try #require(ChildProcess(command) { $0 == "ready" }, "no shell was started")
        let outcome = process.finish()
        try #require(outcome.status == 0, "\(script): \(outcome.text)")
        return outcome.text
    }

    /// Words with an inner capital in the documents that no source contains.
    ///
    /// `YabbiTesting` is a module that only tests of apps import.
    private static let namesOutsideCode: Set = ["AppleStage", "YabbiTesting"]

    /// The words of all Swift and JavaScript sources.
    private static let sourceWords: Set<String> = {
        let paths = [".swift", ".js"].flatMap { PackageFolder.files(below: "Sources", ending: $0) }
        return paths.reduce(into: []) { $0.formUnion(words(PackageFolder.text($1) ?? "")) }
    }()

    /// The identifiers in a text.
    private static func words(_ text: String) -> [String] {
        text.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): false
            default: true
            }
        }
        .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a capital follows a lowercase letter.
    private static func isCamelCase(_ word: String) -> Bool {
        zip(word, word.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
    }

    /// The cells of the tables in a text, without the separator lines.
    private func rows(in text: Substring) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    /// The texts between backticks, line by line, outside of fences.
    private func quoted(_ text: String) -> [String] {
        var isFence = false
        return text.split(separator: "\n").flatMap { line -> [String] in
            if line.hasPrefix("```") { isFence.toggle() }
            guard !isFence, !line.hasPrefix("```") else { return [] }
            return line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
    }

    /// Whether a text is the path of a file or folder of the package, not a pattern and not a file of an app.
    private static func isPath(_ text: String) -> Bool {
        guard !text.contains(where: { "<*… ".contains($0) }) else { return false }
        guard !text.hasPrefix("Sources/App/"), !text.hasPrefix("Tests/AppTests/") else { return false }
        let folders = ["Sources/", "Tests/", "Scripts/", "docs/", "Creatives/", "Fuzz/"]
        return folders.contains { text.hasPrefix($0) } || text.hasSuffix(".swift") || text.hasSuffix(".md")
    }
}
