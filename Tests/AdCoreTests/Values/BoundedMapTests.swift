import Testing

@testable import AdCore

@Suite("A bounded map")
struct BoundedMapTests {
    @Test("a bounded map keeps the newest entries and removes the oldest first", arguments: [1, 2, 3, 10])
    func bounded(most: Int) {
        var map = BoundedMap<Int, Int>(limit: most)
        for number in 0..<100 {
            map.insert(number * 2, for: number)
            #expect(map.count == min(number + 1, most))
            #expect((0...number).filter { map[$0] != nil } == Array(max(0, number - most + 1)...number))
            #expect(map[number] == number * 2)
        }
    }

    @Test("setting an entry again makes it the newest")
    func renewed() {
        var map = BoundedMap<String, Int>(limit: 2)
        map.insert(1, for: "a")
        map.insert(2, for: "b")
        map.insert(3, for: "a")
        map.insert(4, for: "c")
        #expect(map["a"] == 3 && map["b"] == nil && map["c"] == 4)
    }

    @Test("setting one key repeatedly removes no other entry", arguments: [1, 2, 5])
    func again(most: Int) {
        var map = BoundedMap<Int, Int>(limit: most)
        for number in 0..<most { map.insert(number, for: number) }
        for turn in 0..<1000 { map.insert(turn, for: 0) }
        #expect((0..<most).allSatisfy { map[$0] != nil })
        map.insert(0, for: -1)
        #expect(map.count == most && map[-1] == 0)
    }

    @Test("a map with limit 0 stays empty, and removeAll() removes all entries")
    func nothing() {
        var none = BoundedMap<Int, Void>(limit: 0)
        none.insert(1)
        #expect(none.count == 0 && !none.contains(1))
        var some = BoundedMap<Int, Void>(limit: 3)
        some.insert(1)
        some.removeAll()
        some.insert(2)
        #expect(!some.contains(1) && some.contains(2) && some.count == 1)
    }
}
