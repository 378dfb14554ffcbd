import AdCore
import AdHTML
import Testing

@testable import PlayText

@Suite("The container of an ad")
struct ContainerSizeTests {
    private func declared(_ markup: String) throws -> HTMLDocument.DeclaredSize? {
        try HTMLDocument(parsing: markup).declaredSize
    }

    private func decide(
        _ markup: String = "<p>Hello</p>",
        chosen: Size? = nil,
        kind: ShowRules.Kind = .banner,
        requested: RequestedSize = .adaptive,
        naturalSize: Size? = nil
    ) throws -> ContainerSize {
        let declared = try self.declared(markup)
        return ContainerSize(
            chosen: chosen,
            kind: kind,
            requested: requested,
            declared: declared,
            naturalSize: naturalSize,
            screen: ContainerSize.screen(chosen: chosen, declared: declared)
        )
    }

    private let meta =
        "<html><head><meta name='ad.size' content='width=300,height=600'></head><body><p>x</p></body></html>"

    @Test("each rule gives its size, in order of precedence")
    func rules() throws {
        let wide = Size(width: 728, height: 90)
        #expect(try self.decide(self.meta, chosen: wide).rule == .size)
        #expect(try self.decide(self.meta, chosen: wide).size == wide)
        #expect(try self.decide(self.meta).rule == .adSize)
        #expect(try self.decide(self.meta).size == Size(width: 300, height: 600))
        let root = try self.decide("<div style='width:320px;height:100px'><p>x</p></div>")
        #expect(root.rule == .rootElement && root.size == Size(width: 320, height: 100))
        let image = try self.decide("<p>x</p><img src='https://x.example/a.png' width=300 height=250>")
        #expect(image.rule == .image && image.size == Size(width: 300, height: 250))
        let video = try self.decide(kind: .interstitial, naturalSize: Size(width: 1280, height: 720))
        #expect(video.rule == .mediaFile && video.size == Size(width: 390, height: 219))
        #expect(try self.decide().rule == .screen)
    }

    @Test("a fullscreen ad uses the screen, and a fixed size is laid out in it")
    func screen() throws {
        for container in [
            try self.decide(self.meta, kind: .interstitial),
            try self.decide(self.meta, requested: .fixed(Size(width: 320, height: 50))),
        ] {
            #expect(container.rule == .screen && container.size == nil && container.issue == nil)
        }
        let banner = try self.decide().container(for: .banner)
        #expect(banner.width == 390 && banner.height == nil)
        let whole = try self.decide().container(for: .interstitial)
        #expect(whole.width == 390 && whole.height == 844)
    }

    @Test("the screen grows with a declared size up to a limit, and an unusable size is an issue")
    func bounds() throws {
        let billboard = "<meta name='ad.size' content='width=970,height=250'><p>x</p>"
        #expect(try self.decide(billboard).container(for: .banner).screen == Size(width: 970, height: 844))
        let huge = try self.decide("<meta name='ad.size' content='width=16000,height=16000'><p>x</p>")
        #expect(huge.rule == .screen && huge.screen == ContainerSize.phone)
        #expect(huge.issue?.code == "container.unusable")
        let tiny = try self.decide("<meta name='ad.size' content='width=3,height=3'><p>x</p>")
        #expect(tiny.rule == .screen && tiny.issue != nil)
        // Known only after the response, and larger than the screen chosen before.
        let late = ContainerSize(
            chosen: nil,
            kind: .banner,
            requested: .adaptive,
            declared: try self.declared(billboard)
        )
        #expect(late.rule == .screen && late.issue?.message.contains("--size 970x250") == true)
    }
}
