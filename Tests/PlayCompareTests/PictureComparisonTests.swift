import AdCore
import PlayReport
import Testing

@testable import PlayCompare

/// A comparison of pictures with a given result.
private struct FixedShare: PictureComparing {
    let share: Double?

    func difference(_ a: RunPicture, _ b: RunPicture) async -> PictureDifference {
        // The comparison is not asked about equal pictures.
        #expect(a.bytes != nil && b.bytes != nil && a.bytes != b.bytes && a.width == b.width)
        return self.share.map { .known(share: $0, picture: [7]) } ?? .undecodable
    }
}

@Suite("The comparison of pictures")
struct PictureComparisonTests {
    private func texts(_ a: [RunPicture], _ b: [RunPicture], by pictures: (any PictureComparing)?) async -> [String] {
        await RunComparison.comparing(
            .sample([.sample(pictures: a)]),
            .sample([.sample(pictures: b)]),
            pictures: pictures
        ).texts
    }

    @Test("equal bytes are equal, and a missing picture is a difference")
    func bytes() async {
        #expect(await self.texts([.sample()], [.sample()], by: nil).isEmpty)
        #expect(await self.texts([.sample()], [], by: nil) == ["picture: On screen: 390x844, 1 B / -"])
        let (one, other) = (RunPicture.sample("a"), RunPicture.sample("b"))
        #expect(await self.texts([one, other, one], [other, one], by: nil) == ["picture: a: 390x844, 1 B / -"])
    }

    @Test("without a browser other bytes are a difference, with the reason")
    func unknown() async {
        let texts = await self.texts([.sample()], [.sample(bytes: [2, 3])], by: nil)
        #expect(
            texts == [
                "picture: On screen: the bytes differ; to compare the pixels, install Chromium (yabbi-play doctor checks it): 390x844, 1 B / 390x844, 2 B"
            ]
        )
    }

    @Test(
        "with one, the share of pixels decides",
        arguments: [
            (0, nil), (0.001, nil), (0.0011, "0.1 % of the pixels differ"), (0.034, "3.4 % of the pixels differ"),
            (1, "100 % of the pixels differ"), (7, "100 % of the pixels differ"),
            (nil, "the bytes differ, and the pictures can't be decoded"),
        ] as [(Double?, String?)]
    )
    func known(share: Double?, text: String?) async {
        let texts = await self.texts([.sample()], [.sample(bytes: [2])], by: FixedShare(share: share))
        #expect(texts == (text.map { ["picture: On screen: \($0): 390x844, 1 B / 390x844, 1 B"] } ?? []))
    }

    @Test("pictures are side by side, with what differs")
    func sideBySide() async throws {
        let comparison = await RunComparison.comparing(
            .sample([.sample(pictures: [.sample("a"), .sample("b"), .sample("c")])]),
            .sample([.sample(pictures: [.sample("a", bytes: [2]), .sample("b")])]),
            pictures: FixedShare(share: 0.25)
        )
        #expect(comparison.pictures.map(\.caption) == ["a", "b", "c"])
        #expect(comparison.pictures[0].difference == .known(share: 0.25, picture: [7]))
        #expect(comparison.pictures[1].difference == nil && comparison.pictures[1].a == comparison.pictures[1].b)
        #expect(comparison.pictures[2].a != nil && comparison.pictures[2].b == nil)
    }

    @Test("pictures of other sizes are a difference, and are not decoded")
    func sizes() async {
        let texts = await self.texts([.sample()], [.sample(width: 1024)], by: FixedShare(share: 0))
        #expect(texts == ["picture: On screen: other sizes: 390x844, 1 B / 1024x844, 1 B"])
    }

    @Test("a picture without bytes is not compared, with a note")
    func missing() async {
        let comparison = RunComparison(.sample(pictures: [.sample(bytes: nil)]), .sample(pictures: [.sample()]))
        #expect(comparison.texts.isEmpty && comparison.notes.count == 1)
        #expect(comparison.notes[0].contains("On screen"))
    }
}
