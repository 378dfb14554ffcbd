import AdCore
import AdProviders

/// YABBI's providers, requests and responses of tests.
enum Responses {
    static let endpoint = url("https://ssp.example/load")
    static let app = YabbiApp(publisherID: "pub-1", bundle: "com.example.app", name: "Пример")
    static let yabbi = YabbiProvider(endpoint: endpoint, app: app)
    static let rtb = YabbiRTBProvider(endpoint: endpoint, app: app)
    static let context = AdContext(userAgent: "Agent/1")

    /// The example response of YABBI's protocol document.
    static let whole = #"""
        {"type": 1, "adm": "<a href='https://shop.example/'>Buy</a>", "closeTimeout": 5000, "width": 320, "height": 50,
         "tracker": {"view": "https://t.example/v?id=1", "click": "https://t.example/c?id=1"}}
        """#

    static func url(_ text: String) -> HTTPURL {
        guard let url = HTTPURL(text) else { preconditionFailure("invalid URL literal: \(text)") }
        return url
    }

    static func response(_ body: String, status: Int = 200) -> AdHTTPResponse {
        AdHTTPResponse(status: status, body: Array(body.utf8), url: self.endpoint)
    }

    /// A full response with one field replaced by JSON text, or left out.
    static func with(_ field: String, _ json: String?) -> String {
        var members: [(String, String)] = [
            ("type", "1"), ("adm", #""<p>See me</p>""#), ("closeTimeout", "5000"), ("width", "320"), ("height", "50"),
            ("tracker", #"{"view": "https://t.example/v", "click": "https://t.example/c"}"#),
        ]
        members.removeAll { $0.0 == field }
        if let json { members.append((field, json)) }
        return "{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
    }
}

extension Creative {
    var html: HTMLCreative? {
        switch self {
        case .html(let creative): creative
        case .video, .card, .page: nil
        }
    }
}
