import AdCore
import WebStage

/// The method and session of an event, read from its bytes without parsing the JSON.
///
/// Chromium writes `method` as an event's first member and `sessionId` as its last one. Messages in another order are
/// parsed completely.
struct DevToolsPreview: Hashable, Sendable {
    let method: String
    let session: DevToolsSession
    /// Whether it is about a request for a `data:` URL, which has no server.
    let isInline: Bool

    private static let start = Array(#"{"method":""#.utf8)
    private static let key = Array(#","sessionId":""#.utf8)
    private static let end = Array(#""}"#.utf8)
    /// The maximum length of a method or session name.
    private static let maxNameLength = 100

    /// Nil for a reply, an event of the browser as a whole, or another order of members.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: DevToolsPreview.start), bytes.suffix(2).elementsEqual(DevToolsPreview.end) else {
            return nil
        }
        let quote = UInt8(ascii: "\"")
        let head = bytes.dropFirst(DevToolsPreview.start.count).prefix(DevToolsPreview.maxNameLength)
        let tail = bytes.dropLast(2).suffix(DevToolsPreview.maxNameLength)
        guard let stop = head.firstIndex(of: quote), let begin = tail.lastIndex(of: quote),
            bytes[...begin].suffix(DevToolsPreview.key.count).elementsEqual(DevToolsPreview.key)
        else { return nil }
        self.method = String(decoding: head[..<stop], as: UTF8.self)
        self.session = DevToolsSession(name: String(decoding: tail[(begin + 1)...], as: UTF8.self))
        self.isConsoleMessage =
            self.method == "Runtime.consoleAPICalled" && !bytes[stop...].starts(with: DevToolsPreview.error)
        let type = DevToolsPreview.requests.contains(self.method) ? DevToolsPreview.inlineType(in: bytes[stop...]) : nil
        self.isInline = type != nil
        self.isImage =
            type.map(DevToolsPreview.animated.contains) == true && self.method == DevToolsPreview.response
            && bytes.count <= DevToolsPreview.animatedLimit
    }

    private static let error = Array(#"","params":{"type":"error""#.utf8)
    private static let response = "Network.responseReceived"
    private static let requests: Set<String> = ["Network.requestWillBeSent", response]
    /// The types of images whose length is read, and the maximum size of their messages.
    private static let animated: Set<String> = ["image/gif", "image/webp", "image/apng"]
    private static let animatedLimit = 2 << 20
    /// In a JSON string the quotes would be escaped.
    private static let inline = Array(#""url":"data:"#.utf8)

    /// The type of a `data:` URL; nil for another URL.
    private static func inlineType(in bytes: ArraySlice<UInt8>) -> String? {
        // The request's identifiers and its document's URL come before its own URL.
        var rest = bytes.prefix(2_048)
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[quote...]
            if rest.starts(with: self.inline) {
                let type = rest.dropFirst(self.inline.count).prefix(40).prefix { !";,\"".utf8.contains($0) }
                return String(decoding: type, as: UTF8.self).asciiLowercased
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Whether no machine handles such events: they are counted for their session, but not parsed.
    ///
    /// A page can cause any number of them.
    var isUnread: Bool { self.isInline && !self.isImage || DevToolsPreview.unread.contains(self.method) }

    /// Whether it is the response of an image in a `data:` URL that may be animated, and is not very large.
    private let isImage: Bool

    /// Whether it is a call of the console other than `console.error`.
    ///
    /// A page can cause any number of them (`console.log` in a loop), and only the first ones are listed. Errors explain
    /// a broken ad.
    let isConsoleMessage: Bool

    /// Whether it is a picture of the page: the engine sends the next one only when this one is acknowledged, so it is
    /// not counted.
    var isPicture: Bool { self.method == "Page.screencastFrame" }

    private static let unread: Set<String> = [
        "Network.requestWillBeSentExtraInfo", "Network.responseReceivedExtraInfo",
        "Network.policyUpdated", "Network.resourceChangedPriority", "Page.navigatedWithinDocument",
    ]
}
