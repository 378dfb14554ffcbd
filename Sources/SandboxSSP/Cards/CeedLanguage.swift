/// The languages of CeedAds.
enum CeedLanguage: String, Hashable, Sendable, CaseIterable {
    case english = "eng"
    case japanese = "jpn"

    /// The language that a request names, or else the detected language of its text.
    init(named name: String?, text: String) {
        switch name {
        case "eng", "en": self = .english
        case "jpn", "ja": self = .japanese
        default: self = CeedLanguage(of: text)
        }
    }

    /// Detects the language of a text by its script.
    ///
    /// CeedAds' library does the same. A text is Japanese when most of its letters are kana or Han and at least one is
    /// kana, because Han alone may be Chinese. All other texts count as English.
    init(of text: String) {
        var (kana, han, others) = (0, 0, 0)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF,
                0xFF66...0xFF9D:
                kana += 1
            case 0x3005, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: han += 1
            default: if scalar.properties.isAlphabetic { others += 1 }
            }
        }
        self = kana > 0 && kana + han > others ? .japanese : .english
    }
}

/// A dictionary from Japanese words to English tags.
///
/// CeedAds translates the whole text; the sandbox needs only the words of its tags.
enum CeedDictionary {
    /// The English tags for the Japanese words in a text.
    static func translated(_ text: String) -> WordSet {
        var found: Set<String> = []
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            for entry in self.entries[scalar] ?? [] where scalars[index...].starts(with: entry.word) {
                found.insert(entry.tag)
            }
        }
        return WordSet(found.joined(separator: " "))
    }

    /// The dictionary by first character; Japanese has no spaces between words, so a word can start anywhere.
    private static let entries = Dictionary(
        grouping: table.map { (word: Array($0.unicodeScalars), tag: $1) },
        by: { $0.word.first ?? " " }
    )

    private static let table: KeyValuePairs<String, String> = [
        "植物": "plant", "シダ": "fern", "花": "flower", "庭": "garden", "水やり": "watering",
        "旅行": "travel", "電車": "train", "列車": "train", "海": "sea", "切符": "ticket",
        "スープ": "soup", "夕食": "dinner", "昼ごはん": "lunch", "料理": "food", "レシピ": "recipe",
        "靴下": "sock", "くつ下": "sock", "靴": "shoe", "洗濯": "laundry",
        "音楽": "music", "レコード": "record", "歌": "song",
        "英語": "english", "単語": "vocabulary", "文法": "grammar", "勉強": "study", "発音": "pronunciation",
        "保険": "insurance", "見積": "quote", "天気": "weather", "雨": "rain", "傘": "umbrella",
        "ホテル": "hotel", "灯台": "lighthouse", "週末": "weekend", "気球": "balloon", "風船": "balloon",
    ]
}
