import AdCore
import EngineSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Choosing and starting a browser")
struct LaunchTests {
    private static let shell = "/usr/lib/chromium/chromium-headless-shell"
    private static let full = "/usr/lib/chromium/chromium"

    @Test("the headless shell is preferred, and only the full browser has windows")
    func choice() throws {
        let both: (String) -> Bool = { [Self.shell, Self.full].contains($0) }
        #expect(try ChromiumBinary.find(named: nil, withWindows: false, exists: both).path == Self.shell)
        #expect(try ChromiumBinary.find(named: "", withWindows: true, exists: both).path == Self.full)
        #expect(throws: ChromiumError.self) {
            try ChromiumBinary.find(named: nil, withWindows: true) { $0 == Self.shell }
        }
    }

    @Test("a given path is used, and a wrapper script stands for its executable")
    func named() throws {
        let all: (String) -> Bool = { _ in true }
        #expect(try ChromiumBinary.find(named: "/x/chrome", withWindows: false, exists: all).path == "/x/chrome")
        let script = "/usr/bin/chromium-headless-shell"
        #expect(try ChromiumBinary.find(named: script, withWindows: false, exists: all).path == Self.shell)
        #expect(throws: ChromiumError.self) {
            try ChromiumBinary.find(named: script, withWindows: true, exists: all)
        }
    }

    @Test("without a browser the error says how to install one")
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

    private func plan(
        _ options: ChromiumOptions = .init(),
        isRoot: Bool,
        binary: String = LaunchTests.shell,
        _ more: [String: String] = [:]
    ) -> LaunchPlan {
        LaunchPlan(
            ChromiumBinary(path: binary),
            options,
            screen: Size(width: 390, height: 844),
            profile: "/p",
            processEnvironment: ["HOME": "/secret", "AWS_KEY": "k", "DISPLAY": ":0"].merging(more) { $1 },
            isRoot: isRoot
        )
    }

    @Test("root starts the browser as nobody with its sandbox, and without the sandbox only on request")
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

    @Test("only a few environment variables are passed on")
    func environment() {
        let plan = self.plan(isRoot: false)
        #expect(plan.environment["HOME"] == "/p" && plan.environment["AWS_KEY"] == nil)
        #expect(plan.environment["DISPLAY"] == nil)
        var options = ChromiumOptions()
        options.hasWindows = true
        let window = self.plan(options, isRoot: false)
        #expect(window.environment["DISPLAY"] == ":0")
        #expect(!window.arguments.contains { $0.hasPrefix("--headless") })
    }

    @Test("no window opens before the first ad")
    func window() {
        var options = ChromiumOptions()
        options.hasWindows = true
        let arguments = self.plan(options, isRoot: true).arguments
        #expect(arguments.contains("--no-startup-window") && !arguments.contains("about:blank"))
        #expect(!self.plan(isRoot: true).arguments.contains("about:blank"), "the shell opens no page by itself")
        #expect(self.plan(isRoot: true, binary: Self.full).arguments.last == "about:blank")
    }

    @Test("the browser's screen has the device's size and pixel ratio")
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
        #expect(!window.contains { $0.hasPrefix("--screen-info") }, "the desktop has its own screen")
    }

    @Test("the X11 authority file is copied only for a browser with windows")
    func authorityFile() {
        var options = ChromiumOptions()
        #expect(self.plan(options, isRoot: false).authorityFile == nil)
        options.hasWindows = true
        let usual = self.plan(options, isRoot: true)
        #expect(usual.authorityFile == "/secret/.Xauthority" && usual.environment["XAUTHORITY"] == "/p/desktop.key")
        let named = self.plan(options, isRoot: true, ["XAUTHORITY": "/run/key"])
        #expect(named.authorityFile == "/run/key" && named.environment["XAUTHORITY"] == "/p/desktop.key")
    }

    @Test(
        "a missing desktop is reported before the browser is started",
        .enabled(
            if: ProcessEnvironment.variables["HOME"]?.hasPrefix("/Users/") != true,
            "macOS needs no variable to open windows"
        )
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

    @Test("the last meaningful line of the log is the last error")
    func lastError() {
        let bus = "[1:2:ERROR:dbus/bus.cc:405] Failed to connect to the bus: refused"
        let cause = "[1:1:ERROR:ozone_platform_x11.cc:257] Missing X server or $DISPLAY"
        let end = "[1:1:ERROR:ui/aura/env.cc:253] The platform failed to initialize.  Exiting."
        #expect(EngineProcess.lastError(in: "\(cause)\n\(bus)\n\(end)\n\n", ignoring: Browser.ignoredErrors) == cause)
        #expect(EngineProcess.lastError(in: bus + "\n", ignoring: Browser.ignoredErrors) == bus)
        #expect(EngineProcess.lastError(in: "\n", ignoring: Browser.ignoredErrors) == nil)
        let error = StageFailure.gone(lastError: cause).error(Browser.explanation)
        #expect(error.message.contains("could not open a window") && error.message.contains("DISPLAY"))
    }

    @Test("a closed network resolves no host, an open one none on this computer and network")
    func network() throws {
        var options = ChromiumOptions()
        func rules() throws -> String {
            try #require(
                self.plan(options, isRoot: false).arguments.first { $0.hasPrefix("--host-resolver-rules=") }
            )
        }
        let open = try rules()
        for host in [
            "localhost", "127.???.???.???", "192.168.???.???", "172.31.???.???", "100.127.???.???", "::1", "fd??:*",
            "*.local",
        ] {
            #expect(open.contains("MAP \(host) ~NOTFOUND"), "\(host)")
        }
        #expect(!open.contains("172.32.") && !open.contains("MAP * "))
        options.network = .closed
        #expect(try rules() == "--host-resolver-rules=MAP * ~NOTFOUND")
    }

    @Test("the memory of the browser's processes is limited if prlimit is installed")
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
