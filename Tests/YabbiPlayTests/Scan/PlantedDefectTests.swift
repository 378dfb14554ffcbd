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
        let (each, clean) = LongForm.either((each: 35, clean: 110), short: (each: 1, clean: 6))
        var all: [PlantedCreative] = []
        for number in 0..<each {
            for defect in Defect.allCases { all.append(Defect.creative(defect, number, &random)) }
        }
        for number in 0..<clean { all.append(Defect.creative(nil, number, &random)) }
        return all.shuffled(using: &random)
    }

    /// Creatives that look like a defect and are none.
    private static let harmless: [(name: String, part: String)] = [
        ("pressed", "<script>link.addEventListener('click', () => { label.className = 'on'; });</script>"),
        ("idle", "<script>const tick = () => requestAnimationFrame(tick); tick();</script>"),
        ("mutedVideo", "<video muted autoplay playsinline></video>"),
        ("settled", "<script>setTimeout(() => { label.style.color = 'red'; }, 300);</script>"),
        (
            "image",
            "<img width=9 height=9 alt='' src='data:image/gif;base64,\(Base64.text(AnimatedGIF.bytes([50, 90], repeats: 3)))'>"
        ),
        ("drawing", drawing("dur='2s' repeatCount='3'")),
        ("cutDrawing", drawing("dur='2s' repeatCount='indefinite' repeatDur='00:05'")),
        ("endedDrawing", drawing("dur='2s' repeatDur='indefinite' end='900ms'")),
        ("toJSON", "<script>Object.prototype.toJSON = () => 0; Object.prototype.extra = 1;</script>"),
    ]

    private static func drawing(_ time: String) -> String {
        "<svg width=9 height=9><rect width=9 height=9><animate attributeName='x' to='9' \(time)/></rect></svg>"
    }

    /// Creatives that hide a defect, each with the rule that finds it.
    private static let hidden: [(name: String, rule: String, part: String)] = [
        (
            "reflect", "fingerprinting",
            "<script>Reflect.apply = () => true; Object.prototype.toJSON = () => 0; navigator.plugins.length</script>"
        ),
        (
            "frame", "animation.endless",
            """
            <iframe title="Inner" style="border:0" srcdoc="<style>@keyframes m { to { left: 9px } } i { position: relative; \
            animation: m 1s infinite }</style><i>moves</i>"></iframe>
            """
        ),
        ("longDrawing", "animation.end", drawing("dur='2s' repeatDur='1min'")),
        ("manyDrawings", "animation.end", drawing("dur='500ms' repeatCount='99.5'")),
        (
            "dialog", "blocked.dialog",
            """
            <script>alert("mraid.expand() without a user's gesture in the last 5 s; call it in a handler of a tap (MRAID \
            3.0, expand and resize)")</script>
            """
        ),
    ]

    @Test("what only looks like a defect is no false alarm, and what hides a defect does not")
    func harmless() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        var random = TestRandom(seed: 1)
        let clean = Defect.creative(nil, 0, &random).markup
        for (name, part) in Self.harmless + Self.hidden.map({ ($0.name, $0.part) }) {
            _ = folder.write(clean.replacing("</body>", with: part + "</body>"), "\(name).html")
        }
        let policy = try #require(
            folder.write("extends strict\nallow click.failed\nallow lint warning\nallow lint error\n", "all.policy")
        )
        let words = ["scan", folder.path, "--policy", policy, "--json", "--watch", "1.5", "--no-follow"]
        let (_, console) = await play(words)
        let rules = Dictionary(uniqueKeysWithValues: Self.hidden.map { ($0.name, $0.rule) })
        for verdict in console.json where verdict["event"] == "verdict" {
            let file = (verdict["id"]?.string ?? "").split(separator: "/").last
            let name = String(file?.split(separator: ".").first ?? "")
            let rulesBroken = (verdict["reasons"]?.array ?? []).compactMap { $0["rule"]?.string }
            let reasons = Set(rulesBroken).subtracting(PlantedCreative.rulesOfTime)
            let text = "\(name): \(verdict["reasons"]?.text() ?? "")"
            if let rule = rules[name] {
                #expect(reasons.contains(rule), "not found: \(text)")
            } else {
                #expect(reasons.isEmpty, "false alarm: \(text)")
            }
        }
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
        let policy = try #require(folder.write(PlantedCreative.policy, "all.policy"))
        let console = BufferConsole()
        let words = ["scan", folder.path, "--policy", policy, "--json", "--watch", "1.2", "--no-follow"]
        let code = await YabbiPlay.run(words, console)
        #expect(code == .invalidCreative && console.err.isEmpty, "\(console.err)")
        let verdicts = console.json.filter { $0["event"] == "verdict" }
        #expect(Set(verdicts.compactMap { $0["id"]?.string }) == Set(paths.keys))
        for verdict in verdicts {
            let creative = try #require(paths[verdict["id"]?.string ?? ""])
            let mistake = creative.mistake(in: verdict)
            #expect(mistake == nil)
        }
    }
}
