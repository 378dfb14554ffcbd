/// A creative that the sandbox serves under its name.
package struct CreativeEntry: Hashable, Sendable {
    /// The name: what a request's unit says.
    package var name: String
    /// What it is called in lists.
    package var title: String
    /// What it is, in one line.
    package var about: String
    /// The type on the wire.
    package var kind: Kind
    /// The format that it is made for.
    package var format: Format
    /// The HTML or VAST.
    ///
    /// `${SANDBOX}` in it becomes the sandbox's address.
    package var markup: String
    /// The width; 0 is adaptive.
    package var width: Int
    /// The height; 0 is adaptive.
    package var height: Int
    /// After how many milliseconds the close button appears.
    package var closeDelay: Int
    /// What to know of it before it is shown.
    package var tags: Set<Tag>

    /// What some creatives have in common.
    package enum Tag: String, Hashable, Sendable, CaseIterable {
        /// It wants a stage that plays films.
        case video
        /// It is meant to go wrong.
        case fault
    }

    /// The numbers of YABBI's `type`.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case banner = 1
        case video = 2
        case rewarded = 3
    }

    /// What a creative is made for.
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case banner, interstitial, rewarded
    }

    /// Describes a creative.
    package init(
        name: String,
        kind: Kind = .banner,
        format: Format = .banner,
        markup: String,
        width: Int = 0,
        height: Int = 0,
        closeDelay: Int = 0,
        title: String = "",
        about: String = "",
        tags: Set<Tag> = []
    ) {
        self.name = name
        self.title = title.isEmpty ? name : title
        self.about = about
        self.kind = kind
        self.format = format
        self.markup = markup
        self.width = width
        self.height = height
        self.closeDelay = closeDelay
        self.tags = tags
    }
}

extension CreativeEntry {
    /// What is served where an answer has to look like an ad and no creative was asked for.
    static let plain = CreativeEntry(
        name: "plain",
        markup: """
            <a href="${SANDBOX}/landing?from=plain" style="display:block;width:320px;height:50px;background:#204060;\
            color:#fff;font:16px/50px sans-serif;text-align:center;text-decoration:none">A plain banner</a>
            """,
        width: 320,
        height: 50
    )
}
