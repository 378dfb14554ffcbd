import AdCore
import AdRuntime
import LibC
import SystemSupport
import Testing

@Suite("Host signals")
struct HostBoardTests {
    @Test("whoever comes later is told what holds")
    func present() {
        let board = HostSignalSource()
        board.post(.covered(true))
        board.post(.background(true))
        board.post(.background(false))
        board.post(.network(.wifi))
        let heard = Locked<[HostSignal]>([])
        let observation = board.observe { signal in heard.withLock { $0.append(signal) } }
        #expect(heard.withLock { $0 } == [.covered(true), .network(.wifi)])
        observation.cancel()
        board.post(.covered(false))
        #expect(heard.withLock { $0.count } == 2)
    }

    @Test("an observer that is slow holds up nobody else, and hears everything in order itself")
    func slow() async {
        let board = HostSignalSource()
        let isInside = OneShot<Void>()
        let mayLeave = Locked(false)
        let heard = Locked<[HostSignal]>([])
        let gate = Locked(true)
        let slow = board.observe { signal in
            heard.withLock { $0.append(signal) }
            guard
                gate.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            else { return }
            isInside.resolve(())
            while !mayLeave.withLock({ $0 }) { sched_yield() }
        }
        let posting = Task.detached { board.post(.background(true)) }
        await isInside.value
        // The slow one is still inside; whoever comes now is told at once.
        let late = Locked<[HostSignal]>([])
        let other = board.observe { signal in late.withLock { $0.append(signal) } }
        #expect(late.withLock { $0 } == [.background(true)])
        board.post(.background(false))
        #expect(late.withLock { $0 } == [.background(true), .background(false)])
        #expect(heard.withLock { $0 } == [.background(true)])
        mayLeave.withLock { $0 = true }
        await posting.value
        #expect(heard.withLock { $0 } == [.background(true), .background(false)])
        slow.cancel()
        other.cancel()
    }

    @Test("what an observer heard last is what holds, however news and observers meet")
    func order() async {
        for _ in 0..<500 {
            let board = HostSignalSource()
            let last = Locked<[Int: Bool]>([:])
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        let observation = board.observe { signal in
                            if case .covered(let covered) = signal { last.withLock { $0[number] = covered } }
                        }
                        withExtendedLifetime(observation) {}
                    }
                }
                group.addTask { board.post(.covered(true)) }
                group.addTask { board.post(.covered(false)) }
            }
            let holds = Locked(false)
            _ = board.observe { signal in if signal == .covered(true) { holds.withLock { $0 = true } } }
            let isCovered = holds.withLock { $0 }
            // Whoever was told nothing came when nothing was covered.
            for number in 0..<3 { #expect(last.withLock { $0[number] ?? false } == isCovered) }
        }
    }
}
