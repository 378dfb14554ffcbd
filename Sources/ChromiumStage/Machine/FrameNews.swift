import AdCore

/// What the browser tells of a frame of somebody else's: what it tried, and what of that was stopped already.
enum FrameNews: Hashable, Sendable {
    /// It would lead elsewhere.
    case attempt(Attempt)
    /// It was stopped.
    case blocked(BlockedAttempt)
    /// It opened a dialog, which waits for an answer.
    case dialog(BlockedAttempt)
    /// A user's gesture, as our script has seen it.
    case gesture(String)

    /// Reads an event; nil where it tells nothing of this kind.
    init?(_ event: DevToolsEvent) {
        let params = event.params
        switch event.method {
        case "Page.windowOpen":
            guard let url = params["url"]?.string, !url.isEmpty, !url.hasPrefix("about:") else { return nil }
            self = .attempt(Attempt(means: .window, url: url))
        case "Page.frameRequestedNavigation":
            // To another program, which the browser does not start from here: no request of it will be seen.
            guard let url = params["url"]?.string, !FrameNews.isOfTheBrowser(url) else { return nil }
            self = .attempt(Attempt(means: .navigation, url: url))
        case "Page.javascriptDialogOpening":
            let (kind, text) = (params["type"]?.string ?? "dialog", params["message"]?.string ?? "")
            self = .dialog(BlockedAttempt(.dialog, "\(kind): \(text.excerpt(200))"))
        case "Page.downloadWillBegin": self = FrameNews.download(params["url"]?.string)
        case "Log.entryAdded":
            guard let attempt = BrowserComplaint.attempt(params["entry"]?["text"]?.string ?? "") else { return nil }
            self = .blocked(attempt)
        case "Runtime.bindingCalled":
            guard let payload = params["payload"]?.string, payload.utf8.count <= 65_536,
                let message = try? JSON(parsing: payload),
                let news = FrameNews(saidBy: params["name"]?.string, message)
            else { return nil }
            self = news
        default: return nil
        }
    }

    /// What one of our scripts in the frame says.
    private init?(saidBy name: String?, _ message: JSON) {
        let url = message["url"]?.string
        switch (name, message["k"]?.string) {
        case ("__yabbi_guard", "gesture"): self = .gesture(message["type"]?.string ?? "")
        case ("__yabbi_guard", "link"):
            guard let url else { return nil }
            self = .attempt(Attempt(means: .link, url: url))
        case ("__yabbi_page", "open"):
            guard let url else { return nil }
            self = .attempt(Attempt(means: .window, url: url))
        case ("__yabbi_guard", "download"), ("__yabbi_page", "download"): self = FrameNews.download(url)
        default: return nil
        }
    }

    private static func download(_ url: String?) -> FrameNews {
        .blocked(BlockedAttempt(.download, Redaction.address((url ?? "").excerpt(500))))
    }

    /// Whether an address is one that the browser opens by itself.
    private static func isOfTheBrowser(_ url: String) -> Bool {
        let own = ["http:", "https:", "about:", "data:", "blob:", "javascript:", "filesystem:", "chrome-error:"]
        let start = url.prefix(12).asciiLowercased
        return own.contains(where: start.hasPrefix)
    }
}
