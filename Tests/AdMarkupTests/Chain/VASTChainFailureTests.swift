import AdCore
import TestSupport
import Testing

@testable import AdMarkup

@Suite("Wrappers without an ad")
struct VASTChainFailureTests {
    @Test("an empty response calls only its own error URLs, with 303")
    func empty() throws {
        let outcome = try ChainScene().run(
            Text.document(
                "<Error>https://none2.example/?c=[ERRORCODE]</Error>",
                error: "https://none.example/?c=[ERRORCODE]"
            )
        )
        #expect(outcome.pod.isEmpty)
        #expect(outcome.code == 303)
        #expect(outcome.errorCalls == ["none 303", "none2 303"])
        #expect(outcome.resolution.issues.map(\.code) == ["vast.chain.303"])
    }

    @Test("an empty response in wrappers calls its own error URLs, or else those of the wrappers")
    func emptyBehind() throws {
        let first = Text.document(Text.wrapper("w", to: "https://s.example/1"))
        let named = try ChainScene(answers: ["https://s.example/1": Text.document(error: "https://none.example/")]).run(
            first
        )
        #expect(named.errorCalls == ["none 303"])
        #expect(named.resolution.pings.map(\.depth) == [1])
        #expect(named.resolution.failure?.wrapperDepth == 1)
        #expect(named.resolution.issues.map(\.place) == [.field("wrapper 1")])
        let silent = try ChainScene(answers: ["https://s.example/1": Text.document()]).run(first)
        #expect(silent.errorCalls == ["w 303"])
        let nowhere = try ChainScene(answers: ["https://s.example/1": Text.document(error: "about:blank")]).run(first)
        #expect(nowhere.errorCalls == ["w 303"])
    }

    @Test("an <Error> under <VAST> together with an ad is not called")
    func errorBesideAd() throws {
        let text = Text.document(Text.inline("ad"), error: "https://none.example/")
        #expect(try ChainScene().run(text).errorCalls.isEmpty)
        let broken = Text.document(Text.wrapper("w", to: nil), error: "https://none.example/")
        #expect(try ChainScene().run(broken).errorCalls == ["w 101"])
    }

    @Test("a failure calls the error URLs of all wrappers, outermost first, each once")
    func wholeChain() throws {
        let more =
            "<Error>https://w1.example/e?c=[ERRORCODE]</Error><Error>https://also.example/</Error><Error>about:blank</Error>"
        let first = Text.document(Text.wrapper("w1", to: "https://s.example/1", nil, "", more))
        let scene = ChainScene(answers: [
            "https://s.example/1": Text.document(Text.wrapper("w2", to: "https://s.example/2"))
        ])
        let outcome = try scene.run(first)
        #expect(outcome.errorCalls == ["w1 301", "also 301", "w2 301"])
        #expect(outcome.resolution.pings.map(\.depth) == [0, 0, 1])
        #expect(outcome.resolution.failure?.wrapperDepth == 2)
        #expect(outcome.resolution.failure?.description == "VAST 301: https://s.example/2 does not answer (wrapper 2)")
        #expect(outcome.resolution.hops.map { $0.failure?.code } == [nil, 301])
        #expect(outcome.resolution.hops.map(\.ads) == [1, nil])
        #expect(outcome.resolution.hops.map(\.adID) == ["w1", "w2"])
    }

    @Test("issues of a requested document name its wrapper depth")
    func issuesSayWhere() throws {
        let odd = Text.document(Text.inline("ad", ad: "conditionalAd=\"maybe\""))
        let first = Text.document(Text.wrapper("w", to: "https://s.example/1"))
        let outcome = try ChainScene(answers: ["https://s.example/1": odd]).run(first)
        #expect(outcome.resolution.issues.map(\.place) == [.field("wrapper 1, line 1")])
        #expect(outcome.resolution.issues.map(\.code) == ["vast.conditionalAd.wrong"])
    }

    @Test("a response to an unknown request is ignored")
    func lateAnswers() throws {
        var chain = VASTChain()
        let first = try VASTDocument(
            parsing: Text.document(
                Text.wrapper("a", to: "https://s.example/a", 1),
                Text.wrapper("b", to: "https://s.example/b", 2)
            )
        )
        let ad = try VASTDocument(parsing: Text.document(Text.inline("ad")))
        let requests = chain.start(first)
        #expect(requests.count == 2)
        #expect(chain.handle(.success(ad), for: 99).isEmpty)
        #expect(chain.handle(.success(ad), for: requests[0].id).isEmpty)
        #expect(chain.handle(.failure(VASTError(301, "twice")), for: requests[0].id).isEmpty)
        #expect(chain.result == nil)
        #expect(chain.outcome.pod.isEmpty)
        #expect(chain.handle(.success(ad), for: requests[1].id).isEmpty)
        let result = try #require(chain.result)
        #expect(result.pod.count == 2)
        #expect(result.failure == nil)
        for request in requests { #expect(chain.handle(.success(first), for: request.id).isEmpty) }
        #expect(chain.result == result)
        #expect(chain.outcome == result)
    }

    @Test("the failure is that of the first ad in document order, not of the first response")
    func firstFailure() throws {
        let first = Text.document(
            Text.wrapper("a", to: "https://s.example/dead", 1),
            Text.wrapper("b", to: "https://s.example/empty", 2)
        )
        let scene = ChainScene(answers: ["https://s.example/empty": Text.document()])
        #expect(try scene.run(first).code == 301)
        #expect(try scene.run(first) { $0 - 1 }.code == 301)
    }

    @Test("the number of error calls is limited")
    func manyErrors() throws {
        let errors = (0..<5000).map { "<Error>https://e\($0).example/</Error>" }.joined()
        let first = Text.document(Text.wrapper("w", to: "https://s.example/1", nil, "", errors))
        let dead = Text.document(
            (0..<900).map { (number: Int) in Text.wrapper("w\(number)", to: nil, number) }.joined()
        )
        let start = ProcessorTime.now
        let outcome = try ChainScene(answers: ["https://s.example/1": dead]).run(first)
        #expect(outcome.resolution.pings.count == VASTErrorCall.limit)
        #expect(ProcessorTime.now - start < .timeout(10))
    }
}
