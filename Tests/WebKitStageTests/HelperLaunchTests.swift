import AdCore
import EngineSupport
import Testing

@testable import WebKitStage

@Suite("How the helper is started")
struct HelperLaunchTests {
    private func environment(_ processEnvironment: [String: String], hasWindows: Bool = true) -> [String: String] {
        var options = WebKitOptions()
        options.hasWindows = hasWindows
        let plan = HelperLaunch(
            HelperFiles(program: "/yabbi-webkit"),
            options,
            screen: Size(width: 390, height: 844),
            folder: "/p",
            processEnvironment: processEnvironment
        )
        return plan.launch.environment
    }

    @Test("windows get the display and its key, by default that in the user's home folder")
    func display() {
        let usual = self.environment(["DISPLAY": ":0", "HOME": "/home/kiosk"])
        #expect(usual["DISPLAY"] == ":0" && usual["XAUTHORITY"] == "/home/kiosk/.Xauthority" && usual["HOME"] == "/p")
        #expect(self.environment(["HOME": "/h", "XAUTHORITY": "/run/key"])["XAUTHORITY"] == "/run/key")
        let hidden = self.environment(["DISPLAY": ":0", "HOME": "/h", "XAUTHORITY": "/run/key"], hasWindows: false)
        #expect(hidden["DISPLAY"] == nil && hidden["XAUTHORITY"] == nil)
    }
}
