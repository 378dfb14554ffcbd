import WebStage

/// What WKWebView tells of a navigation that waits for a decision.
struct NavigationFacts: Hashable, Sendable {
    /// The frame that is about to navigate.
    enum Target: Hashable, Sendable {
        case main
        /// Another frame, with the URL of its current document; empty for none.
        case frame(url: String)
        /// A new window.
        case window
    }

    let number: Int
    let url: String
    var method = "GET"
    let target: Target
    /// Whether the main frame has caused it.
    let isFromMain: Bool
    var isDownload = false
}

/// A request of the stage's scheme.
struct SchemeRequest: Hashable, Sendable {
    let number: Int
    let url: String
    var method = "GET"
    var headers: [EngineHeader] = []
}

/// A message of one of the injected scripts.
struct ScriptReport: Hashable, Sendable {
    let token: String
    /// The name of the channel.
    let name: String
    let place: DocumentPlace
    /// The URL of the sender's document when the script was injected.
    let url: String
    let text: String
    /// Whether WKWebView got it from the host's content world, and from the main frame.
    let isHost: Bool
    let isMainFrame: Bool

    init(
        token: String,
        name: String,
        place: DocumentPlace,
        url: String,
        text: String,
        isHost: Bool,
        isMainFrame: Bool
    ) {
        (self.token, self.name, self.place, self.url) = (token, name, place, url)
        (self.text, self.isHost, self.isMainFrame) = (text, isHost, isMainFrame)
    }

    /// The number of a ping that the script answers; nil for other messages.
    var pong: String? {
        guard self.isHost, self.name == PageScripts.channel, self.text.hasPrefix(PageScripts.pong) else { return nil }
        return String(self.text.dropFirst(PageScripts.pong.count))
    }

    /// Reads the body of a message; nil if it is not one of the injected scripts.
    init?(_ body: [String: String], isHost: Bool, isMainFrame: Bool) {
        guard let token = body["token"], let name = body["name"], let path = body["place"], let start = body["start"],
            let url = body["url"], let text = body["text"]
        else { return nil }
        self.init(
            token: token,
            name: name,
            place: DocumentPlace(path: path, start: start),
            url: url,
            text: text,
            isHost: isHost,
            isMainFrame: isMainFrame
        )
    }
}
