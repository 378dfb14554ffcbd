import CLibcurl

/// The libcurl that is there at run time.
package struct CurlLibrary: Hashable, Sendable {
    /// Its version, as in `7.88.1`.
    package let version: String
    /// What it does TLS with; nil where it has none.
    package let tls: String?

    /// One of which this is known already.
    package init(version: String, tls: String?) {
        self.version = version
        self.tls = tls
    }

    /// The one that this process uses.
    package static var present: CurlLibrary {
        guard let info = yabbi_curl_version()?.pointee, let version = info.version else {
            return CurlLibrary(version: "?", tls: nil)
        }
        return CurlLibrary(version: String(cString: version), tls: info.ssl_version.map { String(cString: $0) })
    }
}
