/// The kind of creative that a host page is for.
package enum HostPageKind: Hashable, Sendable {
    /// An HTML creative or card, in this layout.
    case creative(StagePlan.Layout)
    /// A video, whose media files are stored by the stage or fetched by the engine.
    case video(isStored: Bool)

    /// The page's markup.
    var document: String {
        switch self {
        case .creative(let layout):
            let filler = String(repeating: "<p></p>", count: layout == .inline ? 120 : 0)
            return Scripts.hostPage.replacing("LAYOUT", with: layout.rawValue)
                .replacing("SANDBOX", with: HostPageKind.sandbox)
                .replacing("FILLER", with: filler)
        case .video: return Scripts.playerPage.replacing("SANDBOX", with: HostPageKind.sandbox)
        }
    }

    /// The host's script for the page.
    var script: String {
        switch self {
        case .creative: Scripts.host
        case .video: Scripts.player
        }
    }

    /// The headers of the page's response.
    var headers: [EngineHeader] {
        switch self {
        case .creative: HostPageKind.headers
        case .video(let isStored): HostPageKind.headers(media: isStored ? "'self'" : "https: http:")
        }
    }

    /// The headers of a host page that loads no media.
    static var headers: [EngineHeader] { self.headers(media: "'none'") }

    /// The sandbox flags of a creative (HTML Living Standard, "Sandboxing"): scripts, forms, and navigation of the
    /// whole page by a user's gesture.
    ///
    /// Requests of the last two are held, and decided on as attempts to open a link.
    private static let sandbox = "allow-scripts allow-forms allow-top-navigation-by-user-activation"

    /// The page's policies: it loads nothing but media files.
    ///
    /// There is no `frame-src`: requests of frames are decided one by one, and a blocked frame would show an error
    /// page.
    private static func headers(media: String) -> [EngineHeader] {
        let policy =
            "script-src 'none'; object-src 'none'; connect-src 'none'; img-src data:; media-src \(media); "
            + "font-src 'none'; worker-src 'none'; manifest-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
            + "form-action 'none'"
        return [EngineHeader("Content-Security-Policy", policy), EngineHeader("Permissions-Policy", self.permissions)]
    }

    private static let permissions =
        "camera=(), microphone=(), geolocation=(), fullscreen=(), payment=(), usb=(), display-capture=(), "
        + "clipboard-read=(), clipboard-write=(), midi=(), accelerometer=(), gyroscope=(), magnetometer=(), "
        + "screen-wake-lock=(), web-share=(), serial=(), hid=(), bluetooth=(), local-fonts=(), idle-detection=(), "
        + "window-management=(), publickey-credentials-get=(), identity-credentials-get=(), storage-access=()"
}
