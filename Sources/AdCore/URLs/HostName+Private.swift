extension HostName {
    /// The domains whose names are hosts of this computer or network.
    ///
    /// They are reserved (`localhost`: RFC 6761 §6.3; `local`: RFC 6762 §3; `home.arpa`: RFC 8375 §3; `internal`: by
    /// ICANN), or in use in such networks only (`lan`, `corp`).
    package static let privateDomains = [HostName.localhost, "local", "internal", "lan", "corp", "home.arpa"]

    private static let localhost = "localhost"

    /// Whether the host is this computer: `localhost`, 127.0.0.0/8 or ::1.
    ///
    /// Notations of IP addresses that systems interpret differently (`127.1`) do not count: what depends on this is
    /// allowed for this computer only.
    package var isLoopback: Bool {
        self.text == HostName.localhost || (IPAddress(text: self.text)?.isLoopback ?? false)
    }

    /// Whether the host is on this computer or network, by its name or literal address.
    ///
    /// Notations of IP addresses that systems interpret differently (`0x7f.1`) count as private: what depends on this
    /// is refused for this network.
    package var isPrivate: Bool {
        var text = self.text
        return text.withUTF8 { bytes in
            if bytes.contains(UInt8(ascii: ":")) { return !self.isPublicAddress }
            // A name without a dot is a host of this network.
            guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return true }
            // No host name ends with a number (RFC 3696 §2).
            let last = bytes[(dot + 1)...]
            if last.allSatisfy(\.isDigit) || last.starts(with: "0x".utf8) { return !self.isPublicAddress }
            return HostName.privateDomains.contains { HostName.isInDomain(bytes, $0.utf8) }
        }
    }

    private var isPublicAddress: Bool { IPAddress(text: self.text)?.isPublic ?? false }

    /// Whether the host is a domain or below it.
    private static func isInDomain(_ name: UnsafeBufferPointer<UInt8>, _ domain: String.UTF8View) -> Bool {
        let start = name.count - domain.count
        guard start == 0 || start > 0 && name[start - 1] == UInt8(ascii: ".") else { return false }
        return name[start...].elementsEqual(domain)
    }
}

extension HTTPURL {
    /// Whether the host is this computer.
    package var isLoopback: Bool { HostName(self.host).isLoopback }
    /// Whether the host is on this computer or network, by its name or literal address.
    package var isPrivate: Bool { HostName(self.host).isPrivate }
}
