import AdCore
import BrowserSupport
import LibC
import TestSupport
import Testing

@testable import WebStage

/// The creatives in ../shared/field.
private enum Field {
    static let folder = PackageFolder.path + "/../shared/field/"
    static var exists: Bool { access(self.folder, R_OK) == 0 }

    /// A creative's markup, decoded as UTF-16 if it has that byte order mark.
    static func markup(_ name: String) -> String? {
        guard let file = fopen(self.folder + name, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        bytes = Array(bytes[..<count])
        guard bytes.starts(with: [0xFF, 0xFE]) else { return String(decoding: bytes, as: UTF8.self) }
        let units = stride(from: 2, to: count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        return String(decoding: units, as: UTF16.self)
    }
}

@Suite(
    "Outcomes of a tap on field creatives in a browser",
    .needsEngine,
    .enabled(if: Field.exists, "there are no creatives in ../shared/field"),
    .timeLimit(.minutes(5))
)
struct FieldClickTests {
    @Test("the outcome of a tap is the one in the table", arguments: ClickTable.rows.map(\.file))
    func table(file: String) async throws {
        let expected = try #require(ClickTable.rows.first { $0.file == file }?.outcome)
        let markup = try #require(Field.markup(file))
        let size = RequestedSize.fixed(Size(width: 320, height: 250))
        try await StageHarness.show(markup, .banner, size: size, isDocument: markup.contains("<html")) {
            stage,
            reports in
            let moves = file == "b/b09-animated.html"
            // A moving element may have moved on before the press.
            for _ in 0..<(moves ? 20 : 1) where reports.clicks.isEmpty {
                try await stage.click(try #require(await stage.clickPosition()))
            }
            await stage.prepareToClose()
            let outcomes = reports.events.compactMap(Self.outcome)
            let outcome = try #require(outcomes.last, "\(reports.events)")
            #expect(outcomes.count == 1 || moves, "\(reports.events)")
            switch expected {
            case .click(let link): #expect(outcome == .click(ClickThroughURL(link)?.text ?? ""))
            case .creative: #expect(outcome == expected)
            case .nothing(nil): #expect(outcome.isNothing, "\(outcome)")
            case .nothing(let text?):
                guard case .nothing(let reason?) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                #expect(reason.contains(text))
            }
        }
    }

    private static func outcome(_ event: StageEvent) -> TapExpectation? {
        switch event {
        case .click(let link, byUser: true, _): .click(link?.text ?? "")
        case .tap(.creative(let did), _): .creative(did)
        case .tap(.nothing(let reason), _): .nothing(reason)
        default: nil
        }
    }
}

extension TapExpectation {
    fileprivate var isNothing: Bool { if case .nothing = self { true } else { false } }
}
