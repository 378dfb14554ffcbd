import AdCore
import AdMarkup

extension YabbiAnswer {
    /// The markup as a creative, held against the type that it was sent under; nil where there is nothing to see in it,
    /// which is no ad.
    func creative() throws(AdError) -> Creative? {
        let kind = MarkupKind(sniffing: self.markup)
        switch (self.type, kind) {
        case (.banner, .html), (.banner, .text):
            return try BannerCreative.read(self.markup)
        case (.video, .vast), (.rewarded, .vast), (.video, .vmap), (.rewarded, .vmap):
            let text = "the answer is \(self.type.text), and this version plays no video yet; ask for a banner unit"
            throw AdError(.unsupportedCreative, text)
        case (_, .empty):
            return nil
        case (.banner, _), (.video, _), (.rewarded, _):
            let wanted = self.type == .banner ? "HTML" : "VAST"
            throw AdError(
                .markupMismatch,
                "the answer is \(self.type.text), which needs \(wanted), and its adm is \(kind)"
            )
        }
    }
}
