import AdCore
import Testing

@Suite("Redirects")
struct RedirectChainTests {
    private func chain(_ method: AdHTTPRequest.Method, redirects: Int = 5) throws -> RedirectChain {
        let url = try #require(HTTPURL("https://a.example/start"))
        let headers: AdHTTPHeaders = ["Content-Type": "text/plain", "X-Plain": "kept", "Authorization": "Bearer s"]
        let body = method == .post ? Array("body".utf8) : nil
        return RedirectChain(
            AdHTTPRequest(method, url, headers: headers, body: body, limits: .init(redirects: redirects))
        )
    }

    private func response(_ status: Int, _ location: String?) throws -> AdHTTPResponse {
        var headers = AdHTTPHeaders()
        headers["Location"] = location
        return AdHTTPResponse(status: status, headers: headers, url: try #require(HTTPURL("https://a.example/start")))
    }

    @Test("a POST becomes a GET without a body at 301, 302 and 303", arguments: [301, 302, 303])
    func becomesGet(status: Int) throws {
        var chain = try self.chain(.post)
        let follows = try chain.follow(self.response(status, "/next"))
        #expect(follows)
        #expect(chain.request.method == .get)
        #expect(chain.request.body == nil)
        #expect(chain.request.headers["Content-Type"] == nil)
        #expect(chain.request.headers["X-Plain"] == "kept")
        #expect(chain.request.url.text == "https://a.example/next")
    }

    @Test("a POST stays one, body and all, at 307 and 308", arguments: [307, 308])
    func staysPost(status: Int) throws {
        var chain = try self.chain(.post)
        let follows = try chain.follow(self.response(status, "https://b.example/next"))
        #expect(follows)
        #expect(chain.request.method == .post)
        #expect(chain.request.body == Array("body".utf8))
        #expect(chain.request.headers["Content-Type"] == "text/plain")
        #expect(chain.request.headers["Authorization"] == nil, "credentials are sent to their origin only")
    }

    @Test("other responses are final", arguments: [200, 204, 300, 304, 305, 404, 503])
    func last(status: Int) throws {
        var chain = try self.chain(.get)
        var none = try self.chain(.get, redirects: 0)
        let follows = try [
            chain.follow(self.response(status, "/next")), chain.follow(self.response(302, nil)),
            none.follow(self.response(302, "/next")),
        ]
        #expect(follows == [false, false, false])
    }

    @Test("redirect loops and long chains end as ambiguous")
    func ends() throws {
        var circle = try self.chain(.get)
        for path in ["/a", "/b"] { _ = try circle.follow(self.response(302, path)) }
        #expect(circle.followed == 2)
        #expect { try circle.follow(self.response(302, "/a")) } throws: {
            ($0 as? TransportError)?.phase == .ambiguous(.tooManyRedirects)
        }
        var long = try self.chain(.get, redirects: 3)
        for step in 0..<3 { _ = try long.follow(self.response(302, "/\(step)")) }
        #expect(long.followed == 3)
        #expect(throws: TransportError.self) { try long.follow(self.response(302, "/more")) }
        let refused = long.located(TransportError(.notSent(.refused), "refused"))
        #expect(refused.phase == .ambiguous(.refused), "the first hop was sent")
        #expect(refused.message.contains("after 3 redirects"))
    }
}
