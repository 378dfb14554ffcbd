/// The words in macro names by which the meaning of a macro is recognized.
enum AdMacroWords {
    /// Ends of names that contain "click" but mean something else.
    private static let notClicks = ["CLICKID", "CLICKTYPE", "CLICKPOS", "CLICKTIME", "CLICKCOUNT"]
    private static let clicks: Set<String> = ["CLK", "LANDINGPAGE", "LANDINGURL", "LANDINGPAGEURL", "DESTURL", "CTA"]

    static func isClick(_ name: String, _ style: AdMacroSpelling.Style) -> Bool {
        if style == .letter { return name == "c" || name == "u" }
        let plain = String(decoding: name.utf8.filter(\.isASCIILetter).map { $0 & 0xDF }, as: UTF8.self)
        if self.clicks.contains(plain) { return true }
        return plain.firstRange(of: "CLICK") != nil && !self.notClicks.contains(where: plain.hasSuffix)
    }

    private static let instructions: Set<String> = ["INSERT", "REPLACE", "ENTER", "PUT", "PASTE", "YOUR", "ADD"]
    private static let subjects: Set<String> = [
        "CLICK", "CLICKTAG", "CLICKTRACKER", "CLICKMACRO", "CLICKURL", "MACRO", "URL", "LINK", "LANDING", "TRACKER",
        "CACHEBUSTER", "TIMESTAMP", "PRICE",
    ]

    /// Whether a word is like `INSERT_CLICK_HERE`, `CLICK_MACRO_HERE` or `YOUR_CLICK_URL`.
    static func isPlaceholder(_ word: String) -> Bool {
        let parts = word.split { $0 == "_" || $0 == "-" }.map(String.init)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return false }
        guard parts.contains(where: self.subjects.contains) else { return false }
        return self.instructions.contains(first) || last == "HERE"
    }
}
