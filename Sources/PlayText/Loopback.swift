import AdCore

extension HTTPURL {
    /// Whether the host is this computer: `localhost`, 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        self.host == "localhost" || self.host == "::1"
            || self.host.hasPrefix("127.") && self.host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0.isDigit }
    }
}
