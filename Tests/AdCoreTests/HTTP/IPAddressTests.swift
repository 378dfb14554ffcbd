import AdCore
import Testing

@Suite("IP addresses")
struct IPAddressTests {
    @Test(
        "addresses are parsed and written in the form of RFC 5952",
        arguments: [
            ("10.0.0.5", "10.0.0.5"), ("255.255.255.255", "255.255.255.255"), ("::", "::"), ("::1", "::1"),
            ("[fd00::1]", "fd00::1"), ("2A00:0:0:1:0:0:0:8a", "2a00:0:0:1::8a"), ("1::", "1::"),
            ("::ffff:10.0.0.5", "::ffff:a00:5"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"),
            ("0:0:3:4:5:6:0:0", "::3:4:5:6:0:0"),
        ]
    )
    func spelling(text: String, written: String) { #expect(IPAddress(text: text)?.description == written) }

    @Test(
        "ambiguous and invalid addresses are refused",
        arguments: [
            "", "127.1", "010.0.0.1", "1.2.3.4.5", "1.2.3", "256.1.1.1", "+1.2.3.4", "[10.0.0.1]", ":", ":::", "1:2:3",
            "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::g", "fe80::1%eth0", "::1.2.3", "1:2:3:4:5:6:7::8", "::+1",
            "1.2.3.4::", "name.example",
        ]
    )
    func nonsense(text: String) { #expect(IPAddress(text: text) == nil) }

    @Test(
        "global addresses are public",
        arguments: [
            "8.8.8.8", "1.1.1.1", "100.63.0.1", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1",
            "198.17.0.1", "223.255.255.254", "2a00:1450::1", "2001:4860::8888", "2606:4700::1", "::ffff:8.8.8.8",
            "64:ff9b::808:808", "2002:808:808::1",
        ]
    )
    func global(text: String) throws { #expect(try #require(IPAddress(text: text)).isPublic) }

    @Test(
        "special-purpose addresses are not public, also inside IPv6 addresses",
        arguments: [
            "0.0.0.0", "127.0.0.1", "10.0.0.5", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
            "100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9",
            "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd12::1",
            "ff02::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::808:808", "2002:a00:5::1",
            "2001::1", "2001:db8::1", "3fff::1", "4000::1",
        ]
    )
    func special(text: String) throws { #expect(!(try #require(IPAddress(text: text)).isPublic)) }

    @Test("an address has four or sixteen bytes")
    func bytes() {
        #expect(IPAddress([10, 0, 0, 5]) == IPAddress(text: "10.0.0.5"))
        #expect(IPAddress([UInt8](repeating: 0, count: 15) + [1]) == IPAddress(text: "::1"))
        #expect(IPAddress([]) == nil && IPAddress([1, 2, 3]) == nil)
    }
}
