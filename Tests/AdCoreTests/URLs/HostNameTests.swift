import AdCore
import Testing

@Suite("Hosts on this computer and network")
struct HostNameTests {
    @Test(
        "hosts on this computer and network are private, in any notation",
        arguments: [
            "localhost", "a.localhost", "printer", "router.local", "10.lan", "metadata.google.internal", "intra.corp",
            "home.arpa", "nas.home.arpa", "LOCALHOST", "Printer.Local", "localhost.", "router.local.",
            "127.0.0.1", "127.1", "2130706433", "2130706433.", "0x7f.1", "0X7F.1", "127.0.0.0x1", "0177.0.0.1",
            "127.0.0.01", "8.8.8", "1.2.3.4.5", "10.0.0.1", "10.0.0.1.", "172.31.255.1", "192.168.1.1",
            "169.254.169.254", "100.64.0.1", "224.0.0.1", "192.0.2.1", "a..", "",
            "::1", "::", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:a00:1", "fd00::1", "fe80::1", "ff02::1",
            "64:ff9b::7f00:1", "[::1]", "2002:7f00:1::", "fe80::1%eth0", "2a00::1::2", "2001:db8::1",
        ]
    )
    func isPrivate(host: String) { #expect(HostName(host).isPrivate) }

    @Test(
        "public hosts are not private",
        arguments: [
            "a.example", "a.example.", "8.8.8.8", "172.32.0.1", "100.128.0.1", "192.169.0.1", "2001:4860::1",
            "2a00:1450:4001::8a", "::ffff:8.8.8.8", "10.cdn.example", "fda.example", "1e100.net", "localhost.example",
            "127.0.0.1.example", "notlocal.example", "a.notlocal", "a.mycorp", "nothome.arpa", "in-addr.arpa",
        ]
    )
    func isPublic(host: String) { #expect(!HostName(host).isPrivate) }

    @Test(
        "this computer is localhost, 127.0.0.0/8 and ::1",
        arguments: [
            "localhost", "LOCALHOST", "localhost.", "127.0.0.1", "127.8.9.1", "127.255.255.255", "::1", "[::1]",
            "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f00:1",
        ]
    )
    func isLoopback(host: String) {
        #expect(HostName(host).isLoopback)
        #expect(HostName(host).isPrivate)
    }

    @Test(
        "other hosts and ambiguous notations are not this computer",
        arguments: [
            "a.localhost", "localhost.example", "127.0.0.1.example", "127.1", "127.", "0x7f.0.0.1", "0177.0.0.1",
            "2130706433", "10.0.0.1", "192.168.1.2", "0.0.0.0", "::", "::2", "::127.0.0.1", "::ffff:10.0.0.1",
            "1::1", "a.example", "",
        ]
    )
    func isElsewhere(host: String) { #expect(!HostName(host).isLoopback) }

    @Test("a URL is as private as its host")
    func address() throws {
        let own = try #require(HTTPURL("http://[::1]:8080/x"))
        #expect(own.isLoopback && own.isPrivate)
        let near = try #require(HTTPURL("http://Printer.local./x"))
        #expect(!near.isLoopback && near.isPrivate)
        let far = try #require(HTTPURL("https://a.example/localhost"))
        #expect(!far.isLoopback && !far.isPrivate)
    }
}
