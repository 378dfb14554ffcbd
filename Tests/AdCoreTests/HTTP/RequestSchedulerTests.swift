import AdCore
import Testing

@Suite("Request scheduler")
struct RequestSchedulerTests {
    private func expect(_ scheduler: inout RequestScheduler, admits id: UInt64?, _ why: Comment = "") {
        let admitted = scheduler.next()
        #expect(admitted == id, why)
    }

    @Test("requests start round-robin by host, in order of arrival within a host, up to the limits")
    func turns() {
        var scheduler = RequestScheduler(perHost: 2, total: 3)
        for id in 1...4 { scheduler.enqueue(UInt64(id), for: "slow") }
        scheduler.enqueue(5, for: "quick")
        var admitted: [UInt64] = []
        while let id = scheduler.next() { admitted.append(id) }
        #expect(admitted == [1, 5, 2], "the quick host does not wait for the slow one")
        scheduler.finish("quick")
        self.expect(&scheduler, admits: nil, "the slow host is at its limit")
        scheduler.finish("slow")
        self.expect(&scheduler, admits: 3)
        self.expect(&scheduler, admits: nil)
    }

    @Test("a removed request delays no other, and leaves no entry")
    func withdraws() {
        var scheduler = RequestScheduler(perHost: 1, total: 1)
        for id in 1...3 { scheduler.enqueue(UInt64(id), for: "a") }
        self.expect(&scheduler, admits: 1)
        scheduler.remove(2, from: "a")
        scheduler.remove(2, from: "a")
        scheduler.remove(9, from: "b")
        scheduler.finish("a")
        self.expect(&scheduler, admits: 3)
        scheduler.finish("a")
        self.expect(&scheduler, admits: nil)
        #expect(scheduler.isEmpty)
    }
}
