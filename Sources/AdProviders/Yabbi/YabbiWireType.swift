import AdCore

/// The types of ads as YABBI's responses number them.
///
/// They are not OpenRTB's `mtype` numbers.
package enum YabbiWireType: Int, CaseIterable, Sendable {
    case banner = 1
    case video = 2
    case rewarded = 3

    /// The number and the name.
    var text: String {
        switch self {
        case .banner: "type 1 (banner)"
        case .video: "type 2 (video)"
        case .rewarded: "type 3 (rewarded video)"
        }
    }

    /// Throws an error when a placement of this format can't show this type.
    func check(suits format: AdFormat) throws(AdError) {
        switch (format, self) {
        case (.banner, .banner), (.interstitial, .banner), (.interstitial, .video), (.rewarded, .rewarded): return
        case (.banner, _), (.interstitial, _), (.rewarded, _), (.card, _), (.engagement, _): break
        }
        let text =
            "the response has \(self.text), which a \(format.rawValue) placement can't show; check the unit"
        throw AdError(.formatMismatch, text)
    }
}
