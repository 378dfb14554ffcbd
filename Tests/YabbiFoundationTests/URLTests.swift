import AdCore
import Foundation
import Testing
import YabbiFoundation

@Suite("URLs of Foundation")
struct URLTests {
    @Test(
        "a URL has the same text in both types",
        arguments: [
            "https://ssp.example/load", "http://127.0.0.1:8080/yabbi/load?a=1&b=%20", "http://[::1]:8080/",
            "https://a.example/?q=%D1%8F", "https://a.example/path;v=1/x,y",
        ]
    )
    func roundTrip(text: String) throws {
        let foundation = try #require(URL(string: text))
        let own = try HTTPURL(url: foundation)
        #expect(own.text == text)
        #expect(URL(own) == foundation)
    }

    @Test("brackets outside of the host are escaped, and nothing else")
    func brackets() throws {
        let text = "http://[::1]:8080/a%20b[c]?ids[]=1&q=%C3%A9"
        let escaped = "http://[::1]:8080/a%20b%5Bc%5D?ids%5B%5D=1&q=%C3%A9"
        #expect(URL(try #require(HTTPURL(text)))?.absoluteString == escaped)
        #expect(URL(try #require(ClickThroughURL(text + "#[d]")))?.absoluteString == escaped + "#%5Bd%5D")
    }

    @Test("a relative URL is resolved against its base")
    func relative() throws {
        let base = try #require(URL(string: "https://a.example/folder/page"))
        let url = try #require(URL(string: "../load?x=1", relativeTo: base))
        #expect(try HTTPURL(url: url).text == "https://a.example/load?x=1")
    }

    @Test("a URL without http is an error")
    func refused() throws {
        let file = URL(fileURLWithPath: "/tmp/ads")
        #expect(throws: HTTPURL.ParseError.notHTTP) { try HTTPURL(url: file) }
        let named = try #require(URL(string: "https://me:secret@a.example/"))
        #expect(throws: HTTPURL.ParseError.hasUserName) { try HTTPURL(url: named) }
    }

    @Test("what creatives contain becomes a URL for the system, with its fragment and in other schemes")
    func clickThrough() throws {
        for text in ["https://shop.example/a?b=1#part", "tel:+4912345", "itms-apps://apps.apple.com/app/id1"] {
            let link = try #require(ClickThroughURL(text))
            #expect(URL(link)?.absoluteString == text)
        }
        let repaired = try #require(ClickThroughURL("https://shop.example/a b/ü"))
        #expect(URL(repaired)?.absoluteString == "https://shop.example/a%20b/%C3%BC")
    }
}
