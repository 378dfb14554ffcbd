import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Which browser is taken, and how it is started")
struct LaunchTests {
    private static let shell = "/usr/lib/chromium/chromium-headless-shell"
    private static let full = "/usr/lib/chromium/chromium"

    @Test("the small one is taken first, and only the full one has windows")
    func choice() throws {
        let both: (String) -> Bool = { [Self.shell, Self.full].contains($0) }
        #expect(try ChromiumBinary.find(named: nil, withWindows: false, exists: both).path == Self.shell)
        #expect(try ChromiumBinary.find(named: "", withWindows: true, exists: both).path == Self.full)
        #expect(throws: ChromiumError.self) {
            try ChromiumBinary.find(named: nil, withWindows: true) { $0 == Self.shell }
        }
    }

    @Test("a name wins, and a script stands for its program")
    func named() throws {
        let all: (String) -> Bool = { _ in true }
        #expect(try ChromiumBinary.find(named: "/x/chrome", withWindows: false, exists: all).path == "/x/chrome")
        let script = "/usr/bin/chromium-headless-shell"
        #expect(try ChromiumBinary.find(named: script, withWindows: false, exists: all).path == Self.shell)
        #expect(throws: ChromiumError.self) {
            try ChromiumBinary.find(named: script, withWindows: true, exists: all)
        }
    }

    @Test("where there is none the error says how to get one")
    func none() {
        #expect {
            try ChromiumBinary.find(named: nil, withWindows: false) { _ in false }
        } throws: {
            "\($0)".contains("apt-get install chromium-headless-shell")
        }
        #expect {
            try ChromiumBinary.find(named: "/no/such", withWindows: false) { _ in false }
        } throws: {
            "\($0)".contains("/no/such") && "\($0)".contains("CHROME")
        }
    }

    private func plan(_ options: ChromiumOptions = .init(), isRoot: Bool, _ more: [String: String] = [:]) -> LaunchPlan
    {
        LaunchPlan(
            ChromiumBinary(path: Self.shell),
            options,
            screen: Size(width: 390, height: 844),
            profile: "/p",
            processEnvironment: ["HOME": "/secret", "AWS_KEY": "k", "DISPLAY": ":0"].merging(more) { $1 },
            isRoot: isRoot
        )
    }

    @Test("root starts it as nobody with its sandbox, and without it only when that is asked for")
    func sandbox() {
        let plan = self.plan(isRoot: true)
        #expect(plan.identity == .nobody && plan.arguments[0] == "/usr/bin/setpriv")
        #expect(plan.arguments.contains("--reuid=65534") && !plan.arguments.contains("--no-sandbox"))
        let user = self.plan(isRoot: false)
        #expect(user.identity == .own && user.arguments[0] == Self.shell && !user.arguments.contains("--no-sandbox"))
        var options = ChromiumOptions()
        options.isSandboxed = false
        let open = self.plan(options, isRoot: true)
        #expect(open.identity == .own && open.arguments[0] == Self.shell && open.arguments.contains("--no-sandbox"))
    }

    @Test("little of our processEnvironment is passed on")
    func processEnvironment() {
        let plan = self.plan(isRoot: false)
        #expect(plan.environment["HOME"] == "/p" && plan.environment["AWS_KEY"] == nil)
        #expect(plan.environment["DISPLAY"] == nil)
        var options = ChromiumOptions()
        options.hasWindows = true
        let window = self.plan(options, isRoot: false)
        #expect(window.environment["DISPLAY"] == ":0")
        #expect(!window.arguments.contains { $0.hasPrefix("--headless") })
    }

    @Test("no window opens before there is an ad for it")
    func window() {
        var options = ChromiumOptions()
        options.hasWindows = true
        let arguments = self.plan(options, isRoot: true).arguments
        #expect(arguments.contains("--no-startup-window") && !arguments.contains("about:blank"))
        #expect(self.plan(isRoot: true).arguments.last == "about:blank")
    }

    @Test("the browser's screen is the device's, with as many pixels")
    func screen() {
        var options = ChromiumOptions()
        let usual = self.plan(options, isRoot: false).arguments
        #expect(usual.contains("--screen-info={390x844 devicePixelRatio=1.0}"))
        options.scale = 3
        let sharp = self.plan(options, isRoot: false).arguments
        #expect(sharp.contains("--screen-info={1170x2532 devicePixelRatio=3.0}"))
        options.hasWindows = true
        let window = self.plan(options, isRoot: false).arguments
        #expect(window.contains("--force-device-scale-factor=3.0"))
        #expect(!window.contains { $0.hasPrefix("--screen-info") }, "the desktop has its own")
    }

    @Test("what opens the desktop is copied for a browser whose home is elsewhere, and for no other")
    func key() {
        var options = ChromiumOptions()
        #expect(self.plan(options, isRoot: false).authorityFile == nil)
        options.hasWindows = true
        let usual = self.plan(options, isRoot: true)
        #expect(usual.authorityFile == "/secret/.Xauthority" && usual.environment["XAUTHORITY"] == "/p/desktop.key")
        let named = self.plan(options, isRoot: true, ["XAUTHORITY": "/run/key"])
        #expect(named.authorityFile == "/run/key" && named.environment["XAUTHORITY"] == "/p/desktop.key")
    }

    @Test(
        "where there is no desktop that is said before anything is started",
        .enabled(if: Browser.environment()["HOME"]?.hasPrefix("/Users/") != true, "here windows need no variable")
    )
    func noDesktop() throws {
        #expect {
            try LaunchPlan.requireDesktop(["DISPLAY": ""])
        } throws: {
            "\($0)".contains("DISPLAY") && "\($0)".contains("xvfb-run")
        }
        try LaunchPlan.requireDesktop(["DISPLAY": ":0"])
        try LaunchPlan.requireDesktop(["WAYLAND_DISPLAY": "wayland-0"])
    }

    @Test("of its complaints the last that tells something is its last word")
    func lastError() {
        let bus = "[1:2:ERROR:dbus/bus.cc:405] Failed to connect to the bus: refused"
        let cause = "[1:1:ERROR:ozone_platform_x11.cc:257] Missing X server or $DISPLAY"
        let end = "[1:1:ERROR:ui/aura/env.cc:253] The platform failed to initialize.  Exiting."
        #expect(ChromiumProcess.lastError(in: "\(cause)\n\(bus)\n\(end)\n\n") == cause)
        #expect(ChromiumProcess.lastError(in: bus + "\n") == bus)
        #expect(ChromiumProcess.lastError(in: "\n") == nil)
        let error = StageFailure.gone(lastError: cause).asStageError
        #expect(error.message.contains("could not open a window") && error.message.contains("DISPLAY"))
    }

    @Test("a closed network knows no name, an open one none of this machine or its neighbours")
    func network() throws {
        var options = ChromiumOptions()
        func rules() throws -> String {
            try #require(
                self.plan(options, isRoot: false).arguments.first { $0.hasPrefix("--host-resolver-rules=") }
            )
        }
        let near = try rules()
        for host in [
            "localhost", "127.???.???.???", "192.168.???.???", "172.31.???.???", "100.127.???.???", "::1", "fd??:*",
            "*.local",
        ] {
            #expect(near.contains("MAP \(host) ~NOTFOUND"), "\(host)")
        }
        #expect(!near.contains("172.32.") && !near.contains("MAP * "))
        options.network = .closed
        #expect(try rules() == "--host-resolver-rules=MAP * ~NOTFOUND")
    }

    @Test("what the browser's processes may take is bounded where something can do that")
    func limits() {
        let plan = LaunchPlan(
            ChromiumBinary(path: "/b"),
            ChromiumOptions(),
            screen: Size(width: 390, height: 844),
            profile: "/p",
            processEnvironment: [:],
            isRoot: true,
            limiter: "/usr/bin/prlimit"
        )
        #expect(plan.arguments.prefix(3) == ["/usr/bin/prlimit", "--data=2147483648", "/usr/bin/setpriv"])
        #expect(self.plan(isRoot: true).arguments.first == "/usr/bin/setpriv")
    }
}
