/// The version of `yabbi-play`.
package enum CommandVersion {
    package static let number = "0.1.0"
    /// The user agent in requests and traces.
    package static let userAgent = "yabbi-play/\(number)"
}
