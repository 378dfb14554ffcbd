package import AdCore

/// One creative on its way into an engine: everything that its stage needs, but for the video's own.
package struct StagePlan: Hashable, Sendable {
    /// How our page around the creative looks.
    package enum Layout: String, Hashable, Sendable {
        /// The creative has the screen to itself.
        case full
        /// It is part of an app's content, which scrolls.
        case inline
    }

    /// A name that no other creative has or had: what one of them stores, no other can read.
    let name: String
    let layout: Layout
    /// The room there is for it.
    var room: StageRoom
    /// The creative's document.
    let document: String
    /// The servers on this machine that may be called, as in `http://127.0.0.1:8080`.
    var allowed: Set<String>
    /// When it may make itself larger.
    var growth: MRAIDGrowth

    package init(
        name: String,
        layout: Layout,
        room: StageRoom,
        document: String,
        allowed: Set<String> = [],
        growth: MRAIDGrowth = .afterGesture
    ) {
        self.name = name
        self.layout = layout
        self.room = room
        self.document = document
        self.allowed = allowed
        self.growth = growth
    }

    /// The screen.
    var screen: Size { self.room.screen }
    /// How it is laid out.
    var size: CreativeLayout { self.room.size }

    /// The address of our page.
    var hostPageAddress: String { HostPage.address(self.name) }
    /// The address of the creative: another site than our page, so that neither can reach into the other (HTML Living
    /// Standard, "Sites").
    var creativeAddress: String { "https://\(self.name).yabbi-creative.invalid/" }
}

/// The room that there is for a creative, which may change while it is shown.
package struct StageRoom: Hashable, Sendable {
    /// The screen.
    var screen: Size
    /// How it is laid out on it.
    var size: CreativeLayout

    package init(screen: Size, size: CreativeLayout) {
        self.screen = screen
        self.size = size
    }
}

/// The scripts and pages of the stage, which are files beside the code.
enum Scripts {
    static let hostPage = String(decoding: PackageResources.host_html, as: UTF8.self)
    static let host = String(decoding: PackageResources.host_js, as: UTF8.self)
    static let gesture = String(decoding: PackageResources.gesture_js, as: UTF8.self)
    static let creative = String(decoding: PackageResources.creative_js, as: UTF8.self)
    static let bridge = String(decoding: PackageResources.bridge_js, as: UTF8.self)
    static let cover = String(decoding: PackageResources.cover_js, as: UTF8.self)
    static let ended = String(decoding: PackageResources.ended_html, as: UTF8.self)
    static let images = String(decoding: PackageResources.images_js, as: UTF8.self)
    static let mraid = String(decoding: PackageResources.mraid_js, as: UTF8.self)
    /// Our page with a video in it, and our script there.
    static let playerPage = String(decoding: PackageResources.player_html, as: UTF8.self)
    static let player = String(decoding: PackageResources.player_js, as: UTF8.self)
}
