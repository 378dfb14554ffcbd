import AdCore

/// A message of `omid.js`.
///
/// Any script of the window can forge it, so that it is validated and bounded.
struct OMIDMessage: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// `registerSessionObserver`, with the vendor's key.
        case session(vendor: String?)
        /// `addEventListener`, with the type of event.
        case listen(String)
        /// `sendUrl`.
        case sendURL(String)
        /// `injectJavaScriptResource`.
        case inject(String)
        /// The script that the stage loads was run, or none could be loaded.
        case script(isLoaded: Bool)
    }

    let kind: Kind
    /// The number of the callback; 0 for none.
    let callback: Int

    init?(_ json: AdJSON) {
        let number = json["n"]?.number.flatMap(Int.init(exactly:)) ?? 0
        self.callback = (0...1_000_000).contains(number) ? number : 0
        switch json["k"]?.string {
        case "session": self.kind = .session(vendor: json["vendor"]?.string?.excerpt(200))
        case "listen":
            guard let type = json["type"]?.string else { return nil }
            self.kind = .listen(type.excerpt(60))
        case "url": self.kind = .sendURL((json["url"]?.string ?? "").excerpt(500))
        case "inject": self.kind = .inject((json["url"]?.string ?? "").excerpt(500))
        case "script": self.kind = .script(isLoaded: json["ok"] == true)
        default: return nil
        }
        switch self.kind {
        case .session, .listen: if self.callback == 0 { return nil }
        case .sendURL, .inject, .script: break
        }
    }

    /// The call as tools list it: its name in the API, and its arguments.
    var call: (name: String, arguments: [AdJSON.Member])? {
        switch self.kind {
        case .session(let vendor): ("registerSessionObserver", [.init("vendorKey", .text(vendor))])
        case .listen(let type): ("addEventListener", [.init("type", .string(type))])
        case .sendURL(let url): ("sendUrl", [.init("url", .string(Redaction.address(url)))])
        case .inject(let url): ("injectJavaScriptResource", [.init("url", .string(Redaction.address(url)))])
        case .script: nil
        }
    }
}
