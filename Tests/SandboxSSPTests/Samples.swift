import AdCore
import LoopbackServer

@testable import SandboxSSP

/// Requests and creatives for the tests.
enum Samples {
    static let base = "http://127.0.0.1:9"

    static let catalogue: CreativeCatalogue = {
        let creatives = [
            CreativeEntry(
                name: "leaf",
                markup: #"<a href="${SANDBOX}/landing?from=leaf"><img src="${SANDBOX}/creatives/leaf.svg"></a>"#,
                width: 320,
                height: 50,
                closeDelay: 1500,
                about: "a leaf"
            ),
            CreativeEntry(name: "sail", format: .interstitial, markup: "<html><body><p>sail</p></body></html>"),
            CreativeEntry(
                name: "river",
                kind: .video,
                format: .interstitial,
                markup: """
                    <VAST version="4.2"><Ad id="1"><InLine><Impression><![CDATA[${SANDBOX}/t/vast/impression]]>\
                    </Impression><Creatives/></InLine></Ad></VAST>
                    """
            ),
            CreativeEntry(
                name: "prize",
                kind: .rewarded,
                format: .rewarded,
                markup: "<VAST><Ad><InLine><Creatives/></InLine></Ad></VAST>"
            ),
        ]
        let files = [
            "leaf.svg": Array(#"<svg xmlns="http://www.w3.org/2000/svg"><a href="${SANDBOX}/landing"/></svg>"#.utf8),
            "assets/ten.bin": Array(0..<10),
            "two words.txt": Array("two words".utf8),
        ]
        guard let catalogue = try? CreativeCatalogue(creatives, files: files) else { return CreativeCatalogue() }
        return catalogue
    }()

    static func state() -> SandboxState { SandboxState(base: self.base, catalogue: self.catalogue) }

    static func sandbox() throws -> Sandbox {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = self.catalogue
        return try Sandbox.start(configuration)
    }

    /// YABBI's ad request as in its documentation, with some members changed; nil removes a member.
    static func load(_ unit: String, _ changes: [String: AdJSON?] = [:]) -> AdJSON {
        self.changed(
            [
                "ifa": "", "pubID": "p-1", "unitID": .string(unit), "bundle": "com.example.app",
                "userAgent": "Test/1.0", "appName": "Example", "geo": nil,
            ],
            changes
        )
    }

    /// A bid request with one impression, with some members changed; nil removes a member.
    static func bid(_ unit: String, _ changes: [String: AdJSON?] = [:]) -> AdJSON {
        self.changed(
            [
                "id": "auction-1", "imp": [["id": "1", "tagid": .string(unit), "banner": [:]]],
                "app": ["name": "Example", "bundle": "com.example.app"],
            ],
            changes
        )
    }

    /// An object with some members changed; nil removes a member.
    static func changed(_ value: AdJSON, _ changes: [String: AdJSON?]) -> AdJSON {
        guard case .object(var members) = value else { return value }
        for (name, change) in changes {
            members.removeAll { $0.name == name }
            if let change { members.append(.init(name, change)) }
        }
        return .object(members)
    }
}

extension SandboxState {
    /// Handles a request at the time 0.
    mutating func request(_ method: String, _ target: String, _ body: AdJSON? = nil) -> ServerResponse {
        self.request(method, target, bytes: body?.bytes() ?? [])
    }

    mutating func request(
        _ method: String,
        _ target: String,
        headers: [String: String] = [:],
        bytes: [UInt8],
        at time: Int64 = 0
    ) -> ServerResponse {
        let request = ServerRequest(method: method, target: target, headers: headers, body: bytes)
        return self.handle(request, at: WallTime(milliseconds: time))
    }

    /// The hits of `GET /sandbox/hits`.
    mutating func hits(_ query: String = "") -> [AdJSON] {
        self.request("GET", "/sandbox/hits" + query).json?["hits"]?.array ?? []
    }
}

extension ServerResponse {
    var bytes: [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: self.body.count, alignment: 1)
        defer { buffer.deallocate() }
        let count = self.body.copy(from: 0, into: buffer)
        return Array(buffer[..<count])
    }
    var text: String { String(decoding: self.bytes, as: UTF8.self) }
    var json: AdJSON? { try? AdJSON(parsing: self.bytes) }
}
