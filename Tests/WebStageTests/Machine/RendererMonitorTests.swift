import AdCore
import Testing

@testable import WebStage

@Suite("Monitoring of renderers")
struct RendererMonitorTests {
    private let session = EngineTarget(name: "S")
    private var nextAlarm: [StageOutput] { [.setAlarm(.monitor(self.session), after: .seconds(2))] }

    @Test("a target is checked repeatedly until it is removed")
    func checks() {
        var monitor = RendererMonitor()
        #expect(monitor.query(self.session).isEmpty)
        let first = monitor.watch(self.session)
        #expect(first == self.nextAlarm)
        let second = monitor.watch(self.session)
        #expect(second.isEmpty, "the target is monitored already")
        #expect(monitor.query(self.session).count == 1)
        let healthy = monitor.handle(.success(.memory(1)), of: self.session)
        #expect(healthy == .healthy(self.nextAlarm))
        monitor.forget(self.session)
        #expect(monitor.query(self.session).isEmpty)
        let late = monitor.handle(.failure(.late("x")), of: self.session)
        #expect(late == .healthy([]), "a reply after the removal is ignored")
    }

    @Test(
        "a target that does not answer is unhealthy, once; one that refuses is checked again"
    )
    func silence() {
        var monitor = RendererMonitor()
        _ = monitor.watch(self.session)
        let refusal = monitor.handle(.failure(.refused("no such frame")), of: self.session)
        #expect(refusal == .healthy(self.nextAlarm))
        #expect(!monitor.hasEnded(self.session))
        let late = monitor.handle(.failure(.late("x")), of: self.session)
        #expect(late == .unhealthy("does not answer any more"))
        #expect(monitor.hasEnded(self.session) && !monitor.hasEnded(nil))
        #expect(monitor.query(self.session).isEmpty)
        let again = monitor.watch(self.session)
        #expect(again.isEmpty, "an ended target is not monitored any more")
    }

    @Test("excessive memory is reported with its size")
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
