/// What a stage is given to show.
public enum Creative: Hashable, Sendable {
    /// A document of HTML.
    case html(HTMLCreative)
    /// A video, or several, and what is shown with them.
    case video(VideoCreative)
    /// A card among the app's own content.
    case card(CardCreative)
    /// A page of the provider's own, which speaks with the app.
    case page(PageCreative)

    /// Whether it is a video, which fills its container.
    var isVideo: Bool {
        if case .video = self { true } else { false }
    }
}

/// A banner: markup exactly as it was sold.
public struct HTMLCreative: Hashable, Sendable {
    /// The markup as it came, with its price macros filled in and nothing else changed.
    public let markup: String
    /// The document for a stage: the markup itself, or a document around a fragment.
    public let document: String

    /// A banner.
    public init(markup: String, document: String) {
        self.markup = markup
        self.document = document
    }
}
