import AdCore

/// One creative on its way into a browser: everything that its stage must know and that does not change.
struct StagePlan: Hashable, Sendable {
    /// How our page around the creative looks.
    enum Layout: String, Hashable, Sendable {
        /// The creative has the screen to itself.
        case full
        /// It stands in an app that scrolls.
        case inline
    }

    /// A name that no other creative has or had: what one of them leaves behind is nobody else's.
    let name: String
    let layout: Layout
    /// The room there is for it.
    var room: StageRoom
    /// The creative's document.
    let document: String
    /// The servers on this machine that may be asked, as in `http://127.0.0.1:8080`.
    var neighbours: Set<String> = []
    /// When it may make itself larger.
    var growth = MRAIDGrowth.afterGesture

    /// The screen.
    var screen: Size { self.room.screen }
    /// How it is laid out.
    var size: SizeDecision { self.room.size }

    /// Where our page is.
    var wrapperAddress: String { WrapperPage.address(self.name) }
    /// Where the creative is: another site than our page, so that nothing of one can be touched by the other.
    var creativeAddress: String { "https://\(self.name).yabbi-creative.invalid/" }
}

/// The room that there is for a creative, which may change while it is shown.
struct StageRoom: Hashable, Sendable {
    /// The screen.
    var screen: Size
    /// How it is laid out on it.
    var size: SizeDecision
}

/// The scripts and pages of the stage, which are files beside the code.
enum Scripts {
    static let wrapper = String(decoding: PackageResources.wrapper_html, as: UTF8.self)
    static let host = String(decoding: PackageResources.host_js, as: UTF8.self)
    static let guardian = String(decoding: PackageResources.guard_js, as: UTF8.self)
    static let page = String(decoding: PackageResources.page_js, as: UTF8.self)
    static let bridge = String(decoding: PackageResources.bridge_js, as: UTF8.self)
    static let cover = String(decoding: PackageResources.cover_js, as: UTF8.self)
    static let ended = String(decoding: PackageResources.ended_html, as: UTF8.self)
    static let images = String(decoding: PackageResources.images_js, as: UTF8.self)
    static let mraid = String(decoding: PackageResources.mraid_js, as: UTF8.self)
    /// Our page with a film in it, and our script there.
    static let player = String(decoding: PackageResources.player_html, as: UTF8.self)
    static let playerHost = String(decoding: PackageResources.player_js, as: UTF8.self)
}
