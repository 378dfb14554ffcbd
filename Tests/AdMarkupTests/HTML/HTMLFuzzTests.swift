import AdCore
import Testing

@testable import AdMarkup

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Mutations of the banners, drawn from a seed: `YABBI_FUZZ_SEED` and `YABBI_FUZZ_ROUNDS` choose others.
@Suite("Mutated banner HTML")
struct HTMLFuzzTests {
    private static func setting(_ name: String, or value: UInt64) -> UInt64 {
        getenv(name).flatMap { UInt64(String(cString: $0)) } ?? value
    }

    @Test("whatever becomes of a banner, it is read, and what is told of it holds together")
    func mutations() throws {
        let first = HTMLFuzzTests.setting("YABBI_FUZZ_SEED", or: 1)
        let rounds = HTMLFuzzTests.setting("YABBI_FUZZ_ROUNDS", or: 2000)
        for seed in first..<(first + rounds) {
            var mutator = Mutator(seed: seed)
            let bytes = mutator.mutated(Banners.all.map { Array($0.utf8) })
            var limits = HTMLLimits()
            limits.listed = 10
            limits.issues = 10
            let banner: HTMLDocument
            do throws(MarkupError) {
                banner = try HTMLDocument(parsing: bytes, limits: limits)
            } catch {
                #expect(error.line != nil, "seed \(seed)")
                continue
            }
            let lines = banner.markup.utf8.reduce(into: 1) { $0 += $1 == 0x0A ? 1 : 0 }
            #expect(self.lines(of: banner).allSatisfy((1...lines).contains), "seed \(seed)")
            #expect(banner.issues.count <= 11, "seed \(seed)")
            #expect(banner.links.count <= 10 && banner.images.count <= 10, "seed \(seed)")
            let page = banner.stageDocument()
            #expect(page.utf8.count >= banner.markup.utf8.count, "seed \(seed)")
            #expect(banner.isFragment || page == banner.markup, "seed \(seed)")
            #expect(try HTMLDocument(parsing: banner.markup, limits: limits).links == banner.links, "seed \(seed)")
            let glance = try HTMLGlance(at: banner.markup, limits: limits)
            #expect(glance.hasSomethingToSee == banner.hasSomethingToSee, "seed \(seed)")
            #expect(glance.isFragment == banner.isFragment, "seed \(seed)")
            guard HTMLReader.agreesWithScan else { continue }
            #expect(self.unexplained(banner.markup) == 0, "seed \(seed): libxml2 saw a tag that the scan did not see")
        }
    }

    private func lines(of banner: HTMLDocument) -> [Int] {
        let issues = banner.issues.compactMap { issue -> Int? in
            if case .line(let line) = issue.place { line } else { nil }
        }
        return issues + banner.links.map(\.line) + banner.images.map(\.line) + banner.pixels.map(\.line)
            + banner.scripts.map(\.line) + banner.placeholders.map(\.line) + banner.insecureResources.map(\.line)
    }

    private func unexplained(_ markup: String) -> Int? {
        var markup = markup
        return markup.withUTF8 { bytes in
            let empty = HTMLDocument(markup: "", encoding: MarkupEncoding(name: "utf-8", evidence: .text))
            return try? HTMLReader.read(bytes, into: empty, [], .standard).get().unexplained
        }
    }

    @Test("no beginning and no end of a banner is too short", arguments: Banners.all)
    func prefixes(markup: String) throws {
        let bytes = Array(markup.utf8)
        for count in stride(from: 0, through: bytes.count, by: 3) {
            _ = try HTMLDocument(parsing: Array(bytes.prefix(count)))
            _ = try HTMLDocument(parsing: Array(bytes.suffix(count)))
        }
    }
}

/// Cuts, repeats, swaps and garnishes bytes.
private struct Mutator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var word = self.state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    private static let morsels: [String] = [
        "<", ">", "/>", "\"", "'", "=", "&", "&#x", ";", "<!--", "-->", "--!>", "<script>", "</script>", "<style>",
        "</style>", "<svg>",
        "</svg>", "<![CDATA[", "]]>", "<noscript>", "<iframe>", "<textarea>", "<template>", "<!doctype html>", "<html>",
        "<body ", "</body>",
        "<head>", "<p>", "</p>", "<table>", "<td>", "<wbr>", "<source src=x>", "<title>", "\0", "\n", "\u{C}", " ",
        "\u{FFFE}", "é", "url(",
        "${AUCTION_PRICE}", "[CACHEBUSTER]", "%%A%%", "style='", " x*=\"b e='", " @c=\"a > b\" ", "<?", "</", "</>",
        "<a/", "a=/\"",
        String(repeating: "n", count: 101), "=\"\">", "<math>", "<xmp>", "_", ":", ".", "<img src=", "&copy", "&lt;",
        "\u{1}",
        "a", "b", "script", "x=", "<b ", "<script ", "</script", "<source ", "href", "/", "//", "-", "--", "!", "<!",
        "<a href=x>", "</a>",
    ]

    mutating func mutated(_ seeds: [[UInt8]]) -> [UInt8] {
        var bytes = seeds.randomElement(using: &self) ?? []
        if Int.random(in: 0..<4, using: &self) == 0 {
            // A soup of nothing but morsels, names and blanks.
            bytes = (0..<80).flatMap { _ in Array((Mutator.morsels.randomElement(using: &self) ?? "").utf8) }
        }
        for _ in 0..<Int.random(in: 1...12, using: &self) {
            let low = Int.random(in: 0...bytes.count, using: &self)
            let high = min(bytes.count, low + Int.random(in: 0...40, using: &self))
            switch Int.random(in: 0..<7, using: &self) {
            case 0: bytes.removeSubrange(low..<high)
            case 1: bytes.insert(contentsOf: bytes[low..<high], at: Int.random(in: 0...bytes.count, using: &self))
            case 2: bytes.insert(contentsOf: seeds.randomElement(using: &self)?.suffix(200) ?? [], at: low)
            case 3: if low < bytes.count { bytes[low] = UInt8.random(in: 0...255, using: &self) }
            case 4: bytes.replaceSubrange(low..<high, with: bytes[low..<high].reversed())
            case 5: bytes = Array(bytes.prefix(max(20, high)))
            default: bytes.insert(contentsOf: Array((Mutator.morsels.randomElement(using: &self) ?? "").utf8), at: low)
            }
        }
        return bytes
    }
}
