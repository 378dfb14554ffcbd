import LibC

/// A certificate for `localhost`, its authority, and another authority.
package struct Certificates {
    /// The folder with `cert.pem` and `key.pem`.
    package let folder: String
    /// The file of the authority.
    package var authority: String { self.folder + "/ca.pem" }
    /// The file of another authority.
    package var otherAuthority: String { self.folder + "/other.pem" }

    /// Creates them with OpenSSL; nil if that fails.
    package init?() {
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

    /// Removes the folder.
    package func remove() { _ = system("rm -rf '\(self.folder)'") }
}
