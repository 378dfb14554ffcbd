import TestSupport
import Testing

@testable import AdCore

/// Random views of two processes that share a store and are restarted, compared with a list of all views.
///
/// To repeat one: `YABBI_SEED=<seed> swift test --filter FrequencyPropertyTests`; `YABBI_LONG=1` runs more.
@Suite("Frequency caps with random views")
struct FrequencyPropertyTests {
    @Test("no window ever has more views than its cap, also after restarts, and nothing else is refused")
    func windows() async {
        for seed in TestSeed.all(from: 0xCA9, count: LongForm.either(5_000, short: 300)) {
            var run = FrequencyRun(seed: seed)
            run.run()
            if seed.isMultiple(of: 50) { await Task.yield() }
            guard run.violations.isEmpty else {
                Testing.Issue.record("YABBI_SEED=\(seed) breaks: \(run.violations.prefix(5))")
                return
            }
        }
    }
}

/// One random sequence.
struct FrequencyRun {
    private(set) var violations: [String] = []
    private(set) var views: [CountedView] = []
    private var random: TestRandom
    private let caps: [FrequencyCap]
    private let zone: Int
    private var wall = WallTime(milliseconds: 1_700_000_000_000)
    /// The two processes, each with the time at which it was started.
    private var processes: [(log: FrequencyLog, start: WallTime)] = []
    private var sessions = 0

    init(seed: UInt64) {
        var random = TestRandom(seed: seed)
        self.caps = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let scope = FrequencyCap.Scope.allCases.randomElement(using: &random) ?? .placement
            let period = FrequencyCap.Period.allCases.randomElement(using: &random) ?? .hour
            let id = Int.random(in: 0..<4, using: &random) == 0 ? "1" : nil
            return FrequencyCap(Int.random(in: 1...4, using: &random), of: scope, in: period, id: id)
        }
        self.zone = Int.random(in: -720...840, using: &random)
        self.random = random
        self.processes = [self.process(), self.process()]
    }

    private mutating func process() -> (log: FrequencyLog, start: WallTime) {
        self.sessions += 1
        return (FrequencyLog(self.caps, session: "\(self.sessions)"), self.wall)
    }

    mutating func run() {
        for number in 0..<100 {
            self.wall = self.wall + .seconds(Int.random(in: 0...3_000, using: &self.random))
            let index = Int.random(in: 0...1, using: &self.random)
            if Int.random(in: 0..<15, using: &self.random) == 0 { self.processes[index] = self.process() }
            let ad = CappedAd(placement: self.id(2), campaign: self.id(3), advertiser: self.id(2))
            self.show(AdID("\(number)"), ad, by: index)
        }
    }

    private mutating func id(_ count: Int) -> String? {
        let number = Int.random(in: 0...count, using: &self.random)
        return number == 0 ? nil : "\(number)"
    }

    private mutating func show(_ id: AdID, _ ad: CappedAd, by index: Int) {
        let now = FrequencyLog.Now(
            Moment(self.wall - self.processes[index].start),
            wall: self.wall,
            minutesAhead: self.zone
        )
        let start = self.processes[index].log.start(at: now)
        self.processes[index].log.merge(self.views.filter { $0.time >= start }, at: now)
        let session = self.processes[index].log.session
        let full = self.caps.filter { self.isFull($0, for: ad, in: session, at: self.wall) }
        guard let reached = self.processes[index].log.reached(by: ad, at: now) else {
            for cap in full { self.violations.append("view \(id) exceeds \(cap)") }
            self.processes[index].log.record(id, of: ad, at: now)
            self.views.append(CountedView(id, of: ad, at: self.wall, session: session))
            return
        }
        if !full.contains(reached.cap) { self.violations.append("view \(id) is refused by \(reached), wrongly") }
        guard let until = reached.until else { return }
        if self.isFull(reached.cap, for: ad, in: session, at: until) {
            self.violations.append("\(reached) is still full then")
        }
        if !self.isFull(reached.cap, for: ad, in: session, at: until + .milliseconds(-1)) {
            self.violations.append("\(reached) is over sooner")
        }
    }

    /// Whether the views so far reach a cap at a time.
    private func isFull(_ cap: FrequencyCap, for ad: CappedAd, in session: String, at time: WallTime) -> Bool {
        guard let id = ad.id(of: cap.scope), cap.id == nil || cap.id == id else { return false }
        let count = self.views.count { view in
            guard view.of.id(of: cap.scope) == id else { return false }
            return switch cap.period {
            case .hour: time - view.time < .seconds(3_600)
            case .day: self.day(view.time) == self.day(time)
            case .session: view.session == session
            }
        }
        return count >= cap.count
    }

    private func day(_ time: WallTime) -> Int64 { (time.milliseconds + Int64(self.zone) * 60_000) / 86_400_000 }
}
