import AdCore
import AdHTML
import AdMarkup
import AdProviders

/// Reads the ads of VAST or VMAP without an ad response around it.
struct TagReader: Sendable {
    let name: ProviderName = "tag"
    let bundle: String
    let guarantee: DeliveryGuarantee

    func offers(
        in bytes: [UInt8],
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        guard placement.format != .banner else {
            throw AdError(.formatMismatch, "the tag is a video; use --format interstitial or --format rewarded")
        }
        let proposal = VideoProposal(
            provider: self.name,
            markup: try TagReader.text(bytes),
            isRewarded: placement.format == .rewarded,
            context: context,
            appBundle: self.bundle,
            guarantee: self.guarantee
        )
        return OfferBatch([.video(proposal)])
    }

    /// The document as text, in its declared encoding.
    private static func text(_ bytes: [UInt8]) throws(AdError) -> String {
        do throws(MarkupError) {
            return try HTMLDocument(parsing: bytes, charset: DeclaredCharset.ofXMLDeclaration(in: bytes)).markup
        } catch {
            throw AdError(.unreadableResponse, error.message, at: .init(line: error.line), underlying: error)
        }
    }

    /// Whether the bytes contain a tag, also after other text.
    static func holds(_ bytes: [UInt8]) -> Bool {
        switch MarkupKind(sniffing: bytes) {
        case .vast, .vmap: return true
        case .html, .text, .xml:
            guard let document = try? VASTDocument(parsing: bytes) else { return false }
            return !document.ads.isEmpty || !document.broken.isEmpty
        case .json, .empty, .binary: return false
        }
    }
}
