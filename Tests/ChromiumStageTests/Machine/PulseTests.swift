import AdCore
import Testing

@testable import ChromiumStage

@Suite("The pulse of what is shown")
struct PulseTests {
    private let session = DevToolsSession(name: "S")
    private var again: [StageOutput] { [.setAlarm(.pulse(self.session), after: .seconds(2))] }

    @Test("something is asked again and again, from when it is watched until it is over")
    func asked() {
        var pulse = Pulse()
        #expect(pulse.wake(self.session).isEmpty)
        let first = pulse.watch(self.session)
        #expect(first == self.again)
        let second = pulse.watch(self.session)
        #expect(second.isEmpty, "it is watched already")
        #expect(pulse.wake(self.session).count == 1)
        let well = pulse.take(.success(["usedSize": 1]), of: self.session)
        #expect(well == .well(self.again))
        pulse.forget(self.session)
        #expect(pulse.wake(self.session).isEmpty)
        let late = pulse.take(.failure(.late("x")), of: self.session)
        #expect(late == .well([]), "an answer that comes when it is over means nothing")
    }

    @Test("what does not answer is ill, once; what refuses has changed its process, perhaps, and is asked again")
    func silence() {
        var pulse = Pulse()
        _ = pulse.watch(self.session)
        let refusal = pulse.take(.failure(.refused("no such frame")), of: self.session)
        #expect(refusal == .well(self.again))
        #expect(!pulse.hasEnded(self.session))
        let late = pulse.take(.failure(.late("x")), of: self.session)
        #expect(late == .ill("does not answer any more"))
        #expect(pulse.hasEnded(self.session) && !pulse.hasEnded(nil))
        #expect(pulse.wake(self.session).isEmpty)
        let again = pulse.watch(self.session)
        #expect(again.isEmpty, "what was ended is not watched any more")
    }

    @Test("memory is counted with all that belongs to a page")
    func memory() {
        #expect(Pulse.excess(["usedSize": 400_000_000, "backingStorageSize": 100_000_000]) == nil)
        let usage: JSON = [
            "usedSize": 400_000_000, "embedderHeapUsedSize": 100_000_000, "backingStorageSize": 100_000_000,
        ]
        #expect(Pulse.excess(usage) == "572 MB of memory, and 512 are the most")
        #expect(Pulse.excess([:]) == nil && Pulse.excess(["usedSize": .double(1e300)]) != nil)
        var pulse = Pulse()
        _ = pulse.watch(self.session)
        let finding = pulse.take(.success(usage), of: self.session)
        #expect(finding == .ill("takes 572 MB of memory, and 512 are the most"))
    }
}
