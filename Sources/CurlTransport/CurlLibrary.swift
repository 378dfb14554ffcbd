import CLibcurl

/// The libcurl library that is loaded at run time.
package struct CurlLibrary: Hashable, Sendable {
    /// The version, for example `7.88.1`.
    package let version: String
    /// The TLS library; nil if libcurl was built without TLS.
    package let tls: String?

    /// Creates a description from known values.
    package init(version: String, tls: String?) {
        self.version = version
        self.tls = tls
    }

    /// The library of this process.
    package static var present: CurlLibrary {
        guard let info = yabbi_curl_version()?.pointee, let version = info.version else {
            return CurlLibrary(version: "?", tls: nil)
        }
        return CurlLibrary(version: String(cString: version), tls: info.ssl_version.map { String(cString: $0) })
    }
}
