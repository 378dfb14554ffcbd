import AdCore
import Testing

@testable import PlayStages

@Suite("Scripts of users")
struct UserScriptTests {
    @Test("scripts keep the order of steps at the same time")
    func scripts() throws {
        let script = try UserScript(
            parsing: "cover@1s,uncover@1s,scroll 40@500ms,volume 30@600ms,obstruct 0 700 390 144@700ms,close@0.1m"
        )
        let bar = AdObstruction(x: 0, y: 700, size: Size(width: 390, height: 144), name: "view 390x144 at 0,700")
        #expect(
            script.steps.map(\.action) == [.scroll(40), .volume(30), .obstruct(bar), .cover, .uncover, .close]
        )
        #expect(UserScript.Action("obstruct 0 700 390") == nil && UserScript.Action("obstruct 0 0 0 9") == nil)
        #expect(script.steps.last?.at == .seconds(6))
        #expect(UserScript.Action("volume 130") == nil && UserScript.Action("volume -1") == nil)
    }
}
