import Testing

@testable import PlayStages

@Suite("Scripts of users")
struct UserScriptTests {
    @Test("scripts keep the order of steps at the same time")
    func scripts() throws {
        let script = try UserScript(parsing: "cover@1s,uncover@1s,scroll 40@500ms,volume 30@600ms,close@0.1m")
        #expect(script.steps.map(\.action) == [.scroll(40), .volume(30), .cover, .uncover, .close])
        #expect(script.steps.last?.at == .seconds(6))
        #expect(UserScript.Action("volume 130") == nil && UserScript.Action("volume -1") == nil)
    }
}
