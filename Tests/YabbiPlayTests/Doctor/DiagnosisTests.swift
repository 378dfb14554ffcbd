import AdCore
import CurlTransport
import PlayStages
import Testing

@testable import PlayConsole
@testable import PlayText
@testable import YabbiPlay

@Suite("Diagnoses of doctor")
struct DiagnosisTests {
    private func ledger(
        _ counts: OutboxCounts = OutboxCounts(),
        oldest: Duration? = nil,
        errors: [String] = [],
        dropped: Int = 0
    ) -> Diagnosis {
        .ledger("b.db", .read(LedgerState(integrityErrors: errors, counts: counts, oldest: oldest, dropped: dropped)))
    }

    @Test("a missing browser is an error only if it is required; a browser that shows nothing is always one")
    func browser() {
        let missing = BrowserProbe.missing("no browser was found; install one")
        let optional = Diagnosis.browser(missing, isRequired: false)
        #expect(optional.state == .improvable && optional.code == .done && optional.fix == "install one")
        let required = Diagnosis.browser(missing, isRequired: true)
        #expect(required.state == .broken && required.code == .showFailed)
        #expect(required.found == "no browser was found" && required.fix == "install one")

        let shown = Diagnosis.browser(
            .shown(path: "/c", version: "Chrome 1", after: .milliseconds(640)),
            isRequired: true
        )
        #expect(shown.state == .fine && shown.fix == nil)
        #expect(shown.found == "Chrome 1, /c, shows a page with its sandbox in 0.6 s")
        #expect(shown.json["version"] == "Chrome 1")

        for (works, fix) in [(true, "--no-sandbox"), (false, "manually")] {
            let probe = BrowserProbe.failed(path: "/c", reason: "it went away", worksUnsandboxed: works)
            let failed = Diagnosis.browser(probe, isRequired: false)
            #expect(failed.state == .broken && failed.code == .showFailed)
            #expect(failed.found == "/c does not show a page: it went away")
            #expect(failed.fix?.contains(fix) ?? false)
        }
    }

    @Test("a helper for WebKit that is not built is an error only if it is required, and has its own fix")
    func webKit() {
        let missing = BrowserProbe.missing("the helper for WebKit is not built; build it (make webkit)")
        let optional = Diagnosis.browser(missing, .webKit, isRequired: false)
        #expect(optional.check == "webkit" && optional.state == .improvable && optional.code == .done)
        #expect(optional.found == "the helper for WebKit is not built; only --stage webkit needs it")
        #expect(optional.fix == "build it (make webkit)")
        #expect(Diagnosis.browser(missing, .webKit, isRequired: true).code == .showFailed)
        let failed = BrowserProbe.failed(path: "/w", reason: "the display can't be opened", worksUnsandboxed: false)
        #expect(Diagnosis.browser(failed, .webKit, isRequired: false).fix?.contains("make webkit") ?? false)
    }

    @Test("no window, no creatives and old profiles are warnings; an unusable part is an error")
    func surroundings() {
        #expect(Diagnosis.window(.failure(ProbeFailure(message: "there is no desktop; run xvfb"))).fix == "run xvfb")
        #expect(Diagnosis.window(.success("/c")).state == .fine)
        #expect(Diagnosis.creatives(nil, .success(0)).state == .improvable)
        #expect(Diagnosis.creatives("/x", .success(0)).state == .improvable)
        #expect(Diagnosis.creatives("/x", .success(3)).found == "3 in /x")
        let unreadable = Diagnosis.creatives("/x", .failure(ProbeFailure(message: "/x can't be read")))
        #expect(unreadable.code == .loadFailed && unreadable.fix?.contains("--creatives") ?? false)
        #expect(Diagnosis.server(.success(.milliseconds(9))).found.hasSuffix("after 9 ms"))
        #expect(Diagnosis.server(.failure(ProbeFailure(message: "no socket"))).code == .loadFailed)
        #expect(Diagnosis.temporaryFolder("/t", writeError: nil).state == .fine)
        #expect(Diagnosis.temporaryFolder("/t", writeError: "it is full").code == .showFailed)
        #expect(Diagnosis.curl(CurlLibrary(version: "8.0", tls: nil)).code == .loadFailed)
        #expect(Diagnosis.curl(CurlLibrary(version: "8.0", tls: "OpenSSL/3")).found == "libcurl 8.0 with OpenSSL/3")
        #expect(Diagnosis.sqlite(version: "3.30.0", isNewEnough: false).code == .beacons)
    }

    @Test("profiles of killed browsers are reported, with how to remove them")
    func leftovers() {
        #expect(Diagnosis.leftovers(in: "/t", before: [], after: []).state == .fine)
        let removed = Diagnosis.leftovers(in: "/t", before: ["/t/a", "/t/b"], after: [])
        #expect(removed.state == .fine && removed.found == "2 profiles of killed browsers removed from /t")
        let left = Diagnosis.leftovers(in: "/t", before: [], after: ["/t/a", "/t/b", "/t/c", "/t/d"])
        #expect(left.state == .improvable && left.code == .done)
        #expect(left.fix?.hasSuffix("rm -r /t/a /t/b /t/c, and 1 more") ?? false)
    }

    @Test("a damaged ledger and dead or unconfirmed beacons are errors, long pending beacons a warning")
    func ledgers() {
        #expect(self.ledger(OutboxCounts(waiting: 1, delivered: 9), oldest: .seconds(60)).state == .fine)
        let late = self.ledger(OutboxCounts(waiting: 1), oldest: .seconds(7300))
        #expect(late.state == .improvable && late.code == .done && late.fix?.contains("outbox flush") ?? false)
        #expect(late.found.hasSuffix("oldest pending 2 h old"))
        #expect(late.json["oldestPending"] == 7_300_000)
        for counts in [OutboxCounts(dead: 1), OutboxCounts(unconfirmed: 1)] {
            let dead = self.ledger(counts)
            #expect(dead.state == .broken && dead.code == .beacons && dead.fix?.contains("outbox list") ?? false)
        }
        let damaged = self.ledger(errors: ["row 7 missing"])
        #expect(damaged.code == .beacons && damaged.found == "b.db is damaged: row 7 missing")
        #expect(self.ledger(dropped: 3).state == .improvable)
        let unreadable = Diagnosis.ledger("b.db", .unreadable("b.db is no ledger; name another file"))
        #expect(unreadable.code == .beacons && unreadable.fix == "name another file")
    }

    @Test("the worst diagnosis decides the exit code, and the summary counts")
    func together() {
        let all: [Diagnosis] = [
            .fine("a", "x"), .improvable("b", "x", fix: "y"), .broken("c", "x", fix: "y", .beacons),
            .broken("d", "x", fix: "y", .showFailed),
        ]
        #expect(Diagnosis.code(of: all) == .showFailed)
        #expect(Diagnosis.code(of: Array(all.prefix(2))) == .done)
        #expect(Diagnosis.summary(of: all) == "1 ok, 1 warning, 2 errors")
    }

    @Test("text output has state, finding and fix, wrapped to the width")
    func lines() {
        let plain = Style(isColored: false)
        let broken = Diagnosis.broken("server", "it can't be asked", fix: "see what forbids it", .loadFailed)
        #expect(
            broken.lines(plain, width: 80) == [
                "error    server: it can't be asked", "         → see what forbids it",
            ]
        )
        for line in broken.lines(plain, width: 30) { #expect(Style.columns(line) <= 30) }
        let colored = broken.lines(Style(isColored: true), width: 80)
        #expect(colored[0].hasPrefix("\u{1B}[31merror\u{1B}[0m "))
        #expect(colored.map(Style.plain) == broken.lines(plain, width: 80))
    }
}
