import Testing

@testable import PlayQueue

@Suite("What a worker does next")
struct WorkerPlanTests {
    private let start = ContinuousClock.now

    private func plan(lanes: Int = 4, endsWhenEmpty: Bool = false) -> WorkerPlan {
        WorkerPlan(lanes: lanes, lease: .seconds(60), endsWhenEmpty: endsWhenEmpty, at: self.start)
    }

    private static func counts(waiting: Int = 0, inProgress: Int = 0, suspects: Int = 0) -> OpenCounts {
        OpenCounts(waiting: waiting, inProgress: inProgress, setAside: 0, oldest: nil, suspects: suspects)
    }

    @Test("it tells that it is there, claims for its free lanes, and waits for the next renewal")
    func claims() {
        var plan = self.plan()
        #expect(plan.next(at: self.start) == .renew)
        #expect(plan.renewed(held: [], Self.counts(waiting: 10), at: self.start) == [])
        #expect(plan.next(at: self.start) == .claim(4, suspects: false))
        plan.claimed([(1, 7), (2, 7), (3, 7), (4, 7)], of: 4, suspects: false, at: self.start)
        #expect(plan.next(at: self.start) == .wait(until: self.start + .seconds(15)))
        plan.ended(2, claim: 7, at: self.start)
        #expect(plan.next(at: self.start) == .claim(1, suspects: false))
        #expect(plan.claims.map(\.id) == [1, 3, 4] && plan.claims.allSatisfy { $0.claim == 7 })
        #expect(plan.next(at: self.start + .seconds(15)) == .renew)
    }

    @Test("a suspect is claimed alone, when the others have ended")
    func suspects() {
        var plan = self.plan(lanes: 2)
        _ = plan.renewed(held: [], Self.counts(waiting: 9), at: self.start)
        plan.claimed([(1, 1), (2, 1)], of: 2, suspects: false, at: self.start)
        _ = plan.renewed(held: [1, 2], Self.counts(waiting: 7, suspects: 1), at: self.start)
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
        _ = plan.renewed(held: [], Self.counts(), at: self.start)
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
        _ = plan.renewed(held: [], Self.counts(inProgress: 1), at: self.start)
        plan.claimed([], of: 4, suspects: false, at: self.start)
        plan.claimed([], of: 1, suspects: true, at: self.start)
        #expect(plan.next(at: self.start) != .end)
        #expect(plan.next(at: self.start + .seconds(1)) == .renew)
        _ = plan.renewed(held: [], Self.counts(), at: self.start)
        #expect(plan.next(at: self.start) == .end)
    }

    @Test("what it no longer holds is told, and is not given back")
    func lost() {
        var plan = self.plan()
        plan.claimed([(1, 1), (2, 1)], of: 4, suspects: false, at: self.start)
        #expect(plan.renewed(held: [2], Self.counts(), at: self.start) == [1])
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
}
