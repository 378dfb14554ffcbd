/// Constants of sockets whose type or existence differs between C libraries.
package enum SocketConstants {
    #if canImport(Glibc)
        /// `SOCK_STREAM`, which glibc declares as an enumeration.
        package static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        /// `SOCK_STREAM`.
        package static let stream: Int32 = SOCK_STREAM
    #endif

    #if canImport(Darwin)
        /// No flag: Darwin has none that suppresses SIGPIPE for one `send`; the socket option `SO_NOSIGPIPE` does it.
        package static let sendWithoutSignal: Int32 = 0
    #else
        /// `MSG_NOSIGNAL`: a `send` to a closed peer fails without SIGPIPE.
        package static let sendWithoutSignal = Int32(MSG_NOSIGNAL)
    #endif
}
