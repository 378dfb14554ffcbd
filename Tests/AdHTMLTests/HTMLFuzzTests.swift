import AdCore
import TestSupport
import Testing

@testable import AdHTML
@testable import AdMarkup

/// Mutations of the banners, generated from a seed: `YABBI_FUZZ_SEED` and `YABBI_FUZZ_ROUNDS` select others.
@Suite("Mutated banner HTML")
struct HTMLFuzzTests {
    @Test("a mutated banner is parsed, and its parts are consistent")
    func mutations() throws {
        var parsed = 0
        for seed in FuzzSeeds.range(2000) {
            var mutator = Mutator(seed: seed)
            let bytes = mutator.mutated(Banners.all.map { Array($0.utf8) }, with: Mutator.html)
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
            parsed += 1
            let lines = banner.markup.utf8.reduce(into: 1) { $0 += $1 == 0x0A ? 1 : 0 }
            #expect(self.lines(of: banner).allSatisfy((1...lines).contains), "seed \(seed)")
            #expect(banner.issues.count <= 11, "seed \(seed)")
            #expect(banner.links.count <= 10 && banner.images.count <= 10, "seed \(seed)")
            let page = banner.stageDocument()
            #expect(page.utf8.count >= banner.markup.utf8.count, "seed \(seed)")
            #expect(banner.isFragment || page == banner.markup, "seed \(seed)")
            #expect(try HTMLDocument(parsing: banner.markup, limits: limits).links == banner.links, "seed \(seed)")
            let preflight = try HTMLPreflight(parsing: banner.markup, limits: limits)
            #expect(preflight.hasVisibleContent == banner.hasVisibleContent, "seed \(seed)")
            #expect(preflight.isFragment == banner.isFragment, "seed \(seed)")
            guard HTMLDriver.agreesWithScan else { continue }
            #expect(
                self.unmatchedStartTags(banner.markup) == 0,
                "seed \(seed): libxml2 found a tag that the scanner did not find"
            )
        }
        #expect(parsed > 0)
    }

    private func lines(of banner: HTMLDocument) -> [Int] {
        let issues = banner.issues.compactMap { issue -> Int? in
            if case .line(let line) = issue.place { line } else { nil }
        }
        return issues + banner.links.map(\.line) + banner.images.map(\.line) + banner.pixels.map(\.line)
            + banner.scripts.map(\.line) + banner.placeholders.map(\.line) + banner.insecureResources.map(\.line)
    }

    private func unmatchedStartTags(_ markup: String) -> Int? {
        var markup = markup
        return markup.withUTF8 { bytes in
            let empty = HTMLDocument(markup: "", encoding: MarkupEncoding(name: "utf-8", evidence: .text))
            return try? HTMLDriver.read(bytes, .standard, into: HTMLReader(empty, [], .standard)).get()
                .unmatchedStartTags
        }
    }

    @Test("any prefix and any suffix of a banner is parsed", arguments: Banners.all)
    func prefixes(markup: String) throws {
        let bytes = Array(markup.utf8)
        for count in stride(from: 0, through: bytes.count, by: 3) {
            _ = try HTMLDocument(parsing: Array(bytes.prefix(count)))
            _ = try HTMLDocument(parsing: Array(bytes.suffix(count)))
        }
    }
}
