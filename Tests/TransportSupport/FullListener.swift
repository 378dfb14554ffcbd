package import AdCore
import LibC

/// A listener with a full backlog, which neither accepts nor refuses connections.
package struct FullListener {
    /// A URL of the listener.
    package let url: HTTPURL
    private let files: [Int32]

    /// Creates a listener on a free loopback port.
    package init() {
        let listener = streamSocket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var files = [listener]
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size)
                listen(listener, 0)
                getsockname(listener, pointer, &size)
                for _ in 0..<4 {
                    let filler = streamSocket(nonBlocking: true)
                    connect(filler, pointer, size)
                    files.append(filler)
                }
            }
        }
        self.files = files
        guard let url = HTTPURL("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
            preconditionFailure("No loopback port is available.")
        }
        self.url = url
    }

    /// Closes the listener.
    package func close() { for file in self.files { LibC.close(file) } }
}
