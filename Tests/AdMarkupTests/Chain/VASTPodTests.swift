import AdCore
import Testing

@testable import AdMarkup

@Suite("Choice of a response's ads")
struct VASTPodTests {
    @Test(
        "ads with a sequence are a pod, others are fallback ads; a single sequence is no pod",
        arguments: [
            ([nil], ["0"], []),
            ([nil, nil, nil], ["0"], ["1", "2"]),
            ([1], ["0"], []),
            ([7, nil], ["0"], ["1"]),
            ([nil, 1], ["0"], ["1"]),
            ([2, 1], ["1", "0"], []),
            ([0, 1, 2], ["0", "1", "2"], []),
            ([nil, 3, nil, 1, 2], ["3", "4", "1"], ["0", "2"]),
            ([10, 9, 8], ["2", "1", "0"], []),
            // The second ad of the same sequence is a stand-alone ad.
            ([1, 1, 2], ["0", "2"], ["1"]),
            ([1, 1], ["0"], ["1"]),
        ] as [([Int?], [String], [String])]
    )
    func choice(sequences: [Int?], pod: [String], fallbackCount: [String]) throws {
        let text = Text.document(sequences.enumerated().map { Text.inline("\($0)", $1) }.joined())
        let outcome = try ChainScene().run(text)
        #expect(outcome.pod == pod)
        #expect(outcome.fallbackCount == fallbackCount)
        #expect(outcome.errorCalls.isEmpty)

        var narrow = ChainScene()
        narrow.allowsMultipleAds = false
        let one = try narrow.run(text)
        #expect(one.pod == pod)
        #expect(one.fallbackCount.isEmpty)
        #expect(one.resolution.issues.contains { $0.code == "vast.ads.notAllowed" } == !fallbackCount.isEmpty)
    }

    @Test("a repeated sequence is an issue with the line of the second ad")
    func sameNumber() throws {
        let text = Text.document("\n" + Text.inline("a", 1) + "\n", Text.inline("b", 1), Text.inline("c", 2))
        let issues = try ChainScene().run(text).resolution.issues
        #expect(issues.map(\.code) == ["vast.sequence.twice"])
        #expect(issues.first?.place != .line(1))
    }

    @Test(
        "a wrapper gets the first ad or the whole pod, and stand-alone ads only with allowMultipleAds",
        arguments: [
            ("", [nil, nil], ["0"], []),
            ("allowMultipleAds=\"false\"", [nil, nil], ["0"], []),
            ("allowMultipleAds=\"true\"", [nil, nil], ["0"], ["1"]),
            ("", [1, 2, 3], ["0", "1", "2"], []),
            ("allowMultipleAds=\"false\"", [2, 1, nil], ["1", "0"], []),
            ("allowMultipleAds=\"true\"", [2, 1, nil], ["1", "0"], ["2"]),
            // The sequence of a single ad is ignored.
            ("allowMultipleAds=\"false\"", [1], ["0"], []),
            ("allowMultipleAds=\"false\"", [1, nil], ["0"], []),
        ] as [(String, [Int?], [String], [String])]
    )
    func behindWrapper(attributes: String, sequences: [Int?], pod: [String], fallbackCount: [String]) throws {
        let answer = Text.document(sequences.enumerated().map { Text.inline("\($0)", $1) }.joined())
        let first = Text.document(Text.wrapper("w", to: "https://s.example/1", nil, attributes))
        let outcome = try ChainScene(answers: ["https://s.example/1": answer]).run(first)
        #expect(outcome.pod == pod)
        #expect(outcome.fallbackCount == fallbackCount)
        for ad in outcome.resolution.pod + outcome.resolution.fallbackAds { #expect(ad.wrappers.map(\.id) == ["w"]) }
    }

    @Test("places of a pod may be wrappers with pods of their own, in the order of the places")
    func podOfWrappers() throws {
        let first = Text.document(
            Text.inline("c", 3),
            Text.wrapper("b", to: "https://s.example/b", 2),
            Text.wrapper("a", to: "https://s.example/a", 1)
        )
        let scene = ChainScene(answers: [
            "https://s.example/a": Text.document(Text.inline("a2", 2), Text.inline("a1", 1)),
            "https://s.example/b": Text.document(Text.inline("b1")),
        ])
        for pick in [{ _ in 0 }, { $0 - 1 }] as [(Int) -> Int] {
            let outcome = try scene.run(first, picking: pick)
            #expect(outcome.pod == ["a1", "a2", "b1", "c"])
            #expect(outcome.resolution.pod.map { $0.wrappers.compactMap(\.id) } == [["a"], ["a"], ["b"], []])
            #expect(outcome.resolution.pod.map(\.sequence) == [1, 1, 2, 3])
        }
    }

    @Test("an ad's sequence is that of its place in the outermost pod; a stand-alone wrapper sets none")
    func numbers() throws {
        let pod = Text.document(Text.inline("a", 1), Text.inline("b", 2), Text.inline("c", 3))
        let alone = Text.document(Text.wrapper("w", to: "https://s.example/pod", 1))
        let behindOne = try ChainScene(answers: ["https://s.example/pod": pod]).run(alone)
        #expect(behindOne.resolution.pod.map(\.sequence) == [1, 2, 3])

        let places = Text.document(
            Text.wrapper("v", to: "https://s.example/1", 4),
            Text.wrapper("x", to: "https://dead.example/", 5, "fallbackOnNoAd=\"true\""),
            Text.inline("y")
        )
        let one = Text.document(Text.inline("a", 1))
        let further = try ChainScene(answers: ["https://s.example/1": one]).run(places)
        #expect(further.pod == ["a", "y"])
        #expect(further.resolution.pod.map(\.sequence) == [4, 5])
        #expect(try ChainScene().run(one).resolution.pod.map(\.sequence) == [1])
        #expect(try ChainScene().run(Text.document(Text.inline("a"))).resolution.pod.map(\.sequence) == [nil])
    }

    @Test("a place without an ad is left out, and the others remain")
    func deadPlace() throws {
        let first = Text.document(
            Text.inline("a", 1),
            Text.wrapper("b", to: "https://s.example/dead", 2),
            Text.inline("c", 3),
            Text.inline("spare")
        )
        let outcome = try ChainScene().run(first)
        #expect(outcome.pod == ["a", "c"])
        #expect(outcome.fallbackCount == ["spare"])
        #expect(outcome.errorCalls == ["b 301"])
        #expect(outcome.code == 301)
    }

    @Test("fallbackOnNoAd tries one stand-alone ad after another")
    func fallback() throws {
        let first = Text.document(
            Text.inline("a", 1),
            Text.wrapper("b", to: "https://s.example/dead", 2, "fallbackOnNoAd=\"true\""),
            Text.wrapper("x", to: "https://s.example/dead2"),
            Text.wrapper("y", to: "https://s.example/y"),
            Text.inline("z")
        )
        let scene = ChainScene(answers: ["https://s.example/y": Text.document(Text.inline("y1"))])
        let outcome = try scene.run(first)
        #expect(outcome.pod == ["a", "y1"])
        #expect(outcome.fallbackCount == ["z"])
        #expect(outcome.errorCalls == ["b 301", "x 301"])
    }

    @Test("two places get their fallback ads in the order of the places, whichever fails first", arguments: [0, 1])
    func twoFallbacks(last: Int) throws {
        let wish = "fallbackOnNoAd=\"true\""
        let first = Text.document(
            Text.wrapper("a", to: "https://s.example/dead1", 1, wish),
            Text.wrapper("b", to: "https://s.example/dead2", 2, wish),
            Text.inline("x"),
            Text.inline("y")
        )
        let outcome = try ChainScene().run(first) { last == 0 ? 0 : $0 - 1 }
        #expect(outcome.pod == ["x", "y"])
        #expect(outcome.errorCalls == ["a 301", "b 301"])
    }

    @Test("a wrapper around an empty response fails like an unreachable one")
    func fallbackOnEmpty() throws {
        let first = Text.document(
            Text.wrapper("a", to: "https://s.example/empty", 1, "fallbackOnNoAd=\"1\""),
            Text.inline("b", 2),
            Text.inline("x")
        )
        let outcome = try ChainScene(answers: ["https://s.example/empty": Text.document()]).run(first)
        #expect(outcome.pod == ["x", "b"])
        #expect(outcome.errorCalls == ["a 303"])
    }

    @Test("the first stand-alone ad that resolves is played; other inline ads are fallback ads")
    func buffet() throws {
        let first = Text.document(
            Text.wrapper("a", to: "https://s.example/dead"),
            Text.wrapper("b", to: "https://s.example/b"),
            Text.wrapper("c", to: "https://s.example/c"),
            Text.inline("d")
        )
        let outcome = try ChainScene(answers: ["https://s.example/b": Text.document(Text.inline("b1"))]).run(first)
        #expect(outcome.pod == ["b1"])
        #expect(outcome.fallbackCount == ["d"])
        #expect(outcome.requested == ["https://s.example/dead", "https://s.example/b"])
    }

    @Test("stand-alone ads are played when nothing of the pod is left")
    func emptyPod() throws {
        let first = Text.document(
            Text.wrapper("a", to: "https://s.example/dead1", 1),
            Text.wrapper("b", to: "https://s.example/dead2", 2),
            Text.wrapper("x", to: "https://s.example/dead3"),
            Text.inline("y")
        )
        let outcome = try ChainScene().run(first)
        #expect(outcome.pod == ["y"])
        #expect(outcome.errorCalls == ["a 301", "b 301", "x 301"])
    }

    @Test("fallback ads of an inner response come before those of an outer one")
    func nestedFallbacks() throws {
        let first = Text.document(
            Text.wrapper("w", to: "https://s.example/1", nil, "allowMultipleAds=\"true\""),
            Text.inline("out")
        )
        let inner = Text.document(
            Text.wrapper("v", to: "https://s.example/dead"),
            Text.inline("in1"),
            Text.inline("in2")
        )
        let outcome = try ChainScene(answers: ["https://s.example/1": inner]).run(first)
        #expect(outcome.pod == ["in1"])
        #expect(outcome.fallbackCount == ["in2", "out"])
        #expect(outcome.errorCalls == ["w 301", "v 301"])

        let dead = Text.document(Text.wrapper("v", to: "https://s.example/dead"))
        let further = try ChainScene(answers: ["https://s.example/1": dead]).run(first)
        #expect(further.pod == ["out"])
        #expect(further.errorCalls == ["w 301", "v 301"])
    }

    @Test("the fallback ads of nested pods are in the order of the places")
    func standInsOfPlaces() throws {
        let several = "allowMultipleAds=\"true\""
        let first = Text.document(
            Text.wrapper("a", to: "https://s.example/a", 1, several),
            Text.wrapper("b", to: "https://s.example/b", 2, several)
        )
        let scene = ChainScene(answers: [
            "https://s.example/a": Text.document(Text.inline("a1"), Text.inline("a2")),
            "https://s.example/b": Text.document(Text.inline("b1"), Text.inline("b2")),
        ])
        for pick in [{ _ in 0 }, { $0 - 1 }] as [(Int) -> Int] {
            let outcome = try scene.run(first, picking: pick)
            #expect(outcome.pod == ["a1", "b1"])
            #expect(outcome.fallbackCount == ["a2", "b2"])
        }
    }
}
