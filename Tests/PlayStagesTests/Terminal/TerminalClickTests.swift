import AdCore
import AdHTML
import AdMarkup
import AdRuntime
import BrowserSupport
import LibC
import PlaySupport
import SystemSupport
import TestSupport
import Testing

@testable import ChromiumStage
@testable import PlayStages
@testable import PlayText
@testable import WebStage

/// A folder of third-party creatives beside the project.
private let field = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/") + "/shared/field"

@Suite("A tap on the terminal stage")
struct TerminalClickTests {
    /// The outcome of a tap that a stage reported.
    private static func outcome(_ events: [StageEvent]) -> TapExpectation? {
        for event in events {
            switch event {
            case .click(let link, byUser: true, _): return .click(link?.text ?? "")
            case .tap(.creative(let what), _): return .creative(what)
            case .tap(.nothing(let reason), _): return .nothing(reason)
            default: continue
            }
        }
        return nil
    }

    private static func agrees(_ outcome: TapExpectation?, _ expected: TapExpectation) -> Bool {
        switch (outcome, expected) {
        case (.click(let url), .click(let wanted)): url == ClickThroughURL(wanted)?.text
        case (.creative(let what), .creative(let words)): what.contains(words)
        case (.nothing(let reason), .nothing(let words)): words.map { reason?.contains($0) ?? false } ?? true
        default: false
        }
    }

    private func creative(_ markup: String) throws -> Creative {
        let document = try HTMLDocument(parsing: markup)
        return .html(HTMLCreative(markup: document.markup, document: document.stageDocument()))
    }

    /// Taps a creative once on the terminal stage.
    private func tap(_ creative: Creative) async throws -> [StageEvent] {
        let services = ShowServices(
            BufferConsole(),
            clock: VirtualClock(),
            signals: HostSignalSource(),
            script: UserScript(),
            container: ContainerSize(chosen: nil, kind: .banner, requested: .adaptive, declared: nil),
            isSilent: true
        )
        let presenter = TerminalPresenter(services, probe: MediaProbe(transport: NoTransport(), userAgent: "Test/1.0"))
        let room = AdContainer.fullScreen(Size(width: 390, height: 844))
        let options = StageOptions(ad: AdID(bits: 1), kind: .banner, size: CreativeLayout(.adaptive, in: room))
        let events = Locked<[StageEvent]>([])
        let stage = try await presenter.present(creative, options) { event in events.withLock { $0.append(event) } }
        await stage.reveal()
        (stage as? TerminalStage)?.click()
        await stage.close(.user)
        return events.withLock(\.self)
    }

    @Test("each kind of click has its outcome, and is reported once", arguments: ClickFixtures.all)
    func fixtures(fixture: ClickFixture) async throws {
        let events = try await self.tap(self.creative(fixture.markup))
        let outcome = TerminalClickTests.outcome(events)
        let expected = fixture.needsBrowser ? .nothing("use --stage chromium") : fixture.outcome
        #expect(TerminalClickTests.agrees(outcome, expected), "\(String(describing: outcome))")
        let reports = events.count { event in
            switch event {
            case .click, .tap: true
            default: false
            }
        }
        #expect(reports == 1)
    }

    @Test(
        "third-party creatives have the same outcomes as in a browser",
        .enabled(if: access(field, R_OK) == 0, "there is no folder of third-party creatives beside the project")
    )
    func others() async throws {
        for (file, expected) in ClickTable.rows {
            let bytes = try #require(TerminalClickTests.bytes(field + "/" + file), "\(file)")
            let document = try HTMLDocument(parsing: bytes)
            let creative = Creative.html(HTMLCreative(markup: document.markup, document: document.stageDocument()))
            let outcome = TerminalClickTests.outcome(try await self.tap(creative))
            #expect(TerminalClickTests.agrees(outcome, expected), "\(file): \(String(describing: outcome))")
        }
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    @Test("a click that an external script decides is reported as unknown, and is not a click")
    func unknown() async throws {
        let events = try await self.tap(self.creative("<div>x</div><script src='https://cdn.example/a.js'></script>"))
        guard case .nothing(let reason)? = TerminalClickTests.outcome(events) else {
            Issue.record("\(events)")
            return
        }
        #expect(reason?.contains("cdn.example") == true && reason?.contains("--stage chromium") == true)
    }

    @Test(
        "the browser stage has the same outcome for each kind of click",
        .needsBrowser,
        .timeLimit(.minutes(5))
    )
    func browser() async throws {
        var options = ChromiumOptions()
        options.network = .closed
        let presenter = try ChromiumPresenter(options)
        let rest = Locked(ClickFixtures.all[...])
        // Most of a tap's time is waiting, so four pages of one browser are tapped at a time.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    while let fixture = rest.withLock({ $0.popFirst() }) {
                        let outcome = try await self.tapInBrowser(self.creative(fixture.markup), presenter)
                        #expect(
                            TerminalClickTests.agrees(outcome, fixture.outcome),
                            "\(fixture): \(String(describing: outcome)), expected \(fixture.outcome)"
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func tapInBrowser(_ creative: Creative, _ presenter: ChromiumPresenter) async throws -> TapExpectation? {
        let container = await presenter.container(for: .banner)
        let options = StageOptions(ad: AdID("tap"), kind: .banner, size: CreativeLayout(.adaptive, in: container))
        let events = Locked<[StageEvent]>([])
        let (visible, isVisible) = AsyncStream<Void>.makeStream()
        let stage = try await presenter.stage(creative, options) { event in
            events.withLock { $0.append(event) }
            if case .visible = event { isVisible.yield() }
        }
        await stage.reveal()
        for await _ in visible { break }
        if let place = await stage.clickPosition() { try await stage.click(place) }
        await stage.close(.host)
        return TerminalClickTests.outcome(events.withLock(\.self))
    }
}
