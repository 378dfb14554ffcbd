import AdCore
import BrowserSupport
import PlayConsole
import PlayScan
import Testing

@testable import YabbiPlay

@Suite("The memory of a scan", .needsBrowser)
struct ScanMemoryTests {
    private struct Weak {
        weak var user: ScanUser?
    }

    /// Scans a creative, and returns its user if something still has a reference to it.
    private static func scan(_ name: String, _ services: ScanServices) async throws -> Weak {
        let markup = Array("<!DOCTYPE html><body><a href='https://shop.example/'>An offer</a></body>".utf8)
        let run = ScanRun(ScanItem(name, .markup(markup), from: "list"), in: services)
        async let outcome = run.run()
        var user = Weak()
        let deadline = ContinuousClock.now + .seconds(30)
        while user.user == nil, .now < deadline {
            user.user = run.user
            try await Task.sleep(for: .milliseconds(2))
        }
        let failure = await outcome.hostFailure
        #expect(failure == nil)
        return user
    }

    @Test("a scanned creative leaves nothing behind")
    func released() async throws {
        let words = ["a.html", "--watch", "0.1", "--no-follow"]
        let settings = try ScanSettings(Arguments(words, for: ScanCommand.self))
        let browser = try ScanBrowser(lanes: 1)
        let services = try ScanServices(settings, browser, takesPictures: false)
        let first = try await Self.scan("first", services)
        // The page of the last creative keeps it until the next one.
        _ = try await Self.scan("second", services)
        let deadline = ContinuousClock.now + .seconds(10)
        while first.user != nil, .now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        #expect(first.user == nil)
        _ = await browser.close()
    }
}
