import AdCore
import AdRuntime
import PlayConsole
import PlayReconcile
import PlayReport
import PlayStages
import PlayText
import SandboxSSP

/// Compares the beacons of a demo with the requests that the built-in server received.
struct DemoReconciliation {
    private let context: RunContext
    private let sandbox: Sandbox
    private let tour: DemoTour

    init(_ context: RunContext, _ sandbox: Sandbox, _ tour: DemoTour) {
        self.context = context
        self.sandbox = sandbox
        self.tour = tour
    }

    /// Prints the result; true if everything matches.
    func run() async throws(PlayError) -> Bool {
        let pages = PageReconciliation(self.tour.pageMessages, against: self.sandbox.bill().lines)
        let reconciliation = try await self.reconciliation()
        let console = self.context.console
        let style = Style(isColored: console.isColored)
        if self.context.options.isJSON {
            for line in reconciliation.jsonDetails(all: false) { console.out(line) }
            console.out(pages.json)
            console.out(reconciliation.json)
        } else {
            console.out("")
            for line in reconciliation.details(all: false, style) { console.out(line) }
            console.out(pages.line(style))
            for line in reconciliation.lines(style) { console.out(line) }
        }
        if let report = self.context.report {
            let plain = Style(isColored: false)
            report.conclude(
                with: reconciliation.lines(plain) + [pages.line(plain)] + reconciliation.details(all: false, plain)
            )
        }
        return reconciliation.isClean && pages.isClean
    }

    private func reconciliation() async throws(PlayError) -> Reconciliation {
        let entries: [LedgerEntry]
        do throws(LedgerError) {
            entries = try await self.context.services.beacons.entries()
        } catch {
            throw PlayError(.beacons, error.message)
        }
        // The ledger may contain beacons of other processes.
        let lines = entries.filter { self.tour.ads.contains($0.beacon.key.ad) }.map(LedgerLine.init)
        let calls = self.context.creativeRequests.paths(at: self.sandbox.url("/"))
        return Reconciliation(
            lines,
            against: HitList(self.sandbox, sentByCreatives: calls),
            // The server uses the system's time, so lateness is known only in real time.
            lateAfter: self.context.plan.time == .real(speed: 1) ? ReconcileCommand.defaultLateness : nil,
            failedAds: self.tour.failedAds
        )
    }
}
