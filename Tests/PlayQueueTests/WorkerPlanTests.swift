import Testing

@testable import PlayQueue

@Suite("What a worker does next")
struct WorkerPlanTests {
    private let start = ContinuousClock.now

    private func plan(lanes: Int = 4, lease: Int = 60, endsWhenEmpty: Bool = false) -> WorkerPlan {
        WorkerPlan(lanes: lanes, lease: .seconds(lease), endsWhenEmpty: endsWhenEmpty, at: self.start)
    }

    private static let signs = QueueSigns(takesSuspects: false, isEmpty: false)
    private static let empty = QueueSigns(takesSuspects: false, isEmpty: true)
    private static let suspects = QueueSigns(takesSuspects: true, isEmpty: false)

    @Test("it tells that it is there, claims for its free lanes, and waits for the next renewal")
    func claims() {
        var plan = self.plan()
        #expect(plan.next(at: self.start) == .renew)
        #expect(plan.renewed(held: [], Self.signs, at: self.start) == [])
        #expect(plan.next(at: self.start) == .claim(4, suspects: false))
        plan.claimed([(1, 7), (2, 7), (3, 7), (4, 7)], of: 4, suspects: false, at: self.start)
        #expect(plan.next(at: self.start) == .wait(until: self.start + .seconds(15)))
        plan.ended(2, claim: 7, at: self.start)
        #expect(plan.next(at: self.start) == .claim(1, suspects: false))
        #expect(plan.claims.map(\.id) == [1, 3, 4] && plan.claims.allSatisfy { $0.claim == 7 })
        #expect(plan.next(at: self.start + .seconds(15)) == .renew)
    }

    @Test("it is seen four times a minute or more, also with a long lease", arguments: [(8, 2), (60, 15), (1_200, 15)])
    func renewals(_ lease: Int, _ interval: Int) {
        var plan = self.plan(lease: lease)
        _ = plan.renewed(held: [], Self.signs, at: self.start)
        plan.claimed([(1, 1), (2, 1), (3, 1), (4, 1)], of: 4, suspects: false, at: self.start)
        #expect(plan.next(at: self.start) == .wait(until: self.start + .seconds(interval)))
        #expect(plan.next(at: self.start + .seconds(interval)) == .renew)
    }

    @Test("a suspect is claimed alone, when the others have ended")
    func suspects() {
        var plan = self.plan(lanes: 2)
        _ = plan.renewed(held: [], Self.signs, at: self.start)
        plan.claimed([(1, 1), (2, 1)], of: 2, suspects: false, at: self.start)
        _ = plan.renewed(held: [1, 2], Self.suspects, at: self.start)
        plan.ended(1, claim: 1, at: self.start)
        #expect(plan.next(at: self.start) == .wait(until: self.start + .seconds(15)))
        plan.ended(2, claim: 1, at: self.start)
        #expect(plan.next(at: self.start) == .claim(1, suspects: true))
        plan.claimed([(3, 2)], of: 1, suspects: true, at: self.start)
        #expect(plan.next(at: self.start) == .wait(until: self.start + .seconds(15)))
        plan.ended(3, claim: 2, at: self.start)
        #expect(plan.next(at: self.start) == .claim(2, suspects: false))
    }

    @Test("an empty queue is asked for suspects at once, and then again in a moment")
    func empty() {
        var plan = self.plan()
        _ = plan.renewed(held: [], Self.empty, at: self.start)
        #expect(plan.next(at: self.start) == .claim(4, suspects: false))
        plan.claimed([], of: 4, suspects: false, at: self.start)
        #expect(plan.next(at: self.start) == .claim(1, suspects: true))
        plan.claimed([], of: 1, suspects: true, at: self.start)
        let later = self.start + WorkerPlan.pollInterval
        #expect(plan.next(at: self.start) == .wait(until: later))
        #expect(plan.next(at: later) == .claim(4, suspects: false))
    }

    @Test("it ends when nothing is left for any worker, and not before")
    func ends() {
        var plan = self.plan(endsWhenEmpty: true)
        _ = plan.renewed(held: [], Self.signs, at: self.start)
        plan.claimed([], of: 4, suspects: false, at: self.start)
        plan.claimed([], of: 1, suspects: true, at: self.start)
        #expect(plan.next(at: self.start) != .end)
        #expect(plan.next(at: self.start + .seconds(1)) == .renew)
        _ = plan.renewed(held: [], Self.empty, at: self.start)
        #expect(plan.next(at: self.start) == .end)
    }

    @Test("what it no longer holds is told, and is not given back")
    func lost() {
        var plan = self.plan()
        plan.claimed([(1, 1), (2, 1)], of: 4, suspects: false, at: self.start)
        #expect(plan.renewed(held: [2], Self.empty, at: self.start) == [1])
        #expect(plan.claims.map(\.id) == [2])
        // It has claimed the creative again: the end of the older scan is not that of this one.
        plan.claimed([(1, 5)], of: 1, suspects: false, at: self.start)
        plan.ended(1, claim: 1, at: self.start)
        #expect(plan.claims.map(\.claim) == [5, 1])
        plan.stop()
        #expect(plan.next(at: self.start) == .end)
    }

    @Test("while the database is away the pauses grow to ten seconds")
    func away() {
        var plan = self.plan()
        var (now, pauses) = (self.start, [Duration]())
        for _ in 0..<7 {
            #expect(plan.next(at: now) == .renew)
            plan.failed(at: now)
            guard case .wait(let end) = plan.next(at: now) else { return }
            pauses.append(end - now)
            now = end
        }
        #expect(pauses.map { $0 / .milliseconds(1) } == [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
    }

    @Test("a scan that takes too long is no longer renewed")
    func overdue() {
        var plan = self.plan()
        plan.claimed([(1, 1)], of: 1, suspects: false, at: self.start)
        let later = self.start + WorkerPlan.longestScan
        plan.claimed([(2, 2)], of: 1, suspects: false, at: later)
        let none = plan.dropOverdue(at: later)
        let overdue = plan.dropOverdue(at: later + .seconds(1))
        #expect(none == [] && overdue == [1] && plan.claims.map(\.id) == [2])
    }

    @Test("a computer that can't scan gives creatives back in growing pauses, and ends after four attempts")
    func unable() {
        var plan = self.plan(lanes: 2)
        var now = self.start
        for number in 1...4 {
            _ = plan.renewed(held: [], Self.signs, at: now)
            #expect(plan.next(at: now) == .claim(2, suspects: false) && !plan.isUnable)
            plan.claimed([(1, Int64(number)), (2, Int64(number))], of: 2, suspects: false, at: now)
            // Both fail together.
            for id in [Int64(1), 2] { plan.gaveBack(id, claim: Int64(number), at: now) }
            #expect(plan.next(at: now) != .claim(2, suspects: false))
            now += .milliseconds(500 * (1 << (number - 1)))
        }
        #expect(plan.isUnable)
    }
}
