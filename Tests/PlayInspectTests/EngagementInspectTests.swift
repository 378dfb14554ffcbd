import AdCore
import Testing

@testable import PlayConsole
@testable import PlayInspect

@Suite("inspect of smartico messages")
struct EngagementInspectTests {
    private func inspect(_ text: String) async -> InspectedInput {
        await InspectedInput(Array(text.utf8), from: nil, following: nil)
    }

    @Test("a popup has its uid, its text and its deep links")
    func popup() async {
        let finding = await self.inspect(
            #"{"cid":110,"ts":7,"engagement_uid":"e-1","template_html":"<p>Hi</p><b data-dp='dp:gf'>Go</b><b data-dp='dp:ok'>OK</b>"}"#
        )
        #expect(!finding.isFailure)
        let json = finding.json
        #expect(json["kind"] == "engagement" && json["type"] == "popup" && json["uid"] == "e-1" && json["sent"] == 7)
        #expect(json["text"] == ["Hi"] && json["links"]?.array?.count == 2 && json["issues"] == [])
        let lines = finding.lines(of: "a.json", Style(isColored: false))
        #expect(lines[0].contains("CLIENT_ENGAGEMENT_EVENT") && lines[1] == "  engagement_uid              e-1")
        #expect(lines.contains("  link                        dp:gf  \u{201C}Go\u{201D}"))
    }

    @Test("a mini-game has its template; one without a template is an error")
    func game() async {
        let finding = await self.inspect(#"{"cid":707,"saw_template_id":5,"uuid":"u"}"#)
        #expect(finding.json["type"] == "game" && finding.json["template"] == "5" && finding.json["uid"] == "u")
        let lines = finding.lines(of: "a", Style(isColored: false))
        #expect(lines.last == "  game                        5, opened at dp:gf_saw&id=5&standalone=true")
        let broken = await self.inspect(#"{"cid":707}"#)
        #expect(broken.isFailure && broken.lines(of: "a", Style(isColored: false))[0].contains("saw_template_id"))
    }

    @Test(
        "a missing part of a popup is an issue",
        arguments: [
            (#"{"cid":110,"engagement_uid":"e"}"#, "engagement.noTemplate"),
            (#"{"cid":110,"engagement_uid":"e","template_html":"x"}"#, "engagement.noLink"),
            (#"{"cid":110,"template_html":"<b data-dp='dp:x'>x</b>"}"#, "engagement.noUID"),
            (
                #"{"cid":110,"engagement_uid":"","template_html":"<b data-dp='dp:x'>x</b>"}"#, "engagement.noUID"
            ),
        ]
    )
    func issues(text: String, code: String) async {
        let codes = await self.inspect(text).json["issues"]?.array?.compactMap { $0["code"]?.string }
        #expect(codes == [code])
    }

    @Test("the id of a message is not printed as that of its engagement")
    func messageID() async {
        let finding = await self.inspect(#"{"cid":110,"uuid":"m-1","template_html":"<b data-dp='dp:x'>x</b>"}"#)
        #expect(
            finding.lines(of: "a", Style(isColored: false))[1]
                == "  engagement_uid              missing; the message's uuid is m-1"
        )
    }

    @Test(
        "a message that the runtime ignores has a reason",
        arguments: [
            (#"{"cid":707,"saw_template_id":"x"}"#, "saw_template_id"), (#"{"cid":707}"#, "saw_template_id"),
            (#"{"cid":707,"saw_template_id":5.5}"#, "saw_template_id"), (#"{"cid":999}"#, "class 999"),
            (#"{"cid":6}"#, "without an engagement"), (#"{"cid":1}"#, "without an engagement"),
            (#"{"cid":"x"}"#, "cid"),
        ]
    )
    func dropped(text: String, expected: String) async {
        let finding = await self.inspect(text)
        let line = finding.lines(of: "a", Style(isColored: false))[0]
        #expect(finding.isFailure && line.contains(expected), "\(line)")
    }

    @Test("an ad response of another provider can have a cid", arguments: [#"{"cid":110,"adm":"<b>Hi</b>","type":1}"#])
    func others(text: String) async { #expect(await self.inspect(text).json["kind"] == "answer") }
}
