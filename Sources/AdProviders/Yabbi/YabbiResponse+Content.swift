import AdCore
import AdMarkup

extension YabbiResponse {
    /// The markup's content, checked against the type of the response.
    enum Content {
        case banner(Creative)
        case video
        /// The markup has no visible content: no ad.
        case blank
    }

    func content() throws(AdError) -> Content {
        let kind = MarkupKind(sniffing: self.markup)
        switch (self.type, kind) {
        case (.banner, .html), (.banner, .text):
            guard let creative = try BannerCreative.parse(self.markup) else { return .blank }
            return .banner(creative)
        case (.video, .vast), (.rewarded, .vast), (.video, .vmap), (.rewarded, .vmap): return .video
        case (_, .empty): return .blank
        case (.banner, _), (.video, _), (.rewarded, _):
            let wanted = self.type == .banner ? "HTML" : "VAST"
            throw AdError(
                .markupMismatch,
                "the response has \(self.type.text), which needs \(wanted), but its adm is \(kind)"
            )
        }
    }
}
