import AdCore
import Testing

@Suite("Percent-encoding")
struct PercentEncodingTests {
    @Test(
        "brackets are escaped outside of a URL's host, and nothing else changes",
        arguments: [
            ("https://a.example/b?c=%20", "https://a.example/b?c=%20"),
            ("https://a.example/b[c]?ids[]=%20#[d]", "https://a.example/b%5Bc%5D?ids%5B%5D=%20#%5Bd%5D"),
            ("http://[::1]:80/[", "http://[::1]:80/%5B"), ("http://[::1]", "http://[::1]"),
            ("http://[::1]?[", "http://[::1]?%5B"), ("ws://[::1]/[]", "ws://[::1]/%5B%5D"),
            ("tel:[1]", "tel:%5B1%5D"), ("", ""),
        ]
    )
    func brackets(url: String, escaped: String) {
        #expect(PercentEncoding.withoutBrackets(url) == escaped)
    }
}
