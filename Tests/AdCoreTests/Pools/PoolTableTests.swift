import Testing

@testable import AdCore

@Suite("A pool of ads: every state × every input")
struct PoolTableTests {
    @Test("every input in every state has the actions of the table", arguments: PoolScene.allCases)
    func table(scene: PoolScene) {
        for (name, input, after) in PoolScene.inputs(of: scene.machine) {
            var machine = scene.machine
            let actions = machine.handle(input, at: PoolScene.after(after), random: { 0 })
            let text = actions.map(\.text).joined(separator: ", ")
            #expect(Self.table[scene.rawValue]?[name] ?? "" == text, "\(scene), \(name)")
        }
    }

    @Test("each pause is twice as long as the last one, with jitter, up to two minutes")
    func pauses() {
        for (bits, share) in [(UInt64.min, 0.5), (.max, 1)] {
            var machine = PoolMachine(size: 3)
            var now = Moment.origin
            var actions = machine.handle(.start, at: now) { bits }
            var pauses: [Double] = []
            for number in 1...8 as ClosedRange<UInt64> {
                #expect(actions == [.load(.init(number))])
                let failed = machine.handle(.loadFailed(.init(number), PoolScene.error), at: now) { bits }
                guard case .setTimer(let end)? = failed.last else {
                    Issue.record("there is no pause after failure \(number)")
                    return
                }
                pauses.append(((end - now).inSeconds * 1_000).rounded() / 1_000)
                #expect(machine.handle(.timer, at: end - .nanoseconds(1)) { bits } == [.setTimer(end)])
                now = end
                actions = machine.handle(.timer, at: now) { bits }
            }
            #expect(pauses == [4, 8, 16, 32, 64, 128, 128, 128].map { $0 * share })
        }
    }

    @Test("an ad that is loaded ends the pauses, and one that no one takes in its short life does not")
    func shortLives() {
        var machine = PoolMachine(size: 1)
        func handle(_ input: PoolMachine.Input, _ seconds: Int) -> String {
            machine.handle(input, at: PoolScene.after(seconds), random: { 0 }).map(\.text).joined(separator: ", ")
        }
        #expect(handle(.start, 0) == "load 1")
        #expect(handle(.loaded(.init(1), expires: PoolScene.after(40)), 0) == "timer 30")
        #expect(handle(.timer, 30) == "destroy 1, timer 32")
        #expect(handle(.timer, 32) == "load 2")
        #expect(handle(.loaded(.init(2), expires: PoolScene.after(72)), 32) == "timer 62")
        #expect(handle(.timer, 62) == "destroy 2, timer 66")
        #expect(handle(.timer, 66) == "load 3")
        #expect(handle(.loaded(.init(3), expires: PoolScene.after(106)), 66) == "timer 96")
        #expect(handle(.next, 70) == "give 3, load 4, no timer")
        #expect(machine.failures == 0)
    }

    @Test("an error that names the end of a pause is believed for at most a day")
    func cooldowns() {
        var machine = PoolMachine(size: 1)
        _ = machine.handle(.start, at: .origin) { 0 }
        let error = AdError(.coolingDown, "not yet", underlying: Cooldown(until: Moment(.seconds(1 << 40))))
        let actions = machine.handle(.loadFailed(.init(1), error), at: .origin) { 0 }
        #expect(actions == [.setTimer(Moment(.seconds(86_400)))])
    }

    @Test("the size is from one to ten, and an ad is ready until ten seconds before it expires")
    func sizes() {
        #expect([Int.min, 0, 1, 5, 10, 11, .max].map { PoolMachine(size: $0).size } == [1, 1, 1, 5, 10, 10, 10])
        let machine = PoolScene.full.machine
        let counts = [0, 989, 990, 1_989, 1_990].map { machine.readyCount(at: PoolScene.after($0)) }
        #expect(counts == [2, 2, 1, 1, 0])
    }

    /// The actions of each input; an input that is not listed causes none.
    ///
    /// `random` is always 0, so pauses are halved.
    private static let table: [String: [String: String]] = [
        "created": [
            "start": "load 1", "loaded": "destroy 9", "loaded, short": "destroy 9", "loaded, old": "destroy 9",
            "memory, 1": "timer 61", "memory, 0": "timer 61",
        ],
        "loading": [
            "loaded": "load 2, timer 1490", "loaded, short": "load 2, timer 30", "loaded, old": "destroy 1, timer 3",
            "failed": "timer 3", "cooldown": "timer 50", "memory, 1": "timer 61", "memory, 0": "destroy 1, timer 61",
            "clear": "destroy 1", "stop": "destroy 1",
        ],
        "awaited": [
            "cancelWait": "fail 7 cancelled", "loaded": "give 1 to 7, load 2",
            "loaded, short": "give 1 to 7, load 2", "loaded, old": "destroy 1, fail 7 expired, timer 3",
            "failed": "fail 7 noFill, timer 3", "cooldown": "fail 7 coolingDown, timer 50", "memory, 1": "timer 61",
            "memory, 0": "timer 61", "clear": "destroy 1", "stop": "destroy 1, fail 7 destroyed",
        ],
        "half": [
            "next": "give 1, no timer", "wait": "give 1 to 8, no timer", "loaded, short": "timer 30",
            "loaded, old": "destroy 2, timer 3", "failed": "timer 3", "cooldown": "timer 50",
            "timer, pause": "timer 990", "timer, age": "destroy 1", "memory, 1": "destroy 2, timer 61",
            "memory, 0": "destroy 1, destroy 2, timer 61", "clear": "destroy 1, destroy 2, no timer",
            "stop": "destroy 1, destroy 2, no timer",
        ],
        "full": [
            "next": "give 1, load 3, timer 1990", "wait": "give 1 to 8, load 3, timer 1990", "loaded": "destroy 9",
            "loaded, short": "destroy 9", "loaded, old": "destroy 9", "timer, pause": "timer 990",
            "timer, age": "destroy 1, load 3, timer 1990", "memory, 1": "destroy 1, timer 61",
            "memory, 0": "destroy 1, destroy 2, timer 61", "clear": "destroy 1, destroy 2, load 3, no timer",
            "stop": "destroy 1, destroy 2, no timer",
        ],
        "pausing": [
            "loaded": "destroy 9", "loaded, short": "destroy 9", "loaded, old": "destroy 9",
            "timer, pause": "load 2", "timer, age": "load 2", "background": "no timer", "offline": "no timer",
            "memory, 0": "timer 61", "stop": "no timer",
        ],
        "awaitedPause": [
            "cancelWait": "fail 7 cancelled", "loaded": "destroy 9", "loaded, short": "destroy 9",
            "loaded, old": "destroy 9", "timer, pause": "load 2", "timer, age": "load 2", "background": "no timer",
            "offline": "no timer", "stop": "fail 7 destroyed, no timer",
        ],
        "abandoned": [
            "loaded": "destroy 1, load 2", "loaded, short": "destroy 1, load 2", "loaded, old": "destroy 1, load 2",
            "failed": "load 2", "cooldown": "load 2", "memory, 1": "timer 61", "memory, 0": "timer 61",
        ],
        "background": [
            "next": "give 2, no timer", "wait": "give 2 to 8, no timer", "loaded": "destroy 9",
            "loaded, short": "destroy 9", "loaded, old": "destroy 9", "timer, pause": "timer 1990",
            "timer, age": "timer 1990", "front": "load 3", "memory, 1": "timer 61",
            "memory, 0": "destroy 2, timer 61", "clear": "destroy 2, no timer", "stop": "destroy 2, no timer",
        ],
        "offline": [
            "loaded": "destroy 9", "loaded, short": "destroy 9", "loaded, old": "destroy 9", "online": "load 2",
            "memory, 1": "timer 61", "memory, 0": "timer 61",
        ],
        "reduced": [
            "wait": "load 3", "loaded": "destroy 9", "loaded, short": "destroy 9", "loaded, old": "destroy 9",
            "timer, pause": "timer 60", "timer, age": "load 3", "memory, 1": "timer 61", "memory, 0": "timer 61",
            "stop": "no timer",
        ],
        "stopped": [
            "wait": "fail 8 destroyed", "loaded": "destroy 9", "loaded, short": "destroy 9",
            "loaded, old": "destroy 9",
        ],
    ]
}
