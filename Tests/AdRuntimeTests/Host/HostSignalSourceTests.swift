import AdCore
import AdRuntime
import LibC
import SystemSupport
import Testing

@Suite("Host signals")
struct HostSignalSourceTests {
    @Test("a new observer gets the current state")
    func present() {
        let source = HostSignalSource()
        source.post(.covered(true))
        source.post(.background(true))
        source.post(.background(false))
        source.post(.network(.wifi))
        source.post(.volume(30))
        source.post(.obstructed([AdObstruction(x: 0, y: 0, size: Size(width: 9, height: 9), name: "bar")]))
        source.post(.obstructed([]))
        let received = Locked<[HostSignal]>([])
        let observation = source.observe { signal in received.withLock { $0.append(signal) } }
        #expect(received.withLock { $0 } == [.covered(true), .network(.wifi), .volume(30)])
        observation.cancel()
        source.post(.covered(false))
        #expect(received.withLock { $0.count } == 3)
    }

    @Test("a slow observer does not delay the others, and gets every signal in order")
    func slow() async {
        let source = HostSignalSource()
        let isInside = OneShot<Void>()
        let mayLeave = Locked(false)
        let received = Locked<[HostSignal]>([])
        let gate = Locked(true)
        let slow = source.observe { signal in
            received.withLock { $0.append(signal) }
            guard
                gate.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            else { return }
            isInside.set(())
            while !mayLeave.withLock({ $0 }) { sched_yield() }
        }
        let posting = Task.detached { source.post(.background(true)) }
        await isInside.value
        // The slow observer's closure is still running; a new observer gets the state at once.
        let late = Locked<[HostSignal]>([])
        let other = source.observe { signal in late.withLock { $0.append(signal) } }
        #expect(late.withLock { $0 } == [.background(true)])
        source.post(.background(false))
        #expect(late.withLock { $0 } == [.background(true), .background(false)])
        #expect(received.withLock { $0 } == [.background(true)])
        mayLeave.withLock { $0 = true }
        await posting.value
        #expect(received.withLock { $0 } == [.background(true), .background(false)])
        slow.cancel()
        other.cancel()
    }

    @Test("the last signal of every observer is the current state, whatever the order of posts and observers")
    func order() async {
        for _ in 0..<500 {
            let source = HostSignalSource()
            let last = Locked<[Int: Bool]>([:])
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        let observation = source.observe { signal in
                            if case .covered(let covered) = signal { last.withLock { $0[number] = covered } }
                        }
                        withExtendedLifetime(observation) {}
                    }
                }
                group.addTask { source.post(.covered(true)) }
                group.addTask { source.post(.covered(false)) }
            }
            let holds = Locked(false)
            _ = source.observe { signal in if signal == .covered(true) { holds.withLock { $0 = true } } }
            let isCovered = holds.withLock { $0 }
            // An observer without a signal was added while nothing was covered.
            for number in 0..<3 { #expect(last.withLock { $0[number] ?? false } == isCovered) }
        }
    }
}
