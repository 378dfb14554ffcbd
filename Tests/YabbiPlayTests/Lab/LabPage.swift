import AdCore
import EngineSupport
import PlayLab
import SystemSupport
import TestSupport
import Testing

@testable import ChromiumStage
@testable import WebStage
@testable import YabbiPlay

/// The page of a lab in a browser of its own, as a person has it.
final class LabPage: Sendable {
    let lab: Lab
    private let host: CommandLabHost
    let server: LabServer
    private let browser: Browser
    private let page: ChromiumPage

    /// Opens a lab and its page.
    static func open(_ size: Size = Size(width: 1440, height: 900)) async throws -> LabPage {
        let host = try CommandLabHost(
            LabSettings(creatives: PackageFolder.path + "/Creatives", isSandboxed: true)
        )
        let lab = Lab(host) { WallTime(milliseconds: 0) }
        let server = try LabServer(lab, port: 0, token: "0123456789abcdef")
        var options = ChromiumOptions()
        options.network = .closed
        options.reachesThisComputer = true
        let binary = try ChromiumBinary.find(named: nil, withWindows: false)
        let browser = try Browser(binary, options, screen: size)
        let page = LabPage(host, lab, server, browser, try await browser.makePage(on: size, within: .seconds(20)))
        try await page.load()
        return page
    }

    private init(
        _ host: CommandLabHost,
        _ lab: Lab,
        _ server: LabServer,
        _ browser: Browser,
        _ page: ChromiumPage
    ) {
        (self.host, self.lab, self.server, self.browser, self.page) = (host, lab, server, browser, page)
    }

    private func load() async throws {
        var device = EngineDevice(userAgent: "Test")
        device.isMobile = false
        device.hasTouch = false
        self.page.send(.emulate(device, in: self.page.target))
        // What goes wrong in the page is collected from its start.
        let collecting = """
            globalThis.problems = [];
            addEventListener("error", (event) => problems.push(String(event.message)));
            addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
            addEventListener("securitypolicyviolation", (event) => problems.push(event.violatedDirective));
            """
        for command in [
            DevToolsCommand("Page.enable", in: self.page.target),
            DevToolsCommand(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": .string(collecting)],
                in: self.page.target
            ),
        ] { _ = try await self.browser.call(command, within: .seconds(20)) }
        try await self.reload()
    }

    /// Loads the page, or loads it again.
    func reload() async throws {
        _ = try await self.page.query(.load(self.server.url, in: self.page.target), within: .seconds(20))
        try await self.wait(for: "document.querySelector('#device option')")
    }

    /// The value of a script; an exception is an error.
    @discardableResult
    func evaluate(_ script: String) async throws -> AdJSON {
        let reply = try await self.page.query(
            .evaluate(EngineEvaluation(script), in: self.page.target),
            within: .timeout(30)
        )
        if case .exception(let text) = reply { throw StageError(text) }
        return reply.value
    }

    func text(of selector: String) async throws -> String {
        try await self.evaluate("document.querySelector('\(selector)')?.textContent ?? ''").string ?? ""
    }

    /// Waits until an expression is true, looking before each picture of the page.
    func wait(for condition: String, _ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let script = """
            new Promise((resolve) => {
              const end = performance.now() + 20000;
              const check = () => {
                if (\(condition)) resolve(true);
                else if (performance.now() > end) resolve(false);
                else requestAnimationFrame(check);
              };
              check();
            })
            """
        let isMet = try await self.evaluate(script) == true
        if !isMet { Issue.record("The page did not get to: \(condition)", sourceLocation: sourceLocation) }
    }

    /// Clicks the middle of an element, or a point of it as shares of its size.
    func click(_ selector: String, atX x: Double = 0.5, y: Double = 0.5) async throws {
        // What was just opened can be pressed when it is drawn.
        let place = try await self.evaluate(
            """
            new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
              const box = document.querySelector('\(selector)').getBoundingClientRect();
              resolve([box.left + box.width * \(x), box.top + box.height * \(y)]);
            })))
            """
        )
        let numbers = place.array?.compactMap(\.number) ?? []
        let (left, top) = (try #require(numbers.first), try #require(numbers.last))
        for step in [EngineMouse.move, .press] {
            self.page.send(.mouse(step, x: left, y: top, in: self.page.target))
        }
        _ = try await self.page.query(.mouse(.release, x: left, y: top, in: self.page.target), within: .seconds(20))
    }

    /// Presses and releases a key; modifiers are those of `EngineKey`.
    func press(_ key: String, modifiers: Int = 0) async throws {
        for isDown in [true, false] {
            let key = EngineKey(isDown: isDown, key: key, code: key, text: "", modifiers: modifiers)
            _ = try await self.page.query(.key(key, in: self.page.target), within: .seconds(20))
        }
    }

    /// Pastes a source, and runs it with the keyboard.
    func run(_ source: String, size: String = "") async throws {
        try await self.evaluate(
            """
            (() => {
              document.querySelector('#tab-markup').click();
              const enter = (id, value) => {
                const input = document.getElementById(id);
                input.value = value;
                input.dispatchEvent(new Event('input', { bubbles: true }));
              };
              enter('text', \(AdJSON.string(source).text()));
              const [width, height] = '\(size)'.split('x');
              enter('width', width ?? '');
              enter('height', height ?? '');
              document.getElementById('text').focus();
            })()
            """
        )
        try await self.press("Enter", modifiers: 2)
    }

    /// What went wrong in the page so far.
    var problems: [String] {
        get async throws { try await self.evaluate("problems").array?.compactMap(\.string) ?? [] }
    }

    func close() async {
        self.browser.close()
        await self.browser.untilGone()
        self.server.stop()
        await self.host.close()
    }
}
