import AdCore
import CLibcurl

/// How a request is written in libcurl's terms.
enum RequestForm {
    /// Fields that frame the message or steer the connection: they are the transport's own.
    private static let reserved: Set<String> = [
        "host", "content-length", "connection", "transfer-encoding", "expect", "te", "trailer", "upgrade", "keep-alive",
        "proxy-connection",
    ]

    /// What stands behind the header: a POST always has a body, if an empty one.
    static func body(of request: AdHTTPRequest) -> [UInt8]? {
        request.method == .post ? request.body ?? [] : request.body
    }

    /// The header in libcurl's spelling, where `Name: value` sets, `Name;` sets to nothing and `Name:` leaves out.
    static func lines(of request: AdHTTPRequest) -> [String] {
        // Waiting for "100 Continue" would cost up to a second with servers that do not know it.
        var lines = ["Expect:"]
        var hasType = false
        for field in request.headers.fields {
            let name = field.name.asciiLowercased
            guard !self.reserved.contains(name), name != "accept-encoding" else { continue }
            if name == "content-type" { hasType = true }
            let value = field.value.trimmed
            lines.append(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        // libcurl would call every body a form.
        if !hasType { lines.append("Content-Type:") }
        return lines
    }

    /// The encodings that are asked for, and then decoded; empty stands for all that libcurl knows.
    static func encodings(of request: AdHTTPRequest) -> String {
        request.headers.fields
            .filter { $0.name.asciiLowercased == "accept-encoding" }
            .map(\.value.trimmed)
            .joined(separator: ", ")
    }

    /// Whole milliseconds, rounded up, within what libcurl takes; 0 would stand for no bound.
    static func milliseconds(_ duration: Duration) -> Int {
        Int(min(max(1, (duration + .nanoseconds(999_999)).wholeMilliseconds), Int64(Int32.max)))
    }
}

extension EasyHandle {
    /// Sets how a server is reached and whom to trust: the same for requests and for sockets.
    func applyConnection(to url: HTTPURL, _ configuration: CurlTransport.Configuration) {
        self.set(CURLOPT_URL, url.text)
        // What the value says is what goes on the wire: libcurl would carry out `..` in the path.
        self.set(CURLOPT_PATH_AS_IS, 1)
        self.set(CURLOPT_PROTOCOLS_STR, "http,https")
        self.set(CURLOPT_FOLLOWLOCATION, 0)
        self.set(CURLOPT_NOSIGNAL, 1)
        // What a proxy answers before the server does is no part of the answer.
        self.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        yabbi_easy_detach_look_up(self.raw)
        if !configuration.usesProxyOfEnvironment { self.set(CURLOPT_PROXY, "") }
        self.set(CURLOPT_SSL_VERIFYPEER, 1)
        self.set(CURLOPT_SSL_VERIFYHOST, 2)
        self.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    }

    /// Sets all that is decided by the request and the configuration alone.
    func apply(_ request: AdHTTPRequest, timeLeft: Duration, _ configuration: CurlTransport.Configuration) {
        self.applyConnection(to: request.url, configuration)
        self.set(CURLOPT_CONNECTTIMEOUT_MS, RequestForm.milliseconds(request.limits.connecting))
        self.set(CURLOPT_TIMEOUT_MS, RequestForm.milliseconds(timeLeft))
        self.set(CURLOPT_ACCEPT_ENCODING, RequestForm.encodings(of: request))
        // The announced length is that before decompression, which may be some bytes more than after it. The exact
        // bound is kept where the bytes arrive; this one saves reading what is hopeless.
        if request.limits.excess == .refuse {
            self.set(CURLOPT_MAXFILESIZE_LARGE, size: min(max(0, request.limits.body), 1 << 40) + 4096)
        }

        if request.reach == .publicOnly {
            // Whom a connection leads to is looked at when it is made: one that is there already may be another
            // request's, which may go anywhere.
            self.set(CURLOPT_FRESH_CONNECT, 1)
            self.set(CURLOPT_PROXY, "")
        }

        switch request.repetition {
        case .harmless:
            let version = configuration.allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
            self.set(CURLOPT_HTTP_VERSION, Int(version))
        case .counted:
            // libcurl silently sends again where a kept-alive connection dies, and where an HTTP/2 server refuses a
            // stream. On a new connection that speaks HTTP/1.1 there is no such case.
            self.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            self.set(CURLOPT_FRESH_CONNECT, 1)
            self.set(CURLOPT_FORBID_REUSE, 1)
        }
    }
}
