import AdCore
import AdMarkup
import OpenRTB

extension BidResponse.Bid {
    /// Whether the bid is a video; throws an error for one that a placement of this format can't show.
    func isVideo(_ markup: String, for format: AdFormat) throws(AdError) -> Bool {
        let kind = MarkupKind(sniffing: markup)
        let isVideo = kind == .vast || kind == .vmap
        switch (self.type, isVideo) {
        case (nil, _) where self.rawType != nil:
            throw AdError(.unknownType, "unknown mtype \(self.rawType ?? 0) in the bid; known types are 1 to 4")
        case (.audio, _), (.native, _):
            throw AdError(
                .unsupportedCreative,
                "the bid has mtype \(self.rawType ?? 0) (audio or native), which is not supported"
            )
        case (.banner, true):
            throw AdError(.markupMismatch, "the bid has mtype 1 (banner), which needs HTML, but its adm is \(kind)")
        case (.video, false):
            throw AdError(.markupMismatch, "the bid has mtype 2 (video), which needs VAST, but its adm is \(kind)")
        case (.video, true), (nil, true):
            guard format != .banner else {
                throw AdError(.formatMismatch, "the bid is a video, which a banner placement can't show")
            }
            return true
        case (.banner, false), (nil, false):
            break
        }
        switch kind {
        case .html, .text, .empty: break
        case .vast, .vmap, .xml, .json, .binary:
            throw AdError(.markupMismatch, "the bid is a banner, which needs HTML, but its adm is \(kind)")
        }
        guard format == .banner || format == .interstitial else {
            throw AdError(.formatMismatch, "the bid is a banner, which a \(format.rawValue) placement can't show")
        }
        return false
    }
}
