import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("Cards on the bill")
struct CardBillTests {
    private static func bill(_ state: SandboxState) -> Sandbox.Bill {
        Sandbox.Bill(state.log.hits, dropped: state.log.dropped)
    }

    @Test(
        "CeedAds' impression is a view and billed once per key, whatever the key's format",
        arguments: ["ad-1/-/view/0/0", "ceed-frondolo:ceed-request-1", "ad-1/-/click/0/0"]
    )
    func impression(key: String) throws {
        var state = Samples.state()
        let id = try #require(state.ceed("fern").json?["requestId"])
        for _ in 0..<3 { #expect(state.event("impression", id, key: key).status == 200) }
        let bill = Self.bill(state)
        #expect(bill.billed == 1 && bill.views == 1 && bill.clicks == 0 && bill.counted == 3 && bill.repeats == 2)
        #expect(bill.lines.map(\.event) == ["impression"] && bill.lines.map(\.ad) == ["ceed-frondolo"])
        #expect(state.event("impression", id, key: key + "x").status == 200)
        #expect(Self.bill(state).views == 2)
    }

    @Test("the clicks of all three providers are billed as clicks, with their ads")
    func clicks() throws {
        var state = Samples.state()
        let token = try #require(state.decide("fern").json?["ad"]?["tracking_token"])
        let id = try #require(state.ceed("fern").json?["requestId"])
        let campaign = Campaign.pool[0].id
        for _ in 0..<2 {
            #expect(state.click(token, key: "k-1").status == 200)
            #expect(state.event("click", id, key: "k-2").status == 200)
            #expect(state.activeClick(campaign, key: "k-3").status == 200)
        }
        let bill = Self.bill(state)
        #expect(bill.billed == 3 && bill.clicks == 3 && bill.views == 0 && bill.counted == 6 && bill.repeats == 3)
        #expect(bill.lines.map(\.event) == ["click", "click", "click"])
        #expect(bill.lines.map(\.ad) == ["am-token-1", "ceed-frondolo", campaign])
        #expect(bill.lines.allSatisfy { $0.unit == nil })
        #expect(state.request("GET", "/sandbox/bill?path=/api/").json?["clicks"] == 1)
    }

    @Test("requests for cards are not billed")
    func requests() {
        var state = Samples.state()
        _ = state.decide("fern")
        _ = state.ceed("fern")
        _ = state.active("feed")
        #expect(Self.bill(state).lines.isEmpty)
    }

    @Test("a refused event is not billed and has a line")
    func refused() {
        var state = Samples.state()
        #expect(state.click("am-token-1", key: "k-1").status == 404)
        #expect(state.event("impression", "ceed-request-1", key: "k-2").status == 404)
        #expect(state.event("impression", "ceed-request-1", ["type": .none], key: "k-3").status == 400)
        #expect(state.activeClick("x", key: "k-4").status == 404)
        let bill = Self.bill(state)
        #expect(bill.billed == 0 && bill.refused == 4)
        #expect(bill.lines.map(\.event) == ["click", "impression", "events", "click"])
    }

    @Test("without a key each event is billed")
    func unkeyed() throws {
        var state = Samples.state()
        let id = try #require(state.ceed("fern").json?["requestId"])
        for _ in 0..<2 { _ = state.event("impression", id) }
        let bill = Self.bill(state)
        #expect(bill.views == 2 && bill.unkeyed == 2)
    }

    @Test(
        "a lost response does not change what the server accepted or refused",
        arguments: [.dropBeforeReply, .garbage, .truncate, .delay(milliseconds: 5)] as [Sandbox.Fault.Kind]
    )
    func faults(kind: Sandbox.Fault.Kind) throws {
        var state = Samples.state()
        let id = try #require(state.ceed("fern").json?["requestId"])
        try state.setFaults(["/api/events": [Sandbox.Fault(kind, times: 2)]])
        _ = state.event("impression", id, key: "k-1")
        _ = state.event("impression", "ceed-request-9", key: "k-2")
        #expect(state.hits("?path=/api/events").map { $0["counted"] } == [true, false])
        #expect(state.event("impression", id, key: "k-1").status == 200)
        let bill = Self.bill(state)
        #expect(bill.views == 1 && bill.counted == 2 && bill.repeats == 1 && bill.refused == 1)
    }

    @Test("a card whose response was dropped counts as issued")
    func droppedCard() throws {
        var state = Samples.state()
        try state.setFaults(["/functions/v1/decide": [Sandbox.Fault(.dropBeforeReply)]])
        #expect(state.decide("fern").ending == .dropped)
        #expect(state.click("am-token-1").status == 200)
        #expect(state.decide("fern").json?["ad"]?["tracking_token"] == "am-token-2")
    }
}
