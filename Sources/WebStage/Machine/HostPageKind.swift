/// What our page around a creative is for.
package enum HostPageKind: Hashable, Sendable {
    /// A creative, in this layout.
    case creative(StagePlan.Layout)
    /// A video, whose files are stored by us or fetched by the engine.
    case video(isStored: Bool)

    /// Its markup.
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

    /// Our script in it.
    var script: String {
        switch self {
        case .creative: Scripts.host
        case .video: Scripts.player
        }
    }

    /// The headers that it is given to the browser with.
    var headers: [EngineHeader] {
        switch self {
        case .creative: HostPageKind.headers
        case .video(let isStored): HostPageKind.headers(media: isStored ? "'self'" : "https: http:")
        }
    }

    /// The headers of a page of ours that loads nothing.
    static var headers: [EngineHeader] { self.headers(media: "'none'") }

    /// What the sandbox allows a creative (HTML Living Standard, "Sandboxing"): scripts, forms, and navigation of the whole
    /// page by a user's gesture.
    ///
    /// Requests of the latter two are held and judged.
    private static let sandbox = "allow-scripts allow-forms allow-top-navigation-by-user-activation"

    /// What our page may load: nothing but media files.
    ///
    /// There is no rule for frames: their requests are judged one by one, and a rule would put an error page into the
    /// creative's place.
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
