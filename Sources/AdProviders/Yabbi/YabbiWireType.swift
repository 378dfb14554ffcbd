import AdCore

/// The kinds of ad as YABBI's answers number them.
///
/// Other numbers that look alike mean other things elsewhere.
enum YabbiWireType: Int, CaseIterable, Sendable {
    case banner = 1
    case video = 2
    case rewarded = 3

    /// The kind in words, with its number.
    var text: String {
        switch self {
        case .banner: "type 1 (banner)"
        case .video: "type 2 (video)"
        case .rewarded: "type 3 (rewarded video)"
        }
    }

    /// Refuses an answer that does not suit what was asked for.
    func check(suits format: AdFormat) throws(AdError) {
        switch (format, self) {
        case (.banner, .banner), (.interstitial, .banner), (.interstitial, .video), (.rewarded, .rewarded): return
        case (.banner, _), (.interstitial, _), (.rewarded, _), (.card, _), (.engagement, _): break
        }
        let text =
            "the answer is \(self.text), and a placement for \(format.rawValue) can't show it; check the unit's format"
        throw AdError(.formatMismatch, text)
    }
}
