import AdCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server that is a process of its own, for as long as a test needs it.
struct ChildProcess {
    private let number: Int32
    private let output: UnsafeMutablePointer<FILE>

    /// Starts a shell that becomes the server by `exec`, and reads its lines until one says that it is ready.
    init?(_ command: String, isReady: (String) -> Bool) {
        guard let output = popen("echo $$ && " + command, "r") else { return nil }
        self.output = output
        var line = [CChar](repeating: 0, count: 512)
        var number: Int32?
        while fgets(&line, Int32(line.count), output) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).trimmed
            if number == nil {
                number = Int32(text)
            } else if isReady(text) {
                self.number = number ?? 0
                return
            }
        }
        pclose(output)
        return nil
    }

    /// Ends the process, and waits until it has.
    func stop() {
        // The child has inherited a mask of signals in which SIGTERM never arrives.
        if self.number > 0 { kill(self.number, SIGKILL) }
        pclose(self.output)
    }
}

/// Certificates for `localhost`, and two authorities of which one has signed it.
struct Certificates {
    let folder: String
    var authority: String { self.folder + "/ca.pem" }
    var otherAuthority: String { self.folder + "/other.pem" }

    init?() {
        var template = Array("\(P_tmpdir)/yabbi-tls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        self.folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let make = """
            cd '\(self.folder)' && for ca in ca other; do
              openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$ca" -keyout $ca.key -out $ca.pem
            done && openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out request.pem &&
            printf 'subjectAltName=DNS:localhost' > names && openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key \
              -CAcreateserial -days 2 -extfile names -out cert.pem
            """
        guard system("{ \(make); } >/dev/null 2>&1") == 0 else { return nil }
    }

    func remove() { _ = system("rm -rf '\(self.folder)'") }
}
