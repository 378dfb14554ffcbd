import AdCore
import LibC
import SystemSupport

/// Looks up the addresses of a host, as URLSession will.
enum AddressLookUp {
    /// Looks up a host on a thread of its own, because the system's look-up blocks.
    ///
    /// - Parameters:
    ///   - host: A name, or an IP address without brackets.
    ///   - report: Called once, from that thread, with the addresses; with none if the host is unknown.
    static func start(_ host: String, _ report: @escaping @Sendable ([IPAddress]) -> Void) {
        if let address = IPAddress(text: host) { return report([address]) }
        guard DedicatedThread.start("yabbi-lookup", { report(self.addresses(of: host)) }) else { return report([]) }
    }

    private static func addresses(of host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = SocketConstants.stream
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.compactMap { $0 }.compactMap { self.address($0.pointee) }
    }

    private static func address(_ info: addrinfo) -> IPAddress? {
        guard let socket = info.ai_addr else { return nil }
        switch info.ai_family {
        case AF_INET:
            return socket.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { four in
                IPAddress(withUnsafeBytes(of: four.pointee.sin_addr) { Array($0) })
            }
        case AF_INET6:
            return socket.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { six in
                IPAddress(withUnsafeBytes(of: six.pointee.sin6_addr) { Array($0) })
            }
        default: return nil
        }
    }
}
