/// The version of the command.
package enum CommandVersion {
    package static let number = "0.1.0"
    /// How the command names itself to servers and in traces.
    package static let userAgent = "yabbi-play/\(number)"
}
