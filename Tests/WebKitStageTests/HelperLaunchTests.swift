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

    @Test(
        "the helper's own last error, and a missing library, are told with the fix",
        arguments: [
            ("yabbi-webkit: there is no Xvfb; install it", "WebKit can't be used: there is no Xvfb; install it"),
            (
                "/y: error while loading shared libraries: libwebkit2gtk-4.1.so.0: cannot open shared object file",
                """
                WebKit can't be used: the library libwebkit2gtk-4.1.so.0 is missing; install WebKitGTK (apt-get install \
                libwebkit2gtk-4.1-0) and build the helper again (make webkit)
                """
            ), ("something of WebKit", nil),
        ] as [(String, String?)]
    )
    func explanation(error: String, text: String?) { #expect(HelperLaunch.explanation(of: error) == text) }

    @Test("windows get the display and its key, by default that in the user's home folder")
    func display() {
        let usual = self.environment(["DISPLAY": ":0", "HOME": "/home/kiosk"])
        #expect(usual["DISPLAY"] == ":0" && usual["XAUTHORITY"] == "/home/kiosk/.Xauthority" && usual["HOME"] == "/p")
        #expect(self.environment(["HOME": "/h", "XAUTHORITY": "/run/key"])["XAUTHORITY"] == "/run/key")
        let hidden = self.environment(["DISPLAY": ":0", "HOME": "/h", "XAUTHORITY": "/run/key"], hasWindows: false)
        #expect(hidden["DISPLAY"] == nil && hidden["XAUTHORITY"] == nil)
    }
}
