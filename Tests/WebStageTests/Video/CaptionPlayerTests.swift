import AdCore
import AdMarkup
import Testing

@testable import WebStage

@Suite("Choosing captions")
struct CaptionPlayerTests {
    private func caption(_ language: String?, type: String? = "text/vtt") throws -> VideoSpot.Caption {
        let url = try #require(HTTPURL("https://m.example/\(language ?? "any").vtt"))
        return VideoSpot.Caption(url, type: type, language: language)
    }

    private func player(_ languages: String?...) throws -> CaptionPlayer {
        CaptionPlayer(try languages.map { try self.caption($0) })
    }

    private let track: CaptionTrack

    init() throws { self.track = try CaptionTrack(Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHello".utf8)) }

    private func fetched(_ steps: [CaptionPlayer.Step]) -> [String] {
        steps.compactMap { if case .fetch(let download) = $0 { download.file.url.text } else { nil } }
    }

    private func activities(_ steps: [CaptionPlayer.Step]) -> [CaptionActivity] {
        steps.compactMap { if case .observe(let activity) = $0 { activity } else { nil } }
    }

    @Test(
        "captions start in the wanted language: the same tag, the language of another region, a file without one",
        arguments: [
            ("en-US", "https://m.example/en-US.vtt"), ("EN-GB", "https://m.example/en.vtt"),
            ("pt", "https://m.example/any.vtt"),
        ]
    )
    func language(wanted: String, url: String) throws {
        var player = try self.player("ru", "en", "en-US", nil)
        #expect(self.fetched(player.start(in: wanted) { 7 }) == [url])
    }

    @Test("without a wanted language nothing is fetched, and the button is there")
    func off() throws {
        var player = try self.player("en")
        #expect(player.start(in: nil) { 7 } == [.updateButton])
        #expect(player.button?.text == "CC" && player.button?.isOn == false)
        #expect(try self.player().button == nil)
    }

    @Test("a language that no file has is told, with those that are offered")
    func otherLanguage() throws {
        var player = try self.player("ru", "de")
        let steps = player.start(in: "fr") { 7 }
        #expect(self.fetched(steps).isEmpty)
        #expect(self.activities(steps).map(\.issues) == [["there are none in fr, only in ru, de"]])
    }

    @Test("each press shows the next language, and none after the last; a file is fetched once")
    func presses() throws {
        var player = try self.player("en", "ru")
        var number = 0
        let next = {
            number += 1
            return number
        }
        #expect(self.fetched(player.chooseNext(number: next)).count == 1)
        let shown = player.fetched(1, .success(self.track)) { 99 }
        #expect(shown.first == .show(self.track) && self.activities(shown).map(\.state) == [.shown])
        #expect(player.button?.text == "CC en" && player.language == "en")
        let second = player.chooseNext(number: next)
        #expect(second.first == .show(nil) && self.fetched(second) == ["https://m.example/ru.vtt"])
        let off = player.chooseNext(number: next)
        #expect(off.first == .show(nil) && self.activities(off).map(\.state) == [.off] && player.language == nil)
        #expect(player.fetched(2, .success(self.track)) { 99 }.isEmpty, "the user has switched them off meanwhile")
        let again = player.chooseNext(number: next)
        #expect(again.first == .show(self.track) && self.fetched(again).isEmpty)
    }

    @Test("a file that can't be fetched or read is told, and not offered again")
    func failed() throws {
        var player = try self.player("en")
        _ = player.chooseNext { 1 }
        let missing = MediaError(code: 401, message: "en.vtt was not found (status 404)")
        let steps = player.fetched(1, .failure(missing)) { 99 }
        #expect(self.activities(steps).map(\.issues) == [["en.vtt was not found (status 404)"]])
        #expect(player.button == nil && player.chooseNext { 2 }.isEmpty)
    }

    @Test("several files of a language are one choice, and one that fails is followed by the next")
    func alternatives() throws {
        var player = try self.player("en", "EN", "ru")
        #expect(self.fetched(player.start(in: "en") { 1 }) == ["https://m.example/en.vtt"])
        let steps = player.fetched(1, .failure(MediaError(code: 401, message: "missing"))) { 2 }
        #expect(self.fetched(steps) == ["https://m.example/EN.vtt"])
        #expect(player.fetched(2, .success(self.track)) { 3 }.contains(.show(self.track)))
        #expect(self.fetched(player.chooseNext { 3 }) == ["https://m.example/ru.vtt"])
        #expect(player.chooseNext { 4 }.first == .show(nil) && player.language == nil)
    }

    @Test("a user who chose a file without a language gets the next spot's captions, whatever their language is")
    func anyLanguage() throws {
        var player = try self.player("en")
        #expect(self.fetched(player.start(in: "") { 1 }) == ["https://m.example/en.vtt"])
    }

    @Test("files of a type that is not read are told, and others are offered up to a limit")
    func types() throws {
        let scc = try self.caption("en", type: "text/scc")
        var player = CaptionPlayer([scc] + (try (0..<20).map { try self.caption("x\($0)") }))
        let steps = player.start(in: nil) { 1 }
        #expect(self.activities(steps).map(\.state) == [.failed])
        var count = 0
        while player.chooseNext(number: { count + 1 }).contains(where: { if case .fetch = $0 { true } else { false } })
        {
            count += 1
        }
        #expect(count == CaptionPlayer.fileLimit)
    }

    @Test("the end of a spot stops what is being fetched, and removes what is shown")
    func end() throws {
        var player = try self.player("en", "ru")
        _ = player.chooseNext { 1 }
        #expect(player.end() == [.drop(1), .show(nil), .updateButton])
        #expect(player.button == nil)
    }
}
