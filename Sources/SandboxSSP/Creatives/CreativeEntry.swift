/// A creative that the sandbox serves for the placement with its name.
package struct CreativeEntry: Hashable, Sendable {
    /// The name, which requests send as the placement.
    package var name: String
    /// The display name in lists.
    package var title: String
    /// The description, in one line.
    package var about: String
    /// The type in YABBI's protocol.
    package var kind: Kind
    /// The ad format.
    package var format: Format
    /// The HTML or VAST, with `${SANDBOX}` for the sandbox's URL.
    package var markup: String
    /// The width; 0 is adaptive.
    package var width: Int
    /// The height; 0 is adaptive.
    package var height: Int
    /// The close delay, in milliseconds.
    package var closeDelay: Int
    /// The properties that tools select creatives by.
    package var tags: Set<Tag>

    /// The properties that tools select creatives by.
    package enum Tag: String, Hashable, Sendable, CaseIterable {
        /// A stage must play video for it.
        case video
        /// It is invalid on purpose.
        case fault
        /// It is a program or a page in place of a video, which only a browser runs.
        case interactive
    }

    /// The values of YABBI's `type`.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case banner = 1
        case video = 2
        case rewarded = 3
    }

    /// The ad formats.
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case banner, interstitial, rewarded
    }

    /// Creates a creative.
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
    /// The creative of the scenarios that need one.
    static let sample = CreativeEntry(
        name: "plain",
        markup: """
            <a href="${SANDBOX}/landing?from=plain" style="display:block;width:320px;height:50px;background:#204060;\
            color:#fff;font:16px/50px sans-serif;text-align:center;text-decoration:none">A plain banner</a>
            """,
        width: 320,
        height: 50
    )
}
