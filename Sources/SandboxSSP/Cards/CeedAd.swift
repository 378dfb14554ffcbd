/// An ad of CeedAds: its tags and its texts in each language.
struct CeedAd: Hashable, Sendable {
    /// The texts in one language.
    struct Texts: Hashable, Sendable {
        let advertiser: String
        let title: String
        let description: String
        let button: String
    }

    /// The advertiser's name in characters that a URL may have.
    let name: String
    /// The ad format; CeedAds has `action_card` and plans `lead_gen`, `static` and `followup`.
    var format = "action_card"
    let tags: [String]
    let english: Texts
    let japanese: Texts

    /// The texts in a language.
    func texts(in language: CeedLanguage) -> Texts {
        switch language {
        case .english: self.english
        case .japanese: self.japanese
        }
    }

    /// The ad with the most tags in a text; nil when no tag matches.
    static func best(for text: String, in language: CeedLanguage) -> CeedAd? {
        let words = WordSet(text)
        let translated = language == .japanese ? CeedDictionary.translated(text) : WordSet("")
        var best: (ad: CeedAd, score: Int)?
        for ad in self.pool {
            let score = words.matches(ad.tags) + translated.matches(ad.tags)
            if score > (best?.score ?? 0) { best = (ad, score) }
        }
        return best?.ad
    }

    /// The ad of the scenarios that need an ad.
    static let sample = CeedAd(
        name: "lingvondo",
        tags: ["english", "language", "grammar", "vocabulary", "pronunciation", "study", "lesson"],
        english: Texts(
            advertiser: "Lingvondo",
            title: "Learn a language from a patient parrot",
            description: "It repeats everything, mostly correctly, and never sighs at your vowels.",
            button: "Meet the parrot"
        ),
        japanese: Texts(
            advertiser: "リングヴォンド",
            title: "気の長いオウムと学ぶ語学",
            description: "何度でもくり返します。だいたい正しく、ため息なしで。",
            button: "オウムに会う"
        )
    )

    static let pool = [
        sample,
        CeedAd(
            name: "frondolo",
            tags: ["plant", "houseplant", "fern", "flower", "garden", "watering"],
            english: Texts(
                advertiser: "Frondolo",
                title: "A fern with an opinion",
                description: "The pot listens to the leaves and tells you what they think of the heating.",
                button: "Listen in"
            ),
            japanese: Texts(
                advertiser: "フロンドロ",
                title: "意見のあるシダ",
                description: "葉っぱの気持ちを、鉢がそっと教えてくれます。",
                button: "聞いてみる"
            )
        ),
        CeedAd(
            name: "nattela",
            tags: ["travel", "trip", "train", "sea", "beach", "ticket", "holiday"],
            english: Texts(
                advertiser: "Nattela",
                title: "The last train is the best one",
                description: "It leaves when you are tired and arrives when the bakery opens.",
                button: "Find a berth"
            ),
            japanese: Texts(
                advertiser: "ナッテラ",
                title: "終電がいちばんいい電車",
                description: "眠くなったら発車、パン屋が開くころに到着します。",
                button: "寝台をさがす"
            )
        ),
        CeedAd(
            name: "zuppidoo",
            tags: ["soup", "dinner", "lunch", "food", "recipe", "hungry"],
            english: Texts(
                advertiser: "Zuppidoo",
                title: "Soup o'clock is whenever you say",
                description: "Hot, in eleven colors, and at the door before the table is laid.",
                button: "Order a color"
            ),
            japanese: Texts(
                advertiser: "ズッピドゥー",
                title: "今がスープの時間です",
                description: "十一色のあたたかいスープを、玄関まで。",
                button: "色をえらぶ"
            )
        ),
        CeedAd(
            name: "sokketri",
            tags: ["sock", "shoe", "laundry", "clothes"],
            english: Texts(
                advertiser: "Sokketri",
                title: "One for the left, one for the right, one for the dryer",
                description: "Socks that come in threes, because life does what it does.",
                button: "Take three"
            ),
            japanese: Texts(
                advertiser: "ソケトリ",
                title: "右に一つ、左に一つ、予備に一つ",
                description: "三つで一組の靴下。なくしても、まだそろいます。",
                button: "三つください"
            )
        ),
        CeedAd(
            name: "plattolo",
            tags: ["music", "record", "vinyl", "song", "album"],
            english: Texts(
                advertiser: "Plattolo",
                title: "Take the B-side for a walk",
                description: "A record player with a handle and a calm disposition.",
                button: "Pick it up"
            ),
            japanese: Texts(
                advertiser: "プラットロ",
                title: "B面とおさんぽ",
                description: "取っ手のついた、落ちついたレコードプレーヤー。",
                button: "持ち上げる"
            )
        ),
        CeedAd(
            name: "umbrellix",
            format: "lead_gen",
            tags: ["insurance", "quote", "umbrella"],
            english: Texts(
                advertiser: "Umbrellix",
                title: "Insure your umbrella against wind",
                description: "Tell us how large it is and how brave you are.",
                button: "Ask for a quote"
            ),
            japanese: Texts(
                advertiser: "アンブレリックス",
                title: "あなたの傘に風の保険を",
                description: "傘の大きさと、あなたの勇気を教えてください。",
                button: "見積もりをたのむ"
            )
        ),
        CeedAd(
            name: "kumuloo",
            format: "static",
            tags: ["weather", "rain", "forecast", "cloud"],
            english: Texts(
                advertiser: "Kumuloo",
                title: "Your own cloud, by the hour",
                description: "For gardens, stages and melancholy afternoons.",
                button: "Look up"
            ),
            japanese: Texts(
                advertiser: "クムルー",
                title: "時間貸しの、あなただけの雲",
                description: "庭にも、舞台にも、もの思う午後にも。",
                button: "見上げる"
            )
        ),
        CeedAd(
            name: "keeperholm",
            format: "followup",
            tags: ["hotel", "lighthouse", "weekend", "room"],
            english: Texts(
                advertiser: "Keeperholm",
                title: "Still thinking about the lighthouse?",
                description: "The lamp room is free on Friday. The stairs have been swept.",
                button: "Yes, still"
            ),
            japanese: Texts(
                advertiser: "キーパーホルム",
                title: "まだ灯台のことを考えていますか",
                description: "金曜日は灯りの部屋が空いています。階段も掃除しました。",
                button: "はい、まだ"
            )
        ),
        CeedAd(
            name: "ballomera",
            // A format that CeedAds does not have.
            format: "hologram",
            tags: ["balloon", "birthday", "party"],
            english: Texts(
                advertiser: "Ballomera",
                title: "Breakfast at a thousand feet",
                description: "A balloon, a basket, a boiled egg.",
                button: "Go up"
            ),
            japanese: Texts(
                advertiser: "バロメラ",
                title: "雲の上の朝ごはん",
                description: "気球と、かごと、ゆで卵。",
                button: "のぼる"
            )
        ),
    ]
}
