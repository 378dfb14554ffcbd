import WebStage

/// The method and the session of an event, read from its bytes without parsing the rest.
///
/// Chromium writes `method` as an event's first member and `sessionId` as its last one. What is written in another order
/// is parsed as a whole, as before.
struct DevToolsPreview: Hashable, Sendable {
    let method: String
    let session: DevToolsSession
    /// Whether it is a call of `console.error`.
    private let isConsoleError: Bool
    /// Whether it is about a request of `data:`, which has no server.
    let isInline: Bool

    private static let start = Array(#"{"method":""#.utf8)
    private static let key = Array(#","sessionId":""#.utf8)
    private static let end = Array(#""}"#.utf8)
    /// Longer than the name of any method or session.
    private static let longest = 100

    /// Reads the two; nil for an answer, an event of the browser as a whole, or another order of members.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: DevToolsPreview.start), bytes.suffix(2).elementsEqual(DevToolsPreview.end) else {
            return nil
        }
        let quote = UInt8(ascii: "\"")
        let head = bytes.dropFirst(DevToolsPreview.start.count).prefix(DevToolsPreview.longest)
        let tail = bytes.dropLast(2).suffix(DevToolsPreview.longest)
        guard let stop = head.firstIndex(of: quote), let begin = tail.lastIndex(of: quote),
            bytes[...begin].suffix(DevToolsPreview.key.count).elementsEqual(DevToolsPreview.key)
        else { return nil }
        self.method = String(decoding: head[..<stop], as: UTF8.self)
        self.session = DevToolsSession(name: String(decoding: tail[(begin + 1)...], as: UTF8.self))
        self.isConsoleError = bytes[stop...].starts(with: DevToolsPreview.error)
        self.isInline = DevToolsPreview.requests.contains(self.method) && DevToolsPreview.isInline(bytes[stop...])
    }

    private static let requests: Set<String> = ["Network.requestWillBeSent", "Network.responseReceived"]
    /// In a text of JSON the quotes would have backslashes before them.
    private static let inline = Array(#""url":"data:"#.utf8)

    private static func isInline(_ bytes: ArraySlice<UInt8>) -> Bool {
        // Before the address stand the numbers of the request, and the address of its document.
        var rest = bytes.prefix(2_048)
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[quote...]
            if rest.starts(with: self.inline) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    private static let error = Array(#"","params":{"type":"error""#.utf8)

    /// Whether no machine reads such events: they count as messages of their session, and are not parsed.
    ///
    /// A page can make as many of them as it likes (`console.log` in a loop). Errors are read: they explain how an ad looks.
    var isUnread: Bool { self.isInline || DevToolsPreview.unread.contains(self.method) && !self.isConsoleError }

    private static let unread: Set<String> = [
        "Runtime.consoleAPICalled", "Network.requestWillBeSentExtraInfo", "Network.responseReceivedExtraInfo",
        "Network.policyUpdated", "Network.resourceChangedPriority", "Page.navigatedWithinDocument",
    ]
}
