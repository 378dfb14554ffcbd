/// The words in names of macros that say what a macro stands for.
enum AdMacroWords {
    /// Names that contain "click" and stand for something else: an id, a kind, a place.
    private static let notClicks = ["CLICKID", "CLICKTYPE", "CLICKPOS", "CLICKTIME", "CLICKCOUNT"]
    private static let clicks: Set<String> = ["CLK", "LANDINGPAGE", "LANDINGURL", "LANDINGPAGEURL", "DESTURL", "CTA"]

    static func isClick(_ name: String, _ style: AdMacroSpelling.Style) -> Bool {
        if style == .letter { return name == "c" || name == "u" }
        let plain = String(decoding: name.utf8.filter(\.isASCIILetter).map { $0 & 0xDF }, as: UTF8.self)
        if self.clicks.contains(plain) { return true }
        return plain.firstRange(of: "CLICK") != nil && !self.notClicks.contains(where: plain.hasSuffix)
    }

    private static let notes: Set<String> = ["INSERT", "REPLACE", "ENTER", "PUT", "PASTE", "YOUR", "ADD"]
    private static let subjects: Set<String> = [
        "CLICK", "CLICKTAG", "CLICKTRACKER", "CLICKMACRO", "CLICKURL", "MACRO", "URL", "LINK", "LANDING", "TRACKER",
        "CACHEBUSTER", "TIMESTAMP", "PRICE",
    ]

    /// `INSERT_CLICK_HERE`, `CLICK_MACRO_HERE`, `YOUR_CLICK_URL`: capitals, with what to insert named among them.
    static func isNote(_ word: String) -> Bool {
        let parts = word.split { $0 == "_" || $0 == "-" }.map(String.init)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return false }
        guard parts.contains(where: self.subjects.contains) else { return false }
        return self.notes.contains(first) || last == "HERE"
    }
}
