/// What a stage displays.
public enum Creative: Hashable, Sendable {
    /// An HTML document.
    case html(HTMLCreative)
    /// One or more videos with their companions and icons.
    indirect case video(VideoCreative)
    /// A native card among the app's own content.
    indirect case card(CardCreative)
    /// A page of the provider that exchanges messages with the app.
    indirect case page(PageCreative)

    /// Whether it is a video; a video fills its container.
    var isVideo: Bool {
        if case .video = self { true } else { false }
    }
}

/// An HTML creative: the markup exactly as it was sold.
public struct HTMLCreative: Hashable, Sendable {
    /// The markup with its price macros replaced and nothing else changed.
    public let markup: String
    /// The document that a stage loads: the markup itself, or a document around a fragment.
    public let document: String

    /// Creates an HTML creative.
    public init(markup: String, document: String) {
        self.markup = markup
        self.document = document
    }
}
