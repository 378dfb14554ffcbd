import AdCore
import LoopbackServer
import WebSocketCodec

/// Smartico: the WebSocket, and the pages that show engagements and games.
enum SmarticoEndpoint {
    static let all = [
        Endpoint(
            path: .exact(Sandbox.socketPath),
            methods: ["GET"],
            about: "a WebSocket in Smartico's protocol: ?master&domain=…&version=…"
        ) { request, state in
            guard state.address?.matchesOrigin(of: request) ?? true else {
                return .failure(403, "pages of other origins can't open a socket")
            }
            do throws(SocketRefusal) {
                return try Self.upgrade(of: request)
            } catch {
                var response = ServerResponse.failure(error.status, error.message, field: error.field)
                if error.status == 426 {
                    response.headers["Upgrade"] = "websocket"
                    response.headers["Sec-WebSocket-Version"] = "13"
                }
                return response
            }
        },
        Endpoint(
            path: .exact("/wrapper-popup.html"),
            methods: ["GET"],
            about: "Smartico's page for popups; the response to IDENTIFY has its URL"
        ) { request, state in Self.page(PopupPage.html, for: request, state) },
        Endpoint(
            path: .exact("/wrapper-gf.html"),
            methods: ["GET"],
            about: "Smartico's page for gamification and mini-games; dp selects the section"
        ) { request, state in Self.page(GamificationPage.html, for: request, state) },
        Endpoint(path: .prefix("/avatar/"), methods: ["GET"], about: "avatars of Smartico's users") { request, _ in
            ServerResponse(
                status: 200,
                headers: ["Content-Type": "image/gif", "Access-Control-Allow-Origin": "*"],
                body: .bytes(Picture(request.path).gif)
            )
        },
    ]

    private struct SocketRefusal: Error {
        let status: Int
        let message: String
        var field: String?
    }

    /// Checks the opening handshake (RFC 6455 §4.2.1) and accepts it (§4.2.2).
    private static func upgrade(of request: ServerRequest) throws(SocketRefusal) -> ServerResponse {
        let tokens = { (name: String) in
            (request.headers[name] ?? "").split(separator: ",").map { String($0).trimmed.asciiLowercased }
        }
        guard request.method == "GET", tokens("upgrade").contains("websocket"), tokens("connection").contains("upgrade")
        else {
            throw SocketRefusal(
                status: 426,
                message: "\(Sandbox.socketPath) is a WebSocket; the request has no upgrade to it"
            )
        }
        guard request.headers["sec-websocket-version"] == "13" else {
            throw SocketRefusal(status: 426, message: "Sec-WebSocket-Version must be 13")
        }
        guard let key = request.headers["sec-websocket-key"], self.isKey(key) else {
            throw SocketRefusal(status: 400, message: "Sec-WebSocket-Key must be 16 bytes in Base64")
        }
        guard request.queryValue("master") != nil else {
            throw SocketRefusal(status: 400, message: "the query has no \"master\"", field: "master")
        }
        for name in ["domain", "version"] where request.queryValue(name)?.isEmpty ?? true {
            throw SocketRefusal(status: 400, message: "the query has no \"\(name)\"", field: name)
        }
        var response = ServerResponse(status: 101)
        response.headers["Upgrade"] = "websocket"
        response.headers["Sec-WebSocket-Accept"] = WebSocketHandshake.accept(for: key)
        response.upgrade = SocketUpgrade()
        return response
    }

    /// Whether a text is 16 bytes in Base64: 22 characters and two of padding (RFC 6455 §4.1).
    private static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[22...] == [0x3D, 0x3D] else { return false }
        return bytes[..<22].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }

    /// A page, when the hash in its URL is valid or absent: labels without hashes use none.
    private static func page(_ html: String, for request: ServerRequest, _ state: SandboxState) -> ServerResponse {
        var response = ServerResponse.text(html, type: "text/html; charset=utf-8")
        if let hash = request.queryValue("hash") {
            let label = request.queryValue("label_key") ?? ""
            let user = request.queryValue("user_ext_id") ?? ""
            if !SmarticoURLHash.isValid(hash, label: label, user: user, at: state.now) {
                response = .text(self.stale, type: "text/html; charset=utf-8", status: 403)
            }
        }
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    private static let stale = """
        <!DOCTYPE html><title>Link expired</title>
        <p>The hash in this URL is not the user's, or is older than a day. Send IDENTIFY again for a new one.</p>

        """
}

extension Sandbox {
    /// The path of Smartico's WebSocket.
    package static let socketPath = "/websocket/services"
}
