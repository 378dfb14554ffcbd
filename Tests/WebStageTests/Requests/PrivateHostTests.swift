import Testing

@testable import WebStage

@Suite("Which hosts are near")
struct NearHostTests {
    @Test(
        "this machine and its network are near, in any notation",
        arguments: [
            "localhost", "a.localhost", "printer", "router.local", "127.0.0.1", "127.1", "2130706433.", "0x7f.1",
            "0177.0.0.1",
            "127.0.0.01", "10.0.0.1", "172.31.255.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1",
            "::1", "::", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "fd00::1", "fe80::1", "ff02::1", "64:ff9b::7f00:1",
            "[::1]", "2002:7f00:1::", "fe80::1%eth0", "2a00::1::2", "192.0.2.1", "2001:db8::1",
        ]
    )
    func near(host: String) { #expect(RequestRules.isPrivate(host)) }

    @Test(
        "the rest of the world is not",
        arguments: [
            "a.example", "8.8.8.8", "172.32.0.1", "100.128.0.1", "192.169.0.1", "2001:4860::1", "2a00:1450:4001::8a",
            "10.cdn.example", "fda.example", "1e100.net",
        ]
    )
    func far(host: String) { #expect(!RequestRules.isPrivate(host)) }
}

@Suite("The frames of a creative")
struct FrameTableTests {
    @Test("frames of other sites are added up to the limit, and the first beyond it is reported")
    func most() {
        var book = FrameTable()
        func frame(_ number: Int) -> FrameTable.Frame {
            FrameTable.Frame(id: "\(number)", target: EngineTarget(name: "\(number)"))
        }
        var taken = [book.add(frame(0), isRoot: true)]
        for number in 1...FrameTable.limit { taken.append(book.add(frame(number), isRoot: false)) }
        #expect(!taken.contains(false))
        let first = book.add(frame(1_000), isRoot: false)
        #expect(!first && book.refusal.count == 1)
        let second = book.add(frame(1_001), isRoot: false)
        #expect(!second && book.refusal.isEmpty)
        #expect(book.targets.count == 1 + FrameTable.limit)
        let root = book.add(frame(2), isRoot: true)
        #expect(root, "the creative itself is always taken")
    }
}
