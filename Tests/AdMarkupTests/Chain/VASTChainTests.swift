import AdCore
import TestSupport
import Testing

@testable import AdMarkup

@Suite("Wrapper resolution")
struct VASTChainTests {
    /// A chain of wrappers from w1 to the last, and an inline ad.
    private func row(_ count: Int, attributes: (Int) -> String = { _ in "" }) -> (
        first: String, answers: [String: String]
    ) {
        var answers: [String: String] = [:]
        for number in 1...count {
            let text = Text.document(
                Text.wrapper("w\(number)", to: "https://s.example/\(number)", nil, attributes(number))
            )
            answers["https://s.example/\(number - 1)"] = text
        }
        let first = answers.removeValue(forKey: "https://s.example/0") ?? ""
        answers["https://s.example/\(count)"] = Text.document(Text.inline("ad"))
        return (first, answers)
    }

    @Test("five wrappers are followed, and a sixth is an error", arguments: 1...8)
    func depth(count: Int) throws {
        let (first, answers) = self.row(count)
        let outcome = try ChainScene(answers: answers).run(first)
        #expect(outcome.requested.count == min(count, 5))
        guard count > 5 else {
            #expect(outcome.pod == ["ad"])
            #expect(outcome.resolution.pod.first?.wrappers.map(\.id) == (1...count).map { "w\($0)" })
            #expect(outcome.resolution.hops.map(\.depth) == Array(1...count))
            #expect(outcome.resolution.hops.map(\.ads) == Array(repeating: 1, count: count))
            #expect(outcome.code == nil && outcome.errorCalls.isEmpty)
            return
        }
        #expect(outcome.pod.isEmpty)
        #expect(outcome.code == 302)
        #expect(outcome.resolution.failure?.wrapperDepth == 5)
        #expect(outcome.errorCalls == (1...6).map { "w\($0) 302" })
        #expect(outcome.resolution.pings.map(\.depth) == Array(0...5))
        #expect(outcome.resolution.issues.map(\.code) == ["vast.chain.302"])
    }

    @Test("the wrapper limit is configurable", arguments: [0, 1, 2, 9])
    func limit(hops: Int) throws {
        let (first, answers) = self.row(9)
        var scene = ChainScene(answers: answers)
        scene.limits.hops = hops
        let outcome = try scene.run(first)
        #expect(outcome.requested.count == hops)
        #expect(outcome.pod == (hops == 9 ? ["ad"] : []))
    }

    @Test("a wrapper that requests itself is followed once, with one error call")
    func cycle() throws {
        let loop = Text.document(Text.wrapper("w", to: "https://s.example/?cb=[CACHEBUSTING]"))
        let outcome = try ChainScene(answers: ["https://s.example/?cb=[CACHEBUSTING]": loop]).run(loop)
        #expect(outcome.requested.count == 1)
        #expect(outcome.code == 302)
        #expect(outcome.resolution.failure?.message.contains("its own document again") == true)
        #expect(outcome.errorCalls == ["w 302"])
    }

    @Test("a cycle of three wrappers is detected when it closes")
    func longCycle() throws {
        func step(_ name: String, _ next: String) -> String {
            Text.document(Text.wrapper(name, to: "https://s.example/\(next)"))
        }
        let scene = ChainScene(answers: [
            "https://s.example/b": step("b", "c"), "https://s.example/c": step("c", "a"),
            "https://s.example/a": step("a", "b"),
        ])
        let outcome = try scene.run(step("a", "b"))
        #expect(outcome.requested.count == 3)
        #expect(outcome.errorCalls == ["a 302", "b 302", "c 302"])
    }

    @Test("the same URL in two places of a pod is no cycle")
    func twice() throws {
        let pod = Text.document(
            Text.wrapper("a", to: "https://s.example/x", 1),
            Text.wrapper("b", to: "https://s.example/x", 2)
        )
        let outcome = try ChainScene(answers: ["https://s.example/x": Text.document(Text.inline("ad"))]).run(pod)
        #expect(outcome.pod == ["ad", "ad"])
    }

    @Test("a relative URL depends on its document, and is no cycle by itself")
    func relative() throws {
        var scene = ChainScene()
        scene.base = HTTPURL("https://s.example/")
        var chain = VASTChain()
        let step = try VASTDocument(parsing: Text.document(Text.wrapper("w", to: "next/vast.xml")))
        let first = try #require(chain.start(step, from: scene.base).first)
        #expect(first.base == scene.base)
        let second = try #require(
            chain.handle(.success(step), for: first.id, from: HTTPURL("https://s.example/next/vast.xml")).first
        )
        #expect(second.base?.text == "https://s.example/next/vast.xml")
        // Twice with the same base is a cycle.
        let third = chain.handle(.success(step), for: second.id, from: second.base)
        #expect(third.isEmpty)
        #expect(chain.result?.failure?.code == 302)
    }

    @Test("the numbers of all requests and of open requests are limited")
    func requests() throws {
        let places = (0..<20).map { Text.wrapper("w\($0)", to: "https://s.example/\($0)", $0 + 1) }
        var answers: [String: String] = [:]
        for place in 0..<20 { answers["https://s.example/\(place)"] = Text.document(Text.inline("ad\(place)")) }
        var scene = ChainScene(answers: answers)
        scene.limits.requests = 12
        scene.limits.parallel = 3
        let outcome = try scene.run(Text.document(places.joined()))
        #expect(outcome.requested.count == 12)
        #expect(outcome.maximumOpen == 3)
        #expect(outcome.pod == (0..<12).map { "ad\($0)" })
        #expect(outcome.errorCalls == (12..<20).map { "w\($0) 302" })
        #expect(outcome.code == 302)
    }

    @Test("a limit of zero open requests means one")
    func noParallel() throws {
        var scene = ChainScene(answers: ["https://s.example/1": Text.document(Text.inline("ad"))])
        scene.limits.parallel = 0
        #expect(try scene.run(Text.document(Text.wrapper("w", to: "https://s.example/1"))).pod == ["ad"])
    }

    @Test(
        "followAdditionalWrappers=false makes the next wrapper a 300, without a request",
        arguments: [("true", true), ("1", true), ("false", false), ("0", false), ("", true)]
    )
    func noMore(value: String, isFollowed: Bool) throws {
        let (first, answers) = self.row(2) { $0 == 1 && !value.isEmpty ? "followAdditionalWrappers=\"\(value)\"" : "" }
        let outcome = try ChainScene(answers: answers).run(first)
        #expect(outcome.pod == (isFollowed ? ["ad"] : []))
        #expect(outcome.requested.count == (isFollowed ? 2 : 1))
        #expect(outcome.code == (isFollowed ? nil : 300))
        #expect(outcome.errorCalls == (isFollowed ? [] : ["w1 300", "w2 300"]))
    }

    @Test("followAdditionalWrappers=false applies to the next response only, including its fallback ads")
    func banOfFallbacks() throws {
        let answer = Text.document(
            Text.wrapper("a", to: "https://s.example/a"),
            Text.wrapper("b", to: "https://s.example/b"),
            Text.inline("own")
        )
        let attributes = "followAdditionalWrappers=\"false\" allowMultipleAds=\"true\""
        let first = Text.document(Text.wrapper("w", to: "https://s.example/1", nil, attributes))
        let outcome = try ChainScene(answers: ["https://s.example/1": answer]).run(first)
        #expect(outcome.requested.count == 1)
        #expect(outcome.pod == ["own"])
        #expect(outcome.errorCalls == ["w 300", "a 300", "w 300", "b 300"])
    }

    @Test("followRedirects=false of a break refuses all wrappers in it")
    func breakWithoutWrappers() throws {
        var scene = ChainScene()
        scene.followsWrappers = false
        let text = Text.document(
            Text.wrapper("a", to: "https://s.example/a"),
            Text.wrapper("b", to: "https://s.example/b"),
            Text.inline("own")
        )
        let outcome = try scene.run(text)
        #expect(outcome.requested.isEmpty)
        #expect(outcome.pod == ["own"])
        #expect(outcome.errorCalls == ["a 300", "b 300"])
        #expect(outcome.resolution.failure?.message.contains("followRedirects") == true)
    }

    @Test("a wrapper without VASTAdTagURI is left out with 101, without a request")
    func noAddress() throws {
        let outcome = try ChainScene().run(Text.document(Text.wrapper("w", to: nil)))
        #expect(outcome.requested.isEmpty)
        #expect(outcome.errorCalls == ["w 101"])
        #expect(outcome.resolution.failure?.line == 1)
        #expect(outcome.resolution.failure?.message.contains("<VASTAdTagURI>") == true)
        let empty = try VASTDocument(parsing: Text.document(Text.wrapper("w", to: " "), Text.inline("ad")))
        #expect(empty.ads.map(\.id) == ["ad"] && empty.broken.map(\.code) == [101])
        #expect(empty.issues.map(\.code) == ["vast.url.empty", "vast.wrapper.noTag"])
    }

    @Test("a thousand unreachable ads are tried one by one")
    func manyThatLeadNowhere() throws {
        let dead = (0..<999).map { Text.wrapper("w\($0)", to: nil) }.joined()
        let start = ProcessorTime.now
        let outcome = try ChainScene().run(Text.document(dead, Text.inline("ad")))
        #expect(outcome.pod == ["ad"])
        #expect(outcome.resolution.pings.count == 999)
        #expect(ProcessorTime.now - start < .timeout(10))
    }
}
