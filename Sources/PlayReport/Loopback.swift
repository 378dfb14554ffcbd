import AdCore

extension HTTPURL {
    /// Whether it is this machine, by its number or by the name that stands for it.
    package var isLoopback: Bool {
        self.host == "localhost" || self.host == "::1"
            || self.host.hasPrefix("127.") && self.host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0.isDigit }
    }
}
