import AdCore
import WebStage

/// What WebKit's content rules block, because WKWebView lets no app hold the requests of a page.
///
/// Rules match URLs, not addresses: a public name that resolves to this network is not blocked. Where the stage itself
/// decides on a request (documents, and everything of its own scheme) its own rules apply as well.
struct ContentRules: Hashable, Sendable {
    /// The origins on this computer and network that may be requested, as in `http://127.0.0.1:8080`.
    let allowed: [String]

    init(allowed: some Sequence<String> = []) { self.allowed = allowed.sorted() }

    // MARK: The list

    /// The rules as JSON of WebKit ("Creating a content blocker").
    var json: String {
        let blocking = ContentRules.patterns.map { ContentRules.rule("block", $0) }
        let exceptions = self.allowed.map {
            ContentRules.rule("ignore-previous-rules", "^" + ContentRules.escaped($0) + "[/?#]")
        }
        return AdJSON.array(blocking + exceptions).text()
    }

    /// The name of the compiled list: other rules have another one.
    var identifier: String {
        // FNV-1a.
        let hash = self.json.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "yabbi-" + String(hash, radix: 36)
    }

    private static func rule(_ action: String, _ pattern: String) -> AdJSON {
        ["trigger": ["url-filter": .string(pattern)], "action": ["type": .string(action)]]
    }

    /// The patterns of blocked URLs, in the part of regular expressions that WebKit's rules have: no alternatives, no
    /// counts.
    static let patterns: [String] =
        // Without TLS it is mixed content in the stage's documents. The other schemes are https and wss.
        ["^ws://", "^http://"] + hosts.map { "^[hw][tps]+://([^/?#]*@)?\($0)" }

    /// The patterns of hosts on this computer and network, as `HostName.isPrivate` decides on names.
    private static let hosts: [String] = {
        let number = "[0-9]+"
        let networks = [
            "0\\.\(number)", "10\\.\(number)", "127\\.\(number)", "100\\.6[4-9]", "100\\.[7-9][0-9]",
            "100\\.1[01][0-9]", "100\\.12[0-7]", "169\\.254", "172\\.1[6-9]", "172\\.2[0-9]", "172\\.3[01]",
            "192\\.168", "198\\.1[89]", "22[4-9]\\.\(number)", "23[0-9]\\.\(number)", "24[0-9]\\.\(number)",
            "25[0-5]\\.\(number)",
        ]
        let addresses = networks.map { "\($0)\\.\(number)\\.\(number)\\.?[:/?#]" }
        // Public IPv6 addresses begin with 2 or 3 (RFC 4291 §2.4); 2001:db8 and 2002 are special (RFC 6890).
        let long = ["\\[[^23]", "\\[2001:db8", "\\[2002:"]
        let names = HostName.privateDomains.map { "([^/?#@:]*\\.)?\(ContentRules.escaped($0))\\.?[:/?#]" }
        // A name without a dot.
        return addresses + long + names + ["[^/?#@:.\\[]+\\.?[:/?#]"]
    }()

    private static func escaped(_ text: String) -> String {
        text.map { $0.isASCII && !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "/" ? "\\\($0)" : "\($0)" }.joined()
    }

    // MARK: Reports

    /// The rule that refuses a URL; nil for one that may be loaded.
    ///
    /// WebKit does not tell what its rules have blocked: a request that failed is compared with them instead.
    func refusal(of url: String) -> StageRequest.Rule? {
        let scheme = url.prefix { $0 != ":" }.asciiLowercased
        guard ["http", "https", "ws", "wss"].contains(scheme) else { return nil }
        let web = scheme.hasPrefix("ws") ? "http" + url.dropFirst(2) : url
        guard let host = RequestRules.host(of: web) else { return nil }
        if self.allowed.contains(where: { url.hasPrefix($0 + "/") || url == $0 }) { return nil }
        if HostName(host).isPrivate { return .other("private-host") }
        return scheme == "http" || scheme == "ws" ? .mixedContent : nil
    }
}
