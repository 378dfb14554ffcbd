/// How a card is laid out among the app's own content.
public enum AdCardStyle: Hashable, Sendable, CaseIterable {
    /// A card of its own, as between two messages of a chat: the image is above the texts.
    case card
    /// A row of a feed: the image is beside the texts while there is room for it.
    case row
    /// A page of a carousel, which is as high as its neighbors.
    case slide
}
