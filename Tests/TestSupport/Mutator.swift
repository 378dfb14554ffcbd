/// A random mutator of bytes: it cuts, repeats, reverses and inserts.
package struct Mutator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { self.state = seed &* 0x9E37_79B9_7F4A_7C15 }

    package mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var word = self.state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Fragments that break HTML.
    package static let html: [String] = [
        "<", ">", "/>", "\"", "'", "=", "&", "&#x", ";", "<!--", "-->", "--!>", "<script>", "</script>", "<style>",
        "</style>", "<svg>",
        "</svg>", "<![CDATA[", "]]>", "<noscript>", "<iframe>", "<textarea>", "<template>", "<!doctype html>", "<html>",
        "<body ", "</body>",
        "<head>", "<p>", "</p>", "<table>", "<td>", "<wbr>", "<source src=x>", "<title>", "\0", "\n", "\u{C}", " ",
        "\u{FFFE}", "é", "url(",
        "${AUCTION_PRICE}", "[CACHEBUSTER]", "%%A%%", "style='", " x*=\"b e='", " @c=\"a > b\" ", "<?", "</", "</>",
        "<a/", "a=/\"",
        String(repeating: "n", count: 101), "=\"\">", "<math>", "<xmp>", "_", ":", ".", "<img src=", "&copy", "&lt;",
        "\u{1}",
        "a", "b", "script", "x=", "<b ", "<script ", "</script", "<source ", "href", "/", "//", "-", "--", "!", "<!",
        "<a href=x>", "</a>",
    ]

    /// Fragments that break VAST.
    package static let vast: [String] = [
        "<", ">", "/>", "\"", "'", "=", "&", "&amp;", "&#38;", "&x;", ";", "<!--", "-->", "<![CDATA[", "]]>", "<?",
        "?>",
        "</", "<Ad>", "</Ad>", "<Wrapper>", "<InLine>", "</InLine>", "<Creative>", "<Linear>", "</Linear>",
        "<Duration>",
        "00:00:30", "25%", "<Tracking event=\"start\">", "<MediaFile>", "<Extension>", "</Extension>", "<NonLinear>",
        "<Companion>", "<Icon>", "<Verification>", "<VAST>", "<foo:Ad>", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "\0", "\n",
        "\u{1}", "é", "\u{FFFE}", "a=\"1\" a=\"2\"", " ", "https://x.example/?a=1&b=2",
    ]

    package mutating func mutated(_ seeds: [[UInt8]], with fragments: [String]) -> [UInt8] {
        var bytes = seeds.randomElement(using: &self) ?? []
        if Int.random(in: 0..<4, using: &self) == 0 {
            // Only random fragments.
            bytes = (0..<80).flatMap { _ in Array((fragments.randomElement(using: &self) ?? "").utf8) }
        }
        for _ in 0..<Int.random(in: 1...12, using: &self) {
            let low = Int.random(in: 0...bytes.count, using: &self)
            let high = min(bytes.count, low + Int.random(in: 0...40, using: &self))
            switch Int.random(in: 0..<7, using: &self) {
            case 0: bytes.removeSubrange(low..<high)
            case 1: bytes.insert(contentsOf: bytes[low..<high], at: Int.random(in: 0...bytes.count, using: &self))
            case 2: bytes.insert(contentsOf: seeds.randomElement(using: &self)?.suffix(200) ?? [], at: low)
            case 3: if low < bytes.count { bytes[low] = UInt8.random(in: 0...255, using: &self) }
            case 4: bytes.replaceSubrange(low..<high, with: bytes[low..<high].reversed())
            case 5: bytes = Array(bytes.prefix(max(20, high)))
            default: bytes.insert(contentsOf: Array((fragments.randomElement(using: &self) ?? "").utf8), at: low)
            }
        }
        return bytes
    }
}
