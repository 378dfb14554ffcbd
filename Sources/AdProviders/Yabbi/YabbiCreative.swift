import AdCore
import AdMarkup

/// What an answer's markup is, held against the type that it was sent under.
struct YabbiCreative {
    let creative: Creative
    let issues: [Issue]

    /// Reads the markup; nil where there is nothing to see in it, which is no ad.
    init?(_ answer: YabbiAnswer) throws(AdError) {
        let kind = MarkupKind(sniffing: answer.markup)
        switch (answer.type, kind) {
        case (.banner, .html), (.banner, .text):
            guard let banner = try BannerCreative(reading: answer.markup) else { return nil }
            self.creative = banner.creative
            self.issues = banner.issues
        case (.video, .vast), (.rewarded, .vast), (.video, .vmap), (.rewarded, .vmap):
            let text = "the answer is \(answer.type.text), and this version plays no video yet; ask for a banner unit"
            throw AdError(.unsupportedCreative, text)
        case (_, .empty):
            return nil
        case (.banner, _), (.video, _), (.rewarded, _):
            let wanted = answer.type == .banner ? "HTML" : "VAST"
            throw AdError(
                .markupMismatch,
                "the answer is \(answer.type.text), which needs \(wanted), and its adm is \(kind)"
            )
        }
    }
}
