import AdCore
import BrowserSupport
import PlayConsole
import PlaySupport
import TestSupport
import Testing

@testable import YabbiPlay

@Suite("Planted defects", .needsBrowser, .timeLimit(.minutes(60)))
struct PlantedDefectTests {
    /// What a policy of all rules makes of creatives with one defect each, and of clean ones.
    static func creatives(_ random: inout TestRandom) -> [PlantedCreative] {
        let (each, clean) = LongForm.either((each: 37, clean: 76), short: (each: 1, clean: 6))
        var all: [PlantedCreative] = []
        for number in 0..<each {
            for defect in Defect.allCases { all.append(Defect.creative(defect, number, &random)) }
        }
        for number in 0..<clean { all.append(Defect.creative(nil, number, &random)) }
        return all.shuffled(using: &random)
    }

    @Test("each defect is found, and nothing is found in a clean creative; 2,000 in the long form")
    func found() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        var random = TestRandom(seed: TestSeed.chosen ?? 27)
        let creatives = Self.creatives(&random)
        var paths: [String: PlantedCreative] = [:]
        for creative in creatives {
            paths[try #require(folder.write(creative.markup, creative.file))] = creative
        }
        // No server of the internet is there: what is behind click-through URLs and trackers is not judged.
        let policy = try #require(
            folder.write(
                "extends strict\nallow click.failed\nallow trackers.failed\nallow lint warning\n",
                "all.policy"
            )
        )
        let console = BufferConsole()
        let words = ["scan", folder.path, "--policy", policy, "--json", "--watch", "1.2", "--no-follow"]
        let code = await YabbiPlay.run(words, console)
        #expect(code == .invalidCreative && console.err.isEmpty, "\(console.err)")
        let verdicts = console.json.filter { $0["event"] == "verdict" }
        #expect(Set(verdicts.compactMap { $0["id"]?.string }) == Set(paths.keys))
        for verdict in verdicts {
            let creative = try #require(paths[verdict["id"]?.string ?? ""])
            let reasons = Set((verdict["reasons"]?.array ?? []).compactMap { $0["rule"]?.string })
            let text = "\(creative.name): \(verdict["reasons"]?.text() ?? "")"
            #expect(creative.rules.isEmpty || !reasons.isDisjoint(with: creative.rules), "not found: \(text)")
            let unexpected = reasons.subtracting(creative.rules).subtracting(creative.others)
                .filter { !$0.hasPrefix("lint/") || creative.rules.isEmpty }
            #expect(unexpected.isEmpty, "false alarm: \(text)")
        }
    }
}
