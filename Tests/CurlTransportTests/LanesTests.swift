import Testing

@testable import CurlTransport

@Suite("Who may go next")
struct LanesTests {
    private func expect(_ lanes: inout Lanes, admits id: UInt64?, _ why: Comment = "") {
        let admitted = lanes.admit()
        #expect(admitted == id, why)
    }

    @Test("each host in turn, in order of arrival within it, and no more at once than allowed")
    func turns() {
        var lanes = Lanes(perHost: 2, total: 3)
        for id in 1...4 { lanes.arrive(UInt64(id), at: "slow") }
        lanes.arrive(5, at: "quick")
        var admitted: [UInt64] = []
        while let id = lanes.admit() { admitted.append(id) }
        #expect(admitted == [1, 5, 2], "the quick host does not wait for the slow one")
        lanes.leave("quick")
        self.expect(&lanes, admits: nil, "the slow host has its two")
        lanes.leave("slow")
        self.expect(&lanes, admits: 3)
        self.expect(&lanes, admits: nil)
    }

    @Test("who withdraws holds nobody up, and nothing is left behind")
    func withdraws() {
        var lanes = Lanes(perHost: 1, total: 1)
        for id in 1...3 { lanes.arrive(UInt64(id), at: "a") }
        self.expect(&lanes, admits: 1)
        lanes.withdraw(2, from: "a")
        lanes.withdraw(2, from: "a")
        lanes.withdraw(9, from: "b")
        lanes.leave("a")
        self.expect(&lanes, admits: 3)
        lanes.leave("a")
        self.expect(&lanes, admits: nil)
        #expect(lanes.isEmpty)
    }
}
