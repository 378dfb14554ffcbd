/// What a page of ours is made for that stands around something.
enum WrapperKind: Hashable, Sendable {
    /// Around a creative, laid out so.
    case creative(StagePlan.Layout)
    /// Around a film, which is given to it by us, or fetched by the browser.
    case video(isShelved: Bool)

    /// Its markup.
    var document: String {
        switch self {
        case .creative(let layout):
            let filler = String(repeating: "<p></p>", count: layout == .inline ? 120 : 0)
            return Scripts.wrapper.replacing("LAYOUT", with: layout.rawValue)
                .replacing("SANDBOX", with: WrapperKind.sandbox)
                .replacing("FILLER", with: filler)
        case .video: return Scripts.player.replacing("SANDBOX", with: WrapperKind.sandbox)
        }
    }

    /// Our script in it.
    var script: String {
        switch self {
        case .creative: Scripts.host
        case .video: Scripts.playerHost
        }
    }

    /// The headers that it is given to the browser with.
    var headers: [(String, String)] {
        switch self {
        case .creative: WrapperKind.headers
        case .video(let isShelved): WrapperKind.headers(media: isShelved ? "'self'" : "https: http:")
        }
    }

    /// The headers of a page of ours that loads nothing.
    static var headers: [(String, String)] { self.headers(media: "'none'") }

    /// What a creative may do besides nothing: run scripts, send forms (which are stopped on their way, and tell where
    /// they lead), and lead elsewhere as a whole where a user wants it (which is stopped likewise).
    private static let sandbox = "allow-scripts allow-forms allow-top-navigation-by-user-activation"

    /// What our page may do: nothing by itself.
    ///
    /// Nothing of frames: where one of them may not go is decided on its way, and a rule would put an error page into the
    /// creative's place.
    private static func headers(media: String) -> [(String, String)] {
        let policy =
            "script-src 'none'; object-src 'none'; connect-src 'none'; img-src data:; media-src \(media); "
            + "font-src 'none'; worker-src 'none'; manifest-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
            + "form-action 'none'"
        return [("Content-Security-Policy", policy), ("Permissions-Policy", self.permissions)]
    }

    private static let permissions =
        "camera=(), microphone=(), geolocation=(), fullscreen=(), payment=(), usb=(), display-capture=(), "
        + "clipboard-read=(), clipboard-write=(), midi=(), accelerometer=(), gyroscope=(), magnetometer=(), "
        + "screen-wake-lock=(), web-share=(), serial=(), hid=(), bluetooth=(), local-fonts=(), idle-detection=(), "
        + "window-management=(), publickey-credentials-get=(), identity-credentials-get=(), storage-access=()"
}
