import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("Requests")
struct RequestTests {
    @Test(
        "the target is split at the first question mark, byte by byte",
        arguments: [
            ("/", "/", ""), ("/a?b", "/a", "b"), ("/a?b?c", "/a", "b?c"), ("/a?", "/a", ""), ("?b", "", "b"),
            ("", "", ""),
            ("http://h:1/a?b=http://c/", "/a", "b=http://c/"), ("HTTP://h/a", "/a", ""), ("http://h", "http://h", ""),
            ("*", "*", ""),
            ("/t/\u{301}?\u{301}=1", "/t/\u{301}", "\u{301}=1"), ("/a%3Fb", "/a%3Fb", ""),
        ]
    )
    func target(target: String, path: String, query: String) {
        let request = ServerRequest(method: "GET", target: target)
        #expect(request.path.utf8.elementsEqual(path.utf8))
        #expect(request.query.utf8.elementsEqual(query.utf8))
    }

    @Test("a combining character after a slash does not change the endpoint")
    func combining() {
        var state = Samples.state()
        #expect(state.request("GET", "/t/\u{301}x").status == 200)
        #expect(state.request("GET", "/creatives/\u{301}leaf.svg").status == 404)
        _ = state.request("GET", "/sandbox/\u{301}")
        #expect(state.hits().count == 2)
    }

    @Test(
        "the first query field with a name is used, decoded",
        arguments: [
            ("a=1&a=2", "1"), ("b=1", nil), ("a", ""), ("a=", ""), ("%61=%20x", " x"), ("b=1&&a=1=2", "1=2"), ("", nil),
        ] as [(String, String?)]
    )
    func queryValue(query: String, value: String?) {
        #expect(ServerRequest(method: "GET", target: "/?" + query).queryValue("a") == value)
    }
}

@Suite("Response bodies")
struct ResponseBodyTests {
    @Test("every piece equals the same part of the whole", arguments: [0, 1, 2, 3, 7, 20, 100])
    func pieces(size: Int) {
        let bodies: [ResponseBody] = [
            .bytes([]), .bytes(Array(0..<17)), .filled(before: [1, 2, 3], filler: 9, times: 11, after: [4, 5]),
            .filled(before: [], filler: 9, times: 5, after: []), .filled(before: [1], filler: 9, times: 0, after: [2]),
        ]
        for body in bodies {
            let whole = ServerResponse(status: 200, body: body).bytes
            #expect(whole.count == body.count)
            for offset in 0...(body.count + 2) {
                let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
                defer { buffer.deallocate() }
                let count = body.copy(from: offset, into: buffer)
                #expect(buffer[..<count].elementsEqual(whole.dropFirst(offset).prefix(size)))
            }
        }
    }
}
