import TestSupport
import Testing

@testable import AdCore

/// Random input sequences for a pool, compared with what its actions say.
///
/// To repeat one: `YABBI_SEED=<seed> swift test --filter PoolPropertyTests`; `YABBI_LONG=1` runs more.
@Suite("A pool of ads with random input sequences")
struct PoolPropertyTests {
    @Test("no ad is lost or handed out twice, never are there more than the size, and no load comes in a pause")
    func invariants() async {
        for seed in TestSeed.all(from: 0x9001, count: LongForm.either(50_000, short: 3_000)) {
            var run = PoolRun(seed: seed)
            run.run()
            if seed.isMultiple(of: 50) { await Task.yield() }
            guard run.violations.isEmpty else {
                Testing.Issue.record("YABBI_SEED=\(seed) breaks: \(run.violations.prefix(5))")
                return
            }
        }
    }

    @Test("random sequences reach every kind of action")
    func coverage() {
        var reached: Set<String> = []
        for seed in 0..<200 as Range<UInt64> {
            var run = PoolRun(seed: seed)
            run.run()
            reached.formUnion(run.reached)
        }
        #expect(reached == ["load", "destroy", "give", "give to", "fail", "timer", "no timer"])
    }
}

/// One random sequence, and what must hold in it.
struct PoolRun {
    private(set) var violations: [String] = []
    private(set) var reached: Set<String> = []
    private var machine: PoolMachine
    private var random: TestRandom
    private let size: Int
    private var now = Moment.origin
    private var timer: Moment?
    private var isStarted = false
    private var isStopped = false
    private var isInBackground = false
    private var isOffline = false
    private var keep: (count: Int, until: Moment)?
    /// The loads that have not reported their end.
    private var loading: Set<UInt64> = []
    /// The ads that are loaded and neither handed out nor destroyed: when they expire, and whether they live long.
    private var held: [UInt64: (expires: Moment, isLong: Bool)] = [:]
    private var over: Set<UInt64> = []
    private var destroyed: Set<UInt64> = []
    private var waiting: Set<UInt64> = []
    private var lastCaller: UInt64 = 0
    /// The shortest pause that the failures so far allow.
    private var pauseEnd = Moment.origin
    private var failures = 0

    init(seed: UInt64) {
        self.random = TestRandom(seed: seed)
        self.size = Int.random(in: 1...4, using: &self.random)
        self.machine = PoolMachine(size: self.size)
    }

    mutating func run() {
        for _ in 0..<120 {
            self.pass(.milliseconds(Int.random(in: 0...20_000, using: &self.random)))
            self.step()
        }
        self.handle(.stop)
        for number in self.loading.sorted() { self.endLoad(number) }
        if !self.held.isEmpty { self.fault("ads \(self.held.keys.sorted()) were lost") }
        if !self.waiting.isEmpty { self.fault("callers \(self.waiting.sorted()) still wait") }
        if self.timer != nil { self.fault("the timer is still set") }
    }

    private mutating func fault(_ text: String) { self.violations.append("\(text) at \(self.now.sinceOrigin)") }

    /// Lets time pass; the timer fires on the way, as often as it is set.
    private mutating func pass(_ duration: Duration) {
        let goal = self.now + duration
        var rounds = 0
        while let timer = self.timer, timer <= goal {
            rounds += 1
            guard rounds < 1_000 else { return self.fault("the timer does not rest") }
            self.now = max(self.now, timer)
            self.timer = nil
            self.handle(.timer)
        }
        self.now = goal
    }

    private mutating func step() {
        switch Int.random(in: 0..<20, using: &self.random) {
        case 0: self.handle(.start)
        case 1...3: self.handle(.next)
        case 4, 5:
            self.lastCaller += 1
            self.waiting.insert(self.lastCaller)
            self.handle(.wait(CommandID(self.lastCaller)))
        case 6: self.handle(.cancelWait(CommandID(self.waiting.min() ?? 0)))
        case 7...13: if let number = self.loading.min() { self.endLoad(number) } else { self.handle(.start) }
        case 14: self.handle(.background(Bool.random(using: &self.random)))
        case 15: self.handle(.offline(Bool.random(using: &self.random)))
        case 16: self.handle(.memoryPressure(keep: Int.random(in: -1...4, using: &self.random)))
        case 17: self.handle(.clear)
        case 18: self.handle(.loaded(.init(1_000), expires: self.now + .seconds(900)))
        default: if Int.random(in: 0..<40, using: &self.random) == 0 { self.handle(.stop) }
        }
    }

    private mutating func endLoad(_ number: UInt64) {
        let isWanted = !self.destroyed.contains(number)
        self.loading.remove(number)
        guard Bool.random(using: &self.random) else {
            if isWanted { self.failed() }
            return self.handle(.loadFailed(.init(number), AdError(.noFill, "no ad")))
        }
        let life = [Duration.zero, .seconds(8), .seconds(40), .seconds(1_800)].randomElement(using: &self.random)
        let expires = self.now + (life ?? .zero)
        let use = expires - self.now - .seconds(10)
        if isWanted, use <= .zero { self.failed() }
        if isWanted, use >= .seconds(60) { self.failures = 0 }
        self.held[number] = (expires, use >= .seconds(60))
        self.handle(.loaded(.init(number), expires: expires))
    }

    /// Counts a failure, and the shortest pause after it: jitter halves it at most.
    private mutating func failed() {
        self.failures += 1
        let seconds = min(4 * Double(1 << min(self.failures - 1, 20)), 128) / 2
        self.pauseEnd = max(self.pauseEnd, self.now + .seconds(seconds))
    }

    private mutating func handle(_ input: PoolMachine.Input) {
        switch input {
        case .start: self.isStarted = true
        case .stop: self.isStopped = true
        case .background(let isOn): self.isInBackground = isOn
        case .offline(let isOn): self.isOffline = isOn
        case .memoryPressure(let keep):
            let last = self.keep.map { $0.until > self.now ? $0.count : self.size } ?? self.size
            self.keep = (min(max(0, keep), last), self.now + .seconds(60))
        case .next, .wait, .cancelWait, .loaded, .loadFailed, .timer, .clear: break
        }
        // A short life that ends unused counts as a failure, unless there is a pause already.
        if self.held.values.contains(where: { !$0.isLong && $0.expires - .seconds(10) <= self.now }),
            self.machine.pauseEnd.map({ $0 <= self.now }) ?? true, self.destroyedByAge
        {
            self.failed()
        }
        let bits = self.random.next()
        for action in self.machine.handle(input, at: self.now, random: { bits }) { self.check(action) }
        self.checkState()
    }

    /// Whether a short-lived ad that the machine holds is too old now.
    private var destroyedByAge: Bool { self.machine.held.contains { $0.isShort && $0.end <= self.now } }

    private mutating func check(_ action: PoolMachine.Action) {
        switch action {
        case .load(let number):
            self.reached.insert("load")
            if self.now < self.pauseEnd { self.fault("load \(number.value) comes in the pause") }
            if self.isStopped || !self.isStarted { self.fault("load \(number.value) of a pool that does not run") }
            if self.isInBackground || self.isOffline { self.fault("load \(number.value) in the background or offline") }
            if !self.loading.insert(number.value).inserted { self.fault("load \(number.value) twice") }
        case .destroy(let number):
            self.reached.insert("destroy")
            if self.over.contains(number.value) { self.fault("ad \(number.value) is destroyed after it was given") }
            self.destroyed.insert(number.value)
            self.held[number.value] = nil
        case .handOut(let number, to: let command):
            self.reached.insert(command == nil ? "give" : "give to")
            guard let ad = self.held.removeValue(forKey: number.value), self.over.insert(number.value).inserted else {
                return self.fault("ad \(number.value) is given and was not held")
            }
            if ad.expires < self.now + .seconds(10) { self.fault("ad \(number.value) is given too late") }
            if !ad.isLong { self.failures = 0 }
            if let command, self.waiting.remove(command.number) == nil { self.fault("\(command) does not wait") }
        case .fail(let command, _):
            self.reached.insert("fail")
            if self.waiting.remove(command.number) == nil { self.fault("\(command) fails and does not wait") }
        case .setTimer(let moment):
            self.reached.insert("timer")
            self.timer = moment
        case .cancelTimer:
            self.reached.insert("no timer")
            self.timer = nil
        }
    }

    private mutating func checkState() {
        if self.held.count + self.loading.count > self.size { self.fault("there are more ads than the size") }
        if self.loading.count > 1 { self.fault("two loads run at a time") }
        if self.held.count != self.machine.held.count { self.fault("the machine holds another number of ads") }
        // A pool that may load and lacks an ad loads one, or will be woken up.
        let limit = self.keep.map { $0.until > self.now ? $0.count : self.size } ?? self.size
        let isFree = self.isStarted && !self.isStopped && !self.isInBackground && !self.isOffline
        if isFree, self.loading.isEmpty, self.held.count < max(limit, self.waiting.isEmpty ? 0 : 1), self.timer == nil {
            self.fault("nothing will load the next ad")
        }
    }
}
