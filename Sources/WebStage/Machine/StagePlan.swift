package import AdCore
import CWebScripts

/// What a stage needs to show a creative.
package struct StagePlan: Hashable, Sendable {
    /// The layout of the host page.
    package enum Layout: String, Hashable, Sendable {
        /// The creative covers the screen.
        case full
        /// The creative is part of an app's scrolling content.
        case inline
    }

    /// A unique name: creatives of other names can't read each other's storage.
    let name: String
    let layout: Layout
    /// The screen, and the layout of the creative on it.
    var geometry: StageGeometry
    /// The creative's HTML document.
    let document: String
    /// The origins on this computer and network that may be requested, as in `http://127.0.0.1:8080`.
    var allowed: Set<String>
    /// When an MRAID ad may expand or resize.
    var expansionPolicy: MRAIDExpansionPolicy
    /// Whether requests that are known to be tracking are blocked.
    var withholdsTracking: Bool
    /// The files beside the document; nil for a document without any.
    var files: StageFiles?
    /// Whether its calls, its movement and what it uses are reported.
    var isMeasured = false
    /// Whether it is shown as on a phone.
    var isMobile = true
    /// The maximum size of an answer with a part of a film, in bytes.
    var answerByteLimit = MediaRange.byteLimit
    /// The device's position, if the creative may have it.
    var location: AdContext.Location?

    package init(
        name: String,
        layout: Layout,
        geometry: StageGeometry,
        document: String,
        allowed: Set<String> = [],
        expansionPolicy: MRAIDExpansionPolicy = .afterGesture,
        withholdsTracking: Bool = false,
        files: StageFiles? = nil
    ) {
        self.files = files
        self.withholdsTracking = withholdsTracking
        self.name = name
        self.layout = layout
        self.geometry = geometry
        self.document = document
        self.allowed = allowed
        self.expansionPolicy = expansionPolicy
    }

    var screen: Size { self.geometry.screen }
    var size: CreativeLayout { self.geometry.size }

    /// The URL of the host page.
    var hostPageAddress: String { HostPage.address(self.name) }
    /// The URL of the creative, on another site than the host page: they run in different processes (HTML Living
    /// Standard, "Sites").
    var creativeAddress: String { StageDomain.creative.address(self.name) }
}

/// The screen, and the creative's layout on it; both may change while it is shown.
package struct StageGeometry: Hashable, Sendable {
    var screen: Size
    var size: CreativeLayout

    package init(screen: Size, size: CreativeLayout) {
        self.screen = screen
        self.size = size
    }
}

/// The scripts and pages in `Scripts/`.
enum Scripts {
    static let hostPage = String(cString: web_script_host_html())
    static let host = String(cString: web_script_host_js())
    /// `gesture.js` with `tasks.js`, which shares its world and channel.
    static let gesture = String(cString: web_script_gesture_js()) + String(cString: web_script_tasks_js())
    static let creative = String(cString: web_script_creative_js())
    static let bridge = String(cString: web_script_bridge_js())
    static let clickable = String(cString: web_script_clickable_js())
    static let cover = String(cString: web_script_cover_js())
    static let ended = String(cString: web_script_ended_html())
    static let images = String(cString: web_script_images_js())
    static let mraid = String(cString: web_script_mraid_js())
    static let omid = String(cString: web_script_omid_js())
    static let vpaid = String(cString: web_script_vpaid_js())
    static let calls = String(cString: web_script_calls_js())
    static let motion = String(cString: web_script_motion_js())
    static let measure = String(cString: web_script_measure_js())
    /// The host page of a video, and its script.
    static let playerPage = String(cString: web_script_player_html())
    static let player = String(cString: web_script_player_js())
}
