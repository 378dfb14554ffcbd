import AdCore
import AdRuntime
import SystemLock
import Testing

@Suite("Host signals")
struct HostBoardTests {
    @Test("whoever comes later is told what holds")
    func present() {
        let board = HostBoard()
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

    @Test("no news overtakes another: what an observer heard last is what holds")
    func order() async {
        for _ in 0..<2000 {
            let board = HostBoard()
            board.post(.covered(true))
            let last = Locked(true)
            let observe: @Sendable () -> HostObservation = {
                board.observe { signal in if case .covered(let covered) = signal { last.withLock { $0 = covered } } }
            }
            async let observation = observe()
            async let posted: Void = board.post(.covered(false))
            _ = await (observation, posted)
            let late = Locked(false)
            _ = board.observe { signal in if case .covered(true) = signal { late.withLock { $0 = true } } }
            // One who came after the news hears nothing of it, and one who came before has heard that it is over.
            #expect(!late.withLock { $0 })
            #expect(!last.withLock { $0 } || !late.withLock { $0 })
            await Task.yield()
        }
    }
}
