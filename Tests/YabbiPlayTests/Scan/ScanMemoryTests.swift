import AdCore
import BrowserSupport
import PlayConsole
import PlayScan
import SystemSupport
import TestSupport
import Testing

@testable import YabbiPlay

@Suite(
    "The memory of a scan",
    .needsBrowser,
    .disabled(if: Sanitizer.isOfAddresses, "AddressSanitizer keeps freed memory")
)
struct ScanMemoryTests {
    @Test("a scanned creative leaves nothing behind")
    func released() async throws {
        let words = ["a.html", "--watch", "0.1", "--no-follow"]
        let settings = try ScanSettings(Arguments(words, for: ScanCommand.self))
        let browser = try ScanBrowser(lanes: 1)
        let services = try ScanServices(settings, browser, takesPictures: false)
        let filler = String(repeating: "<!-- filler -->", count: 20_000)
        let markup = Array("<!DOCTYPE html><body><a href='https://shop.example/'>An offer</a>\(filler)</body>".utf8)
        var (samples, runs): ([Int], [Weak]) = ([], [])
        for number in 0..<5 {
            let run = ScanRun(ScanItem("ad-\(number)", .markup(markup), from: "list"), in: services)
            runs.append(Weak(run))
            let outcome = await run.run()
            #expect(outcome.hostFailure == nil)
            samples.append(ProcessMemory.ofThisProcess)
        }
        // Tasks end a moment after their ads.
        var left = runs.count
        for _ in 0..<200 where left > 1 {
            try await Task.sleep(for: .milliseconds(20))
            left = runs.count { $0.run != nil }
        }
        #expect(left <= 1)
        let growth = (samples[4] - samples[1]) / 3
        #expect(growth < markup.count / 2, "\(samples)")
        _ = await browser.close()
    }

    private struct Weak {
        weak var run: ScanRun?

        init(_ run: ScanRun) { self.run = run }
    }
}
