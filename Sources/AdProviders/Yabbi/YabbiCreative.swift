import AdCore
import AdMarkup

extension YabbiAnswer {
    /// What the markup is, held against the type that it was sent under.
    enum Content {
        case banner(Creative)
        case video
        /// There is nothing to see in it, which is no ad.
        case blank
    }

    func content() throws(AdError) -> Content {
        let kind = MarkupKind(sniffing: self.markup)
        switch (self.type, kind) {
        case (.banner, .html), (.banner, .text):
            guard let creative = try BannerCreative.read(self.markup) else { return .blank }
            return .banner(creative)
        case (.video, .vast), (.rewarded, .vast), (.video, .vmap), (.rewarded, .vmap): return .video
        case (_, .empty): return .blank
        case (.banner, _), (.video, _), (.rewarded, _):
            let wanted = self.type == .banner ? "HTML" : "VAST"
            throw AdError(
                .markupMismatch,
                "the answer is \(self.type.text), which needs \(wanted), and its adm is \(kind)"
            )
        }
    }
}
