import AdCore
import LedgerSupport
import Testing

@Suite("Entries of some beacons")
struct EntriesOfKeysTests {
    @Test("those that the ledger has are found in any state, the others are left out", arguments: LedgerKind.available)
    func found(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record(ContractLedger.beacons(["a", "b", "c", "d"]), at: ContractLedger.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: ContractLedger.at(0)))
            try await ledger.settle(try #require(claim.beacons.first), as: .delivered, at: ContractLedger.at(0))
            let all = try await ledger.entries()
            let keys = Set(all.map(\.beacon.key).filter { $0.text != "d" })
            let absent = try #require(ContractLedger.beacons(["absent"]).first).key
            let found = try await ledger.entries(of: keys.union([absent]))
            #expect(Set(found) == Set(all.filter { $0.beacon.key.text != "d" }))
            #expect(
                Set(found.map(\.state.name)) == ["delivered", "inFlight", "recorded"],
                "\(found.map(\.state.name))"
            )
            #expect(try await ledger.entries(of: []).isEmpty)
        }
    }
}
