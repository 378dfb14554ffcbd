import AdCore
import PlaySupport
import Testing
import WebStage

@testable import PlayReport

@Suite("The HAR file")
struct HARLogTests {
    private func log(_ requests: [ReportRequest]) -> AdJSON {
        var ad = ReportScenes.reportedAd()
        ad.requests = requests
        // The clock starts at noon of January 1, 1970.
        return HARLog(ads: [ad], origin: WallTime(milliseconds: 43_200_000)).json["log"] ?? nil
    }

    @Test("each request has its date, its duration, its response and its initiator")
    func entry() throws {
        let log = self.log([
            ReportScenes.request(
                "https://a.example/x.png?a=1&b",
                at: 1_500,
                .answered(status: 200, type: "image/png", bytes: 9)
            )
        ])
        #expect(log["version"] == "1.2" && log["creator"]?["name"] == "yabbi-play")
        let entry = try #require(log["entries"]?.array?.first)
        #expect(entry["startedDateTime"] == "1970-01-01T12:00:01.500Z" && entry["time"]?.number == 40)
        #expect(entry["response"]?["status"]?.number == 200 && entry["response"]?["bodySize"]?.number == 9)
        #expect(entry["response"]?["content"]?["mimeType"] == "image/png")
        #expect(entry["request"]?["queryString"] == [["name": "a", "value": "1"], ["name": "b", "value": ""]])
        #expect(entry["pageref"] == log["pages"]?.array?.first?["id"])
        #expect(entry["_initiator"] == "creative")
    }

    @Test("a request without a response has the reason")
    func failures() throws {
        let entries = try #require(
            self.log([
                ReportScenes.request("https://a.example/", at: 0, .failed(.other("refused"))),
                ReportScenes.request("http://10.0.0.1/", at: 0, .failed(.refused(.other("near"))), isCreatives: false),
            ])["entries"]?.array
        )
        #expect(entries.map { $0["response"]?["status"]?.number } == [0, 0])
        #expect(entries[0]["_error"] == "refused" && entries[1]["_blocked"] == "near")
        #expect(entries[1]["_initiator"] == "runtime")
        let stopped = try #require(
            self.log([
                ReportScenes.request("https://a.example/1", at: 0, .failed(.cancelled)),
                ReportScenes.request("https://a.example/2", at: 0, .failed(.blockedByStage)),
            ])["entries"]?.array
        )
        #expect(stopped[0]["_error"] == "net::ERR_ABORTED" && stopped[1]["_blocked"] == "inspector")
    }
}
