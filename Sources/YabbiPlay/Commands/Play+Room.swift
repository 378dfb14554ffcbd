import AdCore
import AdMarkup
import AdRuntime
import SandboxSSP

// How much room an ad has.

extension Play {
    /// The room that a loaded ad is shown in.
    func container(for ad: Ad) -> ContainerSize {
        let offer = ad.offer
        var film: Size?
        // A tag by itself says how large its film is; a slot that was asked for is filled.
        if case .tag = self.source?.content, self.settings.format == nil, case .video(let video)? = offer?.creative,
            case .media(let files)? = video.spots.first?.content
        {
            film = files.first?.size
        }
        let isHTML = if case .html? = offer?.creative { true } else { false }
        return ContainerSize(
            chosen: self.settings.container,
            kind: offer?.terms.kind ?? .banner,
            requested: offer?.size ?? .adaptive,
            declared: isHTML ? offer.flatMap { CreativeReading($0.creative, base: self.base).declaredSize } : nil,
            film: film,
            screen: Play.screen(self.settings, self.source)
        )
    }

    /// The screen of every stage: as large as what is known before anything is shown needs it.
    static func screen(_ settings: Settings, _ source: Source?) -> Size {
        var declared: HTMLDocument.DeclaredSize?
        if settings.container == nil, case .creative(let entry)? = source?.content {
            declared = (try? HTMLDocument(parsing: entry.markup))?.declaredSize
        }
        return ContainerSize.screen(chosen: settings.container, declared: declared)
    }
}
