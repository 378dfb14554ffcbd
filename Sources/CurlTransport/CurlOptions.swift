import AdCore
import CLibcurl

/// The translation of requests to libcurl options.
enum CurlOptions {
    /// The header in libcurl's format: `Name: value` sets a field, `Name;` sets an empty one, `Name:` removes one.
    static func lines(of request: AdHTTPRequest) -> [String] {
        // libcurl would wait up to a second for "100 Continue" (RFC 9110 §10.1.1) from servers that never send
        // it.
        var lines = ["Expect:"]
        var hasType = false
        for field in request.headers.fields {
            let name = field.name.asciiLowercased
            guard !field.isSetByTransport, name != "accept-encoding" else { continue }
            if name == "content-type" { hasType = true }
            let value = field.value.trimmed
            lines.append(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        // libcurl would add `application/x-www-form-urlencoded` to every body.
        if !hasType { lines.append("Content-Type:") }
        return lines
    }

    /// The content codings to accept and decode (RFC 9110 §12.5.3); empty for all that libcurl supports.
    static func encodings(of request: AdHTTPRequest) -> String {
        request.headers.fields
            .filter { $0.name.asciiLowercased == "accept-encoding" }
            .map(\.value.trimmed)
            .joined(separator: ", ")
    }

    /// Whole milliseconds, rounded up, from 1 to `Int32.max`; libcurl reads 0 as no limit.
    static func milliseconds(_ duration: Duration) -> Int {
        Int(min(max(1, (duration + .nanoseconds(999_999)).wholeMilliseconds), Int64(Int32.max)))
    }
}

extension EasyHandle {
    /// Sets the connection options that requests and sockets have in common.
    func applyConnection(to url: HTTPURL, _ configuration: CurlTransport.Configuration) {
        self.set(CURLOPT_URL, url.text)
        // Send the path unchanged: libcurl would resolve `..` segments.
        self.set(CURLOPT_PATH_AS_IS, 1)
        self.set(CURLOPT_PROTOCOLS_STR, "http,https")
        self.set(CURLOPT_FOLLOWLOCATION, 0)
        self.set(CURLOPT_NOSIGNAL, 1)
        // The proxy's response to CONNECT is not part of the server's response.
        self.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        yabbi_easy_detach_look_up(self.raw)
        if !configuration.usesProxyOfEnvironment { self.set(CURLOPT_PROXY, "") }
        self.set(CURLOPT_SSL_VERIFYPEER, 1)
        self.set(CURLOPT_SSL_VERIFYHOST, 2)
        self.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    }

    /// Sets the options of a request.
    func apply(_ request: AdHTTPRequest, timeLeft: Duration, _ configuration: CurlTransport.Configuration) {
        self.applyConnection(to: request.url, configuration)
        self.set(CURLOPT_CONNECTTIMEOUT_MS, CurlOptions.milliseconds(request.limits.connecting))
        self.set(CURLOPT_TIMEOUT_MS, CurlOptions.milliseconds(timeLeft))
        self.set(CURLOPT_ACCEPT_ENCODING, CurlOptions.encodings(of: request))
        // Content-Length is the compressed size, which can be slightly larger than the decompressed one. The exact
        // limit is checked while reading; this option only ends hopeless transfers early.
        if request.limits.excess == .refuse {
            self.set(CURLOPT_MAXFILESIZE_LARGE, size: min(max(0, request.limits.body), 1 << 40) + 4096)
        }

        if request.reach == .publicOnly {
            // The address is checked when a connection is opened; an existing one may have been opened for a request
            // without this restriction. A proxy would hide the address.
            self.set(CURLOPT_FRESH_CONNECT, 1)
            self.set(CURLOPT_PROXY, "")
        }

        switch request.repetition {
        case .harmless:
            let version = configuration.allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
            self.set(CURLOPT_HTTP_VERSION, Int(version))
        case .counted:
            // libcurl silently repeats a request when a kept-alive connection is dead or an HTTP/2 server refuses a
            // stream. Neither happens on a new HTTP/1.1 connection.
            self.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            self.set(CURLOPT_FRESH_CONNECT, 1)
            self.set(CURLOPT_FORBID_REUSE, 1)
        }
    }
}
