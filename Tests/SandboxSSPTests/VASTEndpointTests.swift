import AdCore
import AdMarkup
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("Generated VAST")
struct VASTEndpointTests {
    private static func ad(_ path: String, _ state: inout SandboxState) throws -> VASTAd {
        let response = state.request("GET", path)
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "application/xml")
        #expect(response.headers["access-control-allow-origin"] == "*")
        let document = try VASTDocument(parsing: response.bytes)
        #expect(document.issues.isEmpty)
        #expect(document.version == "3.0")
        return try #require(document.ads.first)
    }

    /// The path of a URL of the sandbox.
    private static func path(_ template: URLTemplate?) throws -> String {
        let text = try #require(template?.text)
        #expect(text.hasPrefix(Samples.base + "/"))
        return String(text.dropFirst(Samples.base.count))
    }

    @Test("a chain has the requested number of wrappers, each with its number, and an ad", arguments: 0...6)
    func chain(hops: Int) throws {
        var state = Samples.state()
        var path = "/vast/chain?hops=\(hops)"
        for number in 1..<(hops + 1) {
            let ad = try Self.ad(path, &state)
            #expect(
                ad.impressions.map(\.url.text) == ["\(Samples.base)/t/vast/vast-chain/wrapper-\(number)/impression"]
            )
            #expect(
                ad.errors.map(\.text) == ["\(Samples.base)/t/vast/vast-chain/wrapper-\(number)/error?code=[ERRORCODE]"]
            )
            path = try Self.path(ad.wrapper?.tagURL)
        }
        let ad = try Self.ad(path, &state)
        #expect(ad.inline != nil)
        #expect(ad.impressions.map(\.url.text) == ["\(Samples.base)/t/vast/vast-chain/inline/impression"])
        let linear = try #require(ad.creatives.first?.linear)
        #expect(linear.duration == .seconds(6))
        #expect(linear.mediaFiles.map(\.type) == ["video/mp4", "video/webm"])
        #expect(linear.tracking.map(\.event) == ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"])
        #expect(linear.clickThrough?.text == "\(Samples.base)/landing?from=vast-chain")
        #expect(state.hits().count == hops + 1)
    }

    @Test("a chain has three wrappers by default")
    func defaultChain() throws {
        var state = Samples.state()
        let ad = try Self.ad("/vast/chain", &state)
        #expect(try Self.path(ad.wrapper?.tagURL) == "/vast/chain?hops=2&of=3&unit=vast-chain")
    }

    @Test("the trackers' name is passed along the chain, and can't end its CDATA section")
    func named() throws {
        var state = Samples.state()
        let ad = try Self.ad("/vast/chain?hops=1&unit=a]]>%3C%26b", &state)
        let path = try Self.path(ad.wrapper?.tagURL)
        #expect(path == "/vast/chain?hops=0&of=1&unit=a%5D%5D%3E%3C%26b")
        let inline = try Self.ad(path, &state)
        #expect(inline.impressions.map(\.url.text) == ["\(Samples.base)/t/vast/a%5D%5D%3E%3C%26b/inline/impression"])
    }

    @Test("an endless wrapper always refers to the next one")
    func endless() throws {
        var state = Samples.state()
        var path = "/vast/endless"
        for number in 1...20 {
            let ad = try Self.ad(path, &state)
            #expect(ad.id == "wrapper-\(number)")
            path = try Self.path(ad.wrapper?.tagURL)
            #expect(path == "/vast/endless?n=\(number + 1)&unit=vast-endless")
        }
    }

    @Test("a slow response is an ad with the requested delay")
    func slow() throws {
        var state = Samples.state()
        #expect(state.request("GET", "/vast/slow?ms=1200").delay == .milliseconds(1200))
        #expect(state.request("GET", "/vast/slow").delay == .seconds(3))
        #expect(try Self.ad("/vast/slow?ms=0", &state).inline != nil)
    }

    @Test("an HTML page is not VAST")
    func html() {
        var state = Samples.state()
        let response = state.request("GET", "/vast/html")
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/html; charset=utf-8")
        let error = #expect(throws: VASTError.self) { try VASTDocument(parsing: response.bytes) }
        #expect(error?.code == 101)
    }

    @Test(
        "an invalid query number is refused, and the error names it",
        arguments: [
            ("/vast/chain?hops=-1", "hops"), ("/vast/chain?hops=1001", "hops"), ("/vast/chain?hops=two", "hops"),
            ("/vast/chain?hops=3&of=2", "of"), ("/vast/chain?hops=", "hops"), ("/vast/endless?n=0", "n"),
            ("/vast/endless?n=9223372036854775807", "n"), ("/vast/slow?ms=600001", "ms"), ("/vast/slow?ms=1.5", "ms"),
        ]
    )
    func refused(path: String, field: String) {
        var state = Samples.state()
        let response = state.request("GET", path)
        #expect(response.status == 400)
        #expect(response.json?["field"]?.string == field)
    }

    @Test("the error of an unknown name lists the available ones")
    func unknown() throws {
        var state = try SandboxState(
            base: Samples.base,
            catalogue: CreativeCatalogue(
                [],
                files: ["vast/one.xml": Array("<VAST>${SANDBOX}</VAST>".utf8), "two.xml": []]
            )
        )
        #expect(state.request("GET", "/vast/one").text == "<VAST>\(Samples.base)</VAST>")
        #expect(state.request("GET", "/vast/%6Fne?cb=1").status == 200)
        for name in ["two", "404", "", "one.xml", "../two", "..%2Ftwo", "one/"] {
            let response = state.request("GET", "/vast/" + name)
            #expect(response.status == 404)
            #expect(response.json?["error"]?.string?.hasSuffix("available: one, chain, endless, slow, html") == true)
        }
        #expect(state.request("POST", "/vast/one").status == 405)
    }

    @Test("a VAST request is an ad request")
    func requests() {
        var state = Samples.state()
        for path in ["/vast/chain?hops=0", "/vast/nowhere", "/t/vast/x/inline/start"] { _ = state.request("GET", path) }
        let requests = state.request("GET", "/sandbox/requests").json?["requests"]?.array
        #expect(requests?.map { $0["path"] } == ["/vast/chain", "/vast/nowhere"])
    }
}
