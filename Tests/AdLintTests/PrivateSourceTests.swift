import AdCore
import AdLint
import Testing

@Suite("URLs of a private network")
struct PrivateSourceTests {
    private static let vast = """
        <VAST version="4.0"><Ad><InLine><AdSystem>a</AdSystem><AdTitle>b</AdTitle>
        <Impression><![CDATA[http://127.0.0.1:8080/i]]></Impression><Creatives/></InLine></Ad></VAST>
        """

    @Test("they are errors in a document of a public server, or of a file, and not in one of that network")
    func source() throws {
        func count(_ source: String?) throws -> Int {
            let url = try source.map { try #require(HTTPURL($0)) }
            let rules = Lint.check(Self.vast, from: url).findings.map(\.rule.id)
            #expect(rules.contains("tracker-insecure") == rules.contains("url-private-host"))
            return rules.count { $0 == "url-private-host" }
        }
        #expect(try count(nil) == 1)
        #expect(try count("https://ads.example/v") == 1)
        #expect(try count("http://127.0.0.1:8080/v") == 0)
        #expect(try count("http://192.168.1.4/v") == 0)
    }
}
