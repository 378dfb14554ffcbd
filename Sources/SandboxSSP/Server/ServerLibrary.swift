import CMicroHTTPD

/// The libmicrohttpd that is there at run time.
package enum ServerLibrary {
    /// Its version, as in `0.9.75`.
    package static var version: String { String(cString: MHD_get_version()) }
}
