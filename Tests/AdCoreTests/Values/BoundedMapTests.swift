import Testing

@testable import AdCore

@Suite("What is remembered")
struct RecentTests {
    @Test("the newest are kept, and the oldest forgotten first", arguments: [1, 2, 3, 10])
    func bounded(most: Int) {
        var recent = BoundedMap<Int, Int>(most: most)
        for number in 0..<100 {
            recent.remember(number * 2, for: number)
            #expect(recent.count == min(number + 1, most))
            #expect((0...number).filter { recent[$0] != nil } == Array(max(0, number - most + 1)...number))
            #expect(recent[number] == number * 2)
        }
    }

    @Test("what is remembered again is new again")
    func renewed() {
        var recent = BoundedMap<String, Int>(most: 2)
        recent.remember(1, for: "a")
        recent.remember(2, for: "b")
        recent.remember(3, for: "a")
        recent.remember(4, for: "c")
        #expect(recent["a"] == 3 && recent["b"] == nil && recent["c"] == 4)
    }

    @Test("a key that comes again and again pushes out nobody", arguments: [1, 2, 5])
    func again(most: Int) {
        var recent = BoundedMap<Int, Int>(most: most)
        for number in 0..<most { recent.remember(number, for: number) }
        for turn in 0..<1000 { recent.remember(turn, for: 0) }
        #expect((0..<most).allSatisfy { recent[$0] != nil })
        recent.remember(0, for: -1)
        #expect(recent.count == most && recent[-1] == 0)
    }

    @Test("nothing is remembered where nothing may be, and all is forgotten when that is wanted")
    func nothing() {
        var none = BoundedMap<Int, Void>(most: 0)
        none.remember(1)
        #expect(none.count == 0 && !none.contains(1))
        var some = BoundedMap<Int, Void>(most: 3)
        some.remember(1)
        some.forget()
        some.remember(2)
        #expect(!some.contains(1) && some.contains(2) && some.count == 1)
    }
}
