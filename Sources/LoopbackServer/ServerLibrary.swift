import CMicroHTTPD

/// The libmicrohttpd that is loaded at run time.
package enum ServerLibrary {
    /// The version, such as `0.9.75`.
    package static var version: String { String(cString: MHD_get_version()) }
}
