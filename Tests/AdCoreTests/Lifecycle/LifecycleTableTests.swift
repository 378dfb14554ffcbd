import LifeSupport
import Testing

@testable import AdCore

/// The whole table: every state against every input, ten minutes of screen time after the state was reached, so that
/// every timer is due.
///
/// `+` is taken and stays, `>xx` is taken and moves to the state beginning with xx, `.` is a no-op, `!` is refused to
/// the caller.
@Suite("The life of an ad: every state × every event")
struct LifecycleTableTests {
    @Test(
        "what is no video",
        arguments: [ShowTerms.Kind.banner, .interstitial, .card, .engagement]
    )
    func withoutVideo(kind: ShowTerms.Kind) {
        let terms = ShowTerms(kind, closeTimeout: .seconds(5), lifetime: .seconds(3600))
        self.expect(tableWithoutVideo, Scene.withoutVideo, everyInput, terms)
    }

    @Test("a video that can be skipped")
    func video() {
        let terms = ShowTerms(
            .video(VideoTerms(SpotTerms(duration: .seconds(15), skipOffset: .time(.seconds(5)), parts: aPart))),
            closeTimeout: .seconds(8)
        )
        self.expect(tableOfVideo, Scene.onlyVideo, everyInput, terms)
    }

    @Test("a rewarded video")
    func rewarded() {
        let spot = SpotTerms(duration: .seconds(15), skipOffset: .time(.seconds(5)), hasEndCard: true, parts: aPart)
        let terms = ShowTerms(.rewarded(VideoTerms(spot)))
        self.expect(tableOfRewarded, Scene.onlyVideo, everyInput, terms)
    }

    private func expect(
        _ table: String,
        _ scenes: [Scene],
        _ inputs: [(row: String, input: AdInput)],
        _ terms: ShowTerms
    ) {
        let expected = table.split(separator: "\n").map(String.init)
        var rows = [line("", scenes.map(\.rawValue))]
        for (row, input) in inputs {
            rows.append(line(row, scenes.map { self.cell(input, AdLifecycle(at: $0, terms)) }))
        }
        #expect(rows.count == expected.count, "a row is missing or too many")
        let wrong = zip(rows, expected).filter { $0 != $1 }.map { "got \($0)\nnot \($1)" }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        if rows.count != expected.count { print(rows.joined(separator: "\n")) }
    }

    private func cell(_ input: AdInput, _ start: AdLifecycle) -> String {
        var machine = start
        let verdict = machine.handle(input, at: Moment(.seconds(600))).verdict
        let move = machine.phase == start.phase ? "" : ">" + machine.phase.rawValue.prefix(2)
        switch verdict {
        case .accepted: return move.isEmpty ? "+" : move
        case .ignored: return "." + move
        case .refused: return "!" + move
        }
    }

    private func line(_ row: String, _ cells: [String]) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        var line = padded(row, 23)
        for cell in cells { line += padded(cell, max(5, 0)) }
        while line.last == " " { line.removeLast() }
        return line
    }
}
