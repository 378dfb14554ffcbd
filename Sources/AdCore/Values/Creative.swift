/// What a stage is given to show.
public enum Creative: Hashable, Sendable {
    /// A document of HTML.
    case html(HTMLCreative)

    /// The first link of the creative, where it has one.
    public var firstLink: LandingURL? {
        switch self {
        case .html(let creative): creative.firstLink
        }
    }
}

/// A banner: markup exactly as it was sold, and what a reading of it showed.
public struct HTMLCreative: Hashable, Sendable {
    /// The markup as it came, with its price macros filled in and nothing else changed.
    public let markup: String
    /// The document for a stage: the markup itself, or a document around a fragment.
    public let document: String
    /// The document's title, if it has one.
    public let title: String?
    /// The first link in it, for hosts and tests that click without a browser.
    public let firstLink: LandingURL?

    /// A banner.
    public init(markup: String, document: String, title: String? = nil, firstLink: LandingURL? = nil) {
        self.markup = markup
        self.document = document
        self.title = title
        self.firstLink = firstLink
    }
}
