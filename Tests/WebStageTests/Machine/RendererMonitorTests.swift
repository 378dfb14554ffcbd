import AdCore
import Testing

@testable import WebStage

@Suite("Whether what is shown answers")
struct RendererMonitorTests {
    private let session = EngineTarget(name: "S")
    private var again: [StageOutput] { [.setAlarm(.monitor(self.session), after: .seconds(2))] }

    @Test("a target is queried again and again, from when it is watched until it is gone")
    func asked() {
        var monitor = RendererMonitor()
        #expect(monitor.query(self.session).isEmpty)
        let first = monitor.watch(self.session)
        #expect(first == self.again)
        let second = monitor.watch(self.session)
        #expect(second.isEmpty, "it is watched already")
        #expect(monitor.query(self.session).count == 1)
        let well = monitor.handle(.success(.memory(1)), of: self.session)
        #expect(well == .healthy(self.again))
        monitor.forget(self.session)
        #expect(monitor.query(self.session).isEmpty)
        let late = monitor.handle(.failure(.late("x")), of: self.session)
        #expect(late == .healthy([]), "an answer that comes when it is over means nothing")
    }

    @Test(
        "a target that does not answer is ill, once; one that refuses may have changed its process, and is queried again"
    )
    func silence() {
        var monitor = RendererMonitor()
        _ = monitor.watch(self.session)
        let refusal = monitor.handle(.failure(.refused("no such frame")), of: self.session)
        #expect(refusal == .healthy(self.again))
        #expect(!monitor.hasEnded(self.session))
        let late = monitor.handle(.failure(.late("x")), of: self.session)
        #expect(late == .unhealthy("does not answer any more"))
        #expect(monitor.hasEnded(self.session) && !monitor.hasEnded(nil))
        #expect(monitor.query(self.session).isEmpty)
        let again = monitor.watch(self.session)
        #expect(again.isEmpty, "what was ended is not watched any more")
    }

    @Test("too much memory is reported with its figure")
    func memory() {
        #expect(RendererMonitor.excess(500_000_000) == nil)
        #expect(RendererMonitor.excess(600_000_000) == "572 MB of memory; the limit is 512 MB")
        #expect(RendererMonitor.excess(0) == nil && RendererMonitor.excess(.max) != nil)
        var monitor = RendererMonitor()
        _ = monitor.watch(self.session)
        let finding = monitor.handle(.success(.memory(600_000_000)), of: self.session)
        #expect(finding == .unhealthy("uses 572 MB of memory; the limit is 512 MB"))
    }
}
