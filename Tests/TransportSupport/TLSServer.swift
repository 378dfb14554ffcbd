import TestSupport

/// `openssl s_server` with a certificate of a test authority.
package struct TLSServer {
    /// The port on 127.0.0.1.
    package let port: Int
    private let certificates: Certificates
    private let process: ChildProcess

    /// The file of the authority.
    package var authority: String { self.certificates.authority }
    /// The file of another authority.
    package var otherAuthority: String { self.certificates.otherAuthority }

    /// Starts the server; nil if there is no OpenSSL.
    package init?() {
        guard let certificates = Certificates() else { return nil }
        let serve =
            "cd '\(certificates.folder)' && exec openssl s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem -www 2>&1"
        var port: Int?
        let process = ChildProcess(serve) { line in
            if line.hasPrefix("ACCEPT") { port = line.split(separator: ":").last.flatMap { Int($0) } }
            return port != nil
        }
        guard let process, let port else { return nil }
        self.port = port
        self.process = process
        self.certificates = certificates
    }

    /// Ends the server.
    package func stop() {
        self.process.stop()
        self.certificates.remove()
    }
}
