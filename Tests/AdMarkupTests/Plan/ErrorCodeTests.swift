import AdCore
import Testing

@testable import AdMarkup

/// An error code, and a document that causes it.
struct CodeScene: Sendable, CustomStringConvertible {
    let code: Int
    let what: String
    let first: String
    var answers: [String: String] = [:]
    /// Whether the ad is played anyway.
    var isPlayed = false
    var change: @Sendable (inout PlanScene) -> Void = { _ in }

    init(
        _ code: Int,
        _ what: String,
        _ first: String,
        answers: [String: String] = [:],
        isPlayed: Bool = false,
        _ change: @escaping @Sendable (inout PlanScene) -> Void = { _ in }
    ) {
        self.code = code
        self.what = what
        self.first = first
        self.answers = answers
        self.isPlayed = isPlayed
        self.change = change
    }

    var description: String { "\(self.code) \(self.what)" }

    /// An inline ad with these creatives.
    static func ad(
        _ code: Int,
        _ what: String,
        _ creatives: String,
        isPlayed: Bool = false,
        _ change: @escaping @Sendable (inout PlanScene) -> Void = { _ in }
    ) -> CodeScene {
        let text = Text.document(Text.inline("ad", creatives: creatives))
        return CodeScene(code, what, text, isPlayed: isPlayed, change)
    }

    /// A linear creative with this media file.
    static func file(_ code: Int, _ what: String, _ attributes: String, url: String = "https://m.example/v")
        -> CodeScene
    {
        self.ad(code, what, Text.linear(media: "<MediaFile \(attributes)>\(url)</MediaFile>"))
    }

    static func companion(_ code: Int, _ what: String, _ inside: String, _ attributes: String = "") -> CodeScene {
        let companion = "<CompanionAds required=\"all\"><Companion \(attributes)>\(inside)</Companion></CompanionAds>"
        return self.ad(code, what, Text.linear() + Text.creative(companion)) {
            $0.policy.container = Size(width: 320, height: 180)
        }
    }

    static func overlay(_ code: Int, _ what: String, _ inside: String, _ attributes: String = "") -> CodeScene {
        let overlay = "<NonLinearAds><NonLinear \(attributes)>\(inside)</NonLinear></NonLinearAds>"
        return self.ad(code, what, Text.creative(overlay)) { $0.policy.container = Size(width: 320, height: 180) }
    }
}

private let mezzanine = "<Mezzanine type=\"video/mp4\">https://m.example/z</Mezzanine>"
private let simid = "<InteractiveCreativeFile apiFramework=\"other\">https://m.example/s</InteractiveCreativeFile>"
private let page = "<IFrameResource>https://k.example/</IFrameResource>"
private let unknown =
    "<StaticResource creativeType=\"application/x-shockwave-flash\">https://k.example/</StaticResource>"
private let needless = "<IFrameResource>nowhere</IFrameResource>"

private let scenes: [CodeScene] = [
    CodeScene(100, "no XML", "no XML"),
    CodeScene(100, "an empty answer", ""),
    CodeScene(101, "another root", "<html></html>"),
    CodeScene(102, "VAST 1", "<VideoAdServingTemplate/>"),
    .ad(200, "neither a linear nor a nonlinear creative", ""),
    CodeScene(200, "an audio ad", Text.document(Text.inline("ad", ad: "adType=\"audio\""))),
    CodeScene(
        201,
        "a nonlinear ad where a linear one is required",
        Text.document(
            Text.inline("ad", creatives: Text.creative("<NonLinearAds><NonLinear>\(page)</NonLinear></NonLinearAds>"))
        )
    ) {
        $0.isRewarded = true
    },
    .ad(202, "too long", Text.linear()) { $0.policy.maximumDuration = .seconds(5) },
    .ad(
        203,
        "too large",
        Text.linear(
            media:
                "<MediaFile type=\"video/mp4\" width=\"999\" height=\"9\" scalable=\"false\">https://m.example/v</MediaFile>"
        )
    ) {
        $0.policy.container = Size(width: 320, height: 180)
    },
    .ad(204, "no category", Text.linear()) { $0.policy.requiresCategory = true },
    CodeScene(205, "a blocked category", Text.document(Text.inline("ad", nil, "<Category>IAB7</Category>"))) {
        $0.policy.blockedCategories = ["IAB7"]
    },
    CodeScene(206, "the end of a pod", Text.document(Text.inline("a", 1), Text.inline("b", 2)), isPlayed: true) {
        $0.policy.maximumPodDuration = .seconds(15)
    },
    CodeScene(
        300,
        "a wrapper that is not allowed",
        Text.document(Text.wrapper("w", to: "https://s.example/1", nil, "followAdditionalWrappers=\"false\"")),
        answers: ["https://s.example/1": Text.document(Text.wrapper("v", to: "https://s.example/2"))]
    ),
    CodeScene(301, "a server that does not answer", Text.document(Text.wrapper("w", to: "https://dead.example/"))),
    CodeScene(
        302,
        "a wrapper that requests itself",
        Text.document(Text.wrapper("w", to: "https://s.example/1")),
        answers: ["https://s.example/1": Text.document(Text.wrapper("w", to: "https://s.example/1"))]
    ),
    CodeScene(303, "no ad", Text.document(error: "https://none.example/")),
    CodeScene(
        303,
        "no ad after a wrapper",
        Text.document(Text.wrapper("w", to: "https://s.example/1")),
        answers: ["https://s.example/1": Text.document()]
    ),
    .ad(401, "no file", Text.linear(media: "")),
    .file(401, "an address that can't be called", "type=\"video/mp4\"", url: "nowhere"),
    .file(403, "another type", "type=\"video/x-flv\""),
    .file(403, "no type", ""),
    .file(405, "another codec", "type=\"video/mp4\" codec=\"hev1\""),
    .file(405, "a panorama", "type=\"video/mp4\" mediaType=\"360\""),
    .ad(406, "no mezzanine", Text.linear()) { $0.policy.requiresMezzanine = true },
    CodeScene(408, "a conditional ad", Text.document(Text.inline("ad", ad: "conditionalAd=\"true\""))),
    .ad(409, "a program beside a video", Text.linear(media: Text.media + simid), isPlayed: true),
    .ad(411, "half a mezzanine", Text.linear(media: Text.media + mezzanine)) { $0.policy.requiresMezzanine = true },
    .overlay(500, "an empty overlay", ""),
    .overlay(501, "an overlay that does not fit", page, "width=\"999\" height=\"9\""),
    .overlay(502, "an overlay nowhere", needless),
    .overlay(503, "an overlay of another type", unknown),
    .companion(600, "an empty companion", ""),
    .companion(601, "a companion far too large", page, "width=\"9999\" height=\"9999\""),
    .companion(602, "one companion too many", page + "</Companion><Companion>" + page),
    .companion(603, "a companion nowhere", needless),
    .companion(604, "a companion of another type", unknown),
    .file(901, "VPAID", "type=\"application/javascript\" apiFramework=\"VPAID\""),
    .overlay(901, "VPAID over the content", page, "apiFramework=\"VPAID\""),
    .ad(902, "only an interactive file", Text.linear(media: simid)),
]

@Suite("VAST error codes")
struct ErrorCodeTests {
    /// All codes (VAST 4.3 §2.3.6.3).
    private static let all: Set<Int> = [
        100, 101, 102, 200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 304, 400, 401, 402, 403, 405, 406, 407,
        408,
        409, 410, 411, 500, 501, 502, 503, 600, 601, 602, 603, 604, 900, 901, 902,
    ]

    /// The codes that only a player can detect while it loads or plays.
    ///
    /// They are: nothing was displayed in time (304), a video failed (400), timed out (402) or is not transcoded yet
    /// (407), a verification was not executed (410), and an undefined error (900). A player may also detect a missing
    /// file (401) or one that can't be decoded (405); a plan detects some of both.
    private static let ofThePlayer: Set<Int> = [304, 400, 402, 407, 410, 900]

    @Test("each code has a document that causes it, except for those that only a player can detect")
    func whole() {
        #expect(Set(scenes.map(\.code)) == Self.all.subtracting(Self.ofThePlayer))
    }

    @Test("a document causes its code, and no other", arguments: scenes)
    func code(scene: CodeScene) throws {
        var plan = PlanScene(answers: scene.answers)
        scene.change(&plan)
        if scene.code < 200 {
            let error = #expect(throws: VASTError.self) { try plan.plan(scene.first) }
            #expect(error?.code == scene.code)
            return
        }
        let outcome = try plan.plan(scene.first)
        #expect((outcome.plan != nil) == scene.isPlayed)
        #expect(outcome.code == (scene.isPlayed ? nil : scene.code))
        #expect(!outcome.planning.errorCalls.isEmpty)
        #expect(outcome.planning.errorCalls.allSatisfy { $0.code == scene.code })
        #expect(outcome.issues.contains { $0.hasSuffix(".\(scene.code)") })
        // A message is not empty, and has no period at its end.
        if let failure = outcome.failure { #expect(failure.message.count > 10 && !failure.message.hasSuffix(".")) }
    }
}
