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

    /// The screen.
    var screen: Size { self.room.screen }
    /// How it is laid out.
    var size: SizeDecision { self.room.size }

    /// Where our page is.
    var wrapperAddress: String { "https://\(self.name).yabbi-stage.invalid/" }
    /// Where the creative is: another site than our page, so that nothing of one can be touched by the other.
    var creativeAddress: String { "https://\(self.name).yabbi-creative.invalid/" }

    /// Our page.
    var wrapper: String {
        let filler = String(repeating: "<p></p>", count: self.layout == .inline ? 120 : 0)
        return Scripts.wrapper.replacing("LAYOUT", with: self.layout.rawValue)
            .replacing("SANDBOX", with: StagePlan.sandbox)
            .replacing("FILLER", with: filler)
    }

    /// What a creative may do besides nothing: run scripts, send forms (which are stopped on their way, and tell where
    /// they lead), and lead elsewhere as a whole where a user wants it (which is stopped likewise).
    static let sandbox = "allow-scripts allow-forms allow-top-navigation-by-user-activation"

    /// What our page may do: nothing by itself.
    ///
    /// Nothing of frames: where one of them may not go is decided on its way, and a rule would put an error page into the
    /// creative's place.
    static let contentPolicy = policy(media: "'none'")

    /// The same of a page with a film in it.
    static func policy(media: String) -> String {
        "script-src 'none'; object-src 'none'; connect-src 'none'; img-src data:; media-src \(media); font-src 'none'; "
            + "worker-src 'none'; manifest-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    }

    /// The headers of our page around a creative.
    static var wrapperHeaders: [(String, String)] { self.headers(policy: self.contentPolicy) }

    /// The headers of a page of ours.
    static func headers(policy: String) -> [(String, String)] {
        [("Content-Security-Policy", policy)] + self.otherHeaders
    }

    private static let otherHeaders = [
        (
            "Permissions-Policy",
            "camera=(), microphone=(), geolocation=(), fullscreen=(), payment=(), usb=(), display-capture=(), "
                + "clipboard-read=(), clipboard-write=(), midi=(), accelerometer=(), gyroscope=(), magnetometer=(), "
                + "screen-wake-lock=(), web-share=(), serial=(), hid=(), bluetooth=(), local-fonts=(), idle-detection=(), "
                + "window-management=(), publickey-credentials-get=(), identity-credentials-get=(), storage-access=()"
        )
    ]
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
    static let mraid = String(decoding: PackageResources.mraid_js, as: UTF8.self)
    /// Our page with a film in it, and our script there.
    static let player = String(decoding: PackageResources.player_html, as: UTF8.self)
    static let playerHost = String(decoding: PackageResources.player_js, as: UTF8.self)
}
