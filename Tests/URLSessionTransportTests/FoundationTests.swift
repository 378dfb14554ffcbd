import AdCore
import Foundation
import Testing

@testable import URLSessionTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests and errors in Foundation's types")
struct FoundationTests {
    private func made(_ request: AdHTTPRequest) throws -> URLRequest { try URLRequest.make(request).get() }

    private func url(_ text: String = "https://a.example/b?c=%20#d") throws -> HTTPURL { try #require(HTTPURL(text)) }

    @Test("fields that frame the message are left out, and several of one name are joined")
    func fields() throws {
        var headers: AdHTTPHeaders = ["Host": "evil", "Transfer-Encoding": "chunked", "X-A": "1", "X-Empty": ""]
        headers.add("x-a", "2")
        let made = try self.made(AdHTTPRequest(.get, self.url(), headers: headers))
        #expect(made.url?.absoluteString == "https://a.example/b?c=%20")
        #expect(made.httpMethod == "GET" && made.httpBody == nil && !made.httpShouldHandleCookies)
        #expect(made.allHTTPHeaderFields == ["X-A": "1,2", "X-Empty": ""])
    }

    @Test("a body without a type gets one, because URLSession would declare a form")
    func types() throws {
        let plain = try self.made(AdHTTPRequest(.post, self.url(), body: [1]))
        #expect(plain.value(forHTTPHeaderField: "Content-Type") == "application/octet-stream")
        let typed = try self.made(AdHTTPRequest(.post, self.url(), headers: ["content-type": "a/b"], body: [1]))
        #expect(typed.value(forHTTPHeaderField: "Content-Type") == "a/b")
        let empty = try self.made(AdHTTPRequest(.post, self.url()))
        #expect(empty.httpBody == Data() && empty.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test("a GET with a body is not sent")
    func getWithBody() async throws {
        let request = AdHTTPRequest(.get, try self.url("http://127.0.0.1:1/"), body: [1])
        await #expect {
            try await URLSessionTransport().send(request)
        } throws: { error in
            let error = error as? TransportError
            return error?.phase == .notSent(.other) && error?.message.contains("no body with GET") == true
        }
    }

    @Test(
        "URLSession's own time limit never passes before the deadline, and is always a number",
        arguments: [Duration.zero, .milliseconds(1), .seconds(10), .seconds(-5), .seconds(Int64.max)]
    )
    func timeouts(total: Duration) throws {
        let made = try self.made(AdHTTPRequest(.get, self.url(), limits: .init(total: total)))
        #expect(made.timeoutInterval >= 60 && made.timeoutInterval < 1_000_000)
    }

    @Test("an error keeps what decides about it, and what URLSession says")
    func errors() {
        let error = TransferError(URLError(.cannotFindHost, userInfo: [NSLocalizedDescriptionKey: "no such host"]))
        #expect(error == TransferError(kind: .unknownHost, detail: "no such host"))
        #expect(TransferError(URLError(.appTransportSecurityRequiresSecureConnection)).kind == .forbidden)
        #expect(TransferError(URLError(.networkConnectionLost)).kind == .lost)
        #expect(TransferError(URLError(.fileDoesNotExist)).kind == .other)
        #expect(TransferError(NSError(domain: "other", code: -1003)).kind == .unexplained)
    }

    @Test("the address of a peer decides, and one that can't be read is not public")
    func peers() throws {
        let near = try #require(IPAddress(text: "127.0.0.1"))
        #expect(
            SendEvidence(wasSent: true, peers: ["8.8.8.8", "2001:4860:4860::8888"]).privatePeer(besides: []) == nil
        )
        #expect(SendEvidence(wasSent: true, peers: ["8.8.8.8", "127.0.0.1"]).privatePeer(besides: []) == "127.0.0.1")
        #expect(SendEvidence(wasSent: true, peers: ["127.0.0.1"]).privatePeer(besides: [near]) == nil)
        #expect(SendEvidence(wasSent: true, peers: ["?"]).privatePeer(besides: [near]) == "?")
    }

    @Test("looking up a host gives its addresses, an address itself, and nothing for an unknown name")
    func lookUps() async throws {
        func addresses(_ host: String) async -> [String] {
            await withCheckedContinuation { continuation in
                AddressLookUp.start(host) { continuation.resume(returning: $0.map(\.description)) }
            }
        }
        #expect(await addresses("192.0.2.7") == ["192.0.2.7"])
        #expect(await addresses("2001:db8::1") == ["2001:db8::1"])
        #expect(await addresses("nope.invalid").isEmpty)
        let local = await addresses("localhost")
        #expect(!local.isEmpty && Set(local).isSubset(of: ["127.0.0.1", "::1"]))
        #expect(await addresses("127.1") == ["127.0.0.1"], "as the system reads it")
    }
}
