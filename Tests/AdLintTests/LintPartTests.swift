import AdCore
import AdLint
import AdMarkup
import Testing

@Suite("The parts of an ad response, each with its findings")
struct LintPartTests {
    private static let vast = #"<VAST version='4.0'><Ad><InLine><AdTitle>b</AdTitle></InLine></Ad></VAST>"#
    private static let html = #"<img src='http://t.example/p'><a href='javascript:x'>b</a>"#

    private static func responses() -> [(json: AdJSON, names: [String])] {
        let bids: AdJSON = [["adm": .string(self.html)], ["adm": ""], ["adm": .string(self.vast)]]
        return [
            (["type": 2, "adm": .string(self.vast), "width": 640, "height": 360], ["adm"]),
            (["seatbid": [["bid": bids]]], ["adm of bid 1", "adm of bid 3"]),
            (["bids": [["cpm": 1, "ad": .string(self.html)]]], ["ad of bid 1"]),
            (["ad": ["title": "a card"]], []),
        ]
    }

    @Test("the markup has findings of its own, and all parts together have those of the whole response")
    func parts() {
        for (json, names) in Self.responses() {
            let bytes = Array(json.text().utf8)
            let parts = Lint.parts(bytes, charset: "utf-8")
            #expect(parts.map(\.name) == [nil] + names)
            let whole = Lint.check(bytes, charset: "utf-8")
            var sum: [LintRule: Int] = [:]
            for part in parts { sum.merge(part.report.counts, uniquingKeysWith: +) }
            #expect(sum == whole.counts, "\(json.text())")
            #expect(parts[0].bytes == bytes && parts.dropFirst().allSatisfy { $0.report.kind != .answer })
        }
    }

    @Test("a document that is no response is the only part, with the findings of a check")
    func document() {
        for text in [Self.vast, Self.html, "{", "[]", ""] {
            let parts = Lint.parts(Array(text.utf8), charset: "utf-8")
            #expect(parts.count == 1 && parts[0].report == Lint.check(text))
        }
    }

    @Test("a private host is no finding in the markup of a server of that network")
    func privateHost() throws {
        let vast = Self.vast.replacing("<AdTitle>", with: "<Impression>http://127.0.0.1:80/i</Impression><AdTitle>")
        let json: AdJSON = ["seatbid": [["bid": [["adm": .string(vast)]]]]]
        let bytes = Array(json.text().utf8)
        func rules(_ source: HTTPURL?) -> [String] {
            Lint.parts(bytes, charset: "utf-8", from: source).flatMap { $0.report.findings.map(\.rule.id) }
        }
        #expect(rules(nil).contains("url-private-host"))
        #expect(!rules(HTTPURL("http://127.0.0.1:9/load")).contains("url-private-host"))
    }

    @Test("the markup in bytes is that of a known response, or else the bytes")
    func markup() {
        for (json, names) in Self.responses() {
            #expect(ResponseMarkup.documents(in: Array(json.text().utf8)).map(\.name) == names)
        }
        let documents = ResponseMarkup.documents(in: Array(Self.vast.utf8))
        #expect(documents.count == 1 && documents[0].name == nil && documents[0].bytes == Array(Self.vast.utf8))
    }
}
