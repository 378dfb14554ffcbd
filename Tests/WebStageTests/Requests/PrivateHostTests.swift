import Testing

@testable import WebStage

@Suite("Private hosts")
struct PrivateHostTests {
    @Test(
        "hosts on this computer and network are private, in any notation",
        arguments: [
            "localhost", "a.localhost", "printer", "router.local", "127.0.0.1", "127.1", "2130706433.", "0x7f.1",
            "0177.0.0.1",
            "127.0.0.01", "10.0.0.1", "172.31.255.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1",
            "::1", "::", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "fd00::1", "fe80::1", "ff02::1", "64:ff9b::7f00:1",
            "[::1]", "2002:7f00:1::", "fe80::1%eth0", "2a00::1::2", "192.0.2.1", "2001:db8::1",
        ]
    )
    func isPrivate(host: String) { #expect(RequestRules.isPrivate(host)) }

    @Test(
        "public hosts are not private",
        arguments: [
            "a.example", "8.8.8.8", "172.32.0.1", "100.128.0.1", "192.169.0.1", "2001:4860::1", "2a00:1450:4001::8a",
            "10.cdn.example", "fda.example", "1e100.net",
        ]
    )
    func isPublic(host: String) { #expect(!RequestRules.isPrivate(host)) }
}

@Suite("The frames of a creative")
struct FrameTableTests {
    @Test("cross-site frames are added up to the limit, and the first one beyond it is reported")
    func most() {
        var table = FrameTable()
        func frame(_ number: Int) -> FrameTable.Frame {
            FrameTable.Frame(id: "\(number)", target: EngineTarget(name: "\(number)"))
        }
        var added = [table.add(frame(0), isRoot: true)]
        for number in 1...FrameTable.limit { added.append(table.add(frame(number), isRoot: false)) }
        #expect(!added.contains(false))
        let first = table.add(frame(1_000), isRoot: false)
        #expect(!first && table.refusal.count == 1)
        let second = table.add(frame(1_001), isRoot: false)
        #expect(!second && table.refusal.isEmpty)
        #expect(table.targets.count == 1 + FrameTable.limit)
        let root = table.add(frame(2), isRoot: true)
        #expect(root, "the creative's own frame is always added")
    }
}
