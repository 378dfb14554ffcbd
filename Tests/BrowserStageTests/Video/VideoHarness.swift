import AdCore
import BrowserSupport
import LibC
import SystemSupport
import TestSupport
import Testing

@testable import WebStage

/// Serves the bundled videos and images, and some invalid ones.
struct VideoServer: Transport {
    // Engines refuse the ports of other protocols, such as 9.
    static let origin = "http://127.0.0.1:8098"
    private static let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Creatives"

    /// The requested paths.
    let paths = Locked<[String]>([])

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        let path = String(request.url.target)
        self.paths.withLock { $0.append(path) }
        func answer(_ status: Int, _ body: [UInt8] = [], _ headers: AdHTTPHeaders = [:]) -> AdHTTPResponse {
            AdHTTPResponse(status: status, headers: headers, body: body, url: request.url)
        }
        switch path {
        case "/broken.mp4": return answer(200, Array("this is not a video, despite its name".utf8))
        case "/late.mp4": throw TransportError(.ambiguous(.timedOut), "it took too long")
        case "/moved.mp4": return answer(302, [], ["Location": "/media/sokketri.mp4"])
        case "/large.mp4": return answer(200, VideoServer.stretched(VideoServer.bytes("/media/sokketri.mp4")))
        case "/inward.mp4": return answer(302, [], ["Location": "http://192.168.0.1/film.mp4"])
        case "/page.html":
            let page =
                "<!doctype html><body style='margin:0'><a href='https://a.example/part' style='position:fixed;inset:0'>x</a>"
            return answer(200, Array(page.utf8), ["Content-Type": "text/html"])
        default:
            let bytes = VideoServer.bytes(path)
            return bytes.isEmpty ? answer(404) : answer(200, bytes, ["Content-Type": VideoServer.type(path)])
        }
    }

    /// The video with a `free` box of 3 MB before its data, and its index (`moov`) at the end.
    private static func stretched(_ film: [UInt8]) -> [UInt8] {
        var boxes: [(name: String, bytes: [UInt8])] = []
        var rest = film[...]
        while rest.count >= 8 {
            let size = self.number(Array(rest.prefix(4)))
            guard size >= 8, size <= rest.count else { break }
            boxes.append((String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self), Array(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
        let free = self.bytes(of: 3 << 20) + Array("free".utf8) + [UInt8](repeating: 0, count: (3 << 20) - 8)
        guard var index = boxes.first(where: { $0.name == "moov" })?.bytes else { return [] }
        // The chunk offsets (`stco`) change by the size of the inserted box minus that of the moved index.
        let shift = free.count - index.count
        for place in index.indices.dropLast(16) where index[place..<(place + 4)].elementsEqual("stco".utf8) {
            for entry in 0..<self.number(Array(index[(place + 8)..<(place + 12)])) {
                let at = place + 12 + entry * 4
                index.replaceSubrange(
                    at..<(at + 4),
                    with: self.bytes(of: self.number(Array(index[at..<(at + 4)])) + shift)
                )
            }
        }
        let before = boxes.prefix { $0.name != "moov" }.flatMap(\.bytes)
        let behind = boxes.drop { $0.name != "moov" }.dropFirst().flatMap(\.bytes)
        return before + free + behind + index
    }

    private static func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func bytes(of number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func type(_ path: String) -> String {
        path.hasSuffix(".png") ? "image/png" : path.hasSuffix(".html") ? "text/html" : "application/octet-stream"
    }

    private static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(self.folder + path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    /// The contents of a film as a URL, for pages without a network.
    static func dataURL(_ path: String) -> String { "data:video/mp4;base64,\(Base64.text(self.bytes(path)))" }

    static func url(_ path: String) throws -> HTTPURL { try #require(HTTPURL(self.origin + path)) }

    static func file(_ path: String) throws -> MediaFile {
        MediaFile(try self.url(path), type: path.hasSuffix(".webm") ? "video/webm" : "video/mp4")
    }

    static func picture(_ path: String, _ size: Size? = nil) throws -> VideoPart {
        VideoPart(.image(try self.url(path)), size: size)
    }
}

/// A spot with these media files.
func mediaSpot(
    _ paths: String...,
    rules: SpotRules = SpotRules(),
    parts: [VideoPartID: VideoPart] = [:],
    endCard: VideoPartID? = nil
) throws -> VideoSpot {
    VideoSpot(.media(try paths.map(VideoServer.file)), rules: rules, parts: parts, endCard: endCard)
}

/// Shows videos in one browser for each playback rate.
enum VideoHarness {
    private static let shared = Locked<[Double: any BrowserPresenter]>([:])

    static func presenter(_ speed: Double) throws -> any BrowserPresenter {
        try self.shared.withLock { shared in
            if let presenter = shared[speed] { return presenter }
            var options = TestBrowser()
            options.speed = speed
            let server = try VideoServer.url("/")
            let presenter = try options.presenter(allowedHosts: [server], transport: VideoServer())
            shared[speed] = presenter
            return presenter
        }
    }

    /// Prepares a video's stage; its media file is not loaded yet.
    static func prepare(_ video: VideoCreative, speed: Double = 8) async throws -> (BrowserStage, Reports) {
        let presenter = try self.presenter(speed)
        let kind = ShowRules.Kind.video(video.rules)
        let container = await presenter.container(for: kind)
        let size = CreativeLayout(.fixed(Size(width: 640, height: 360)), in: container)
        let reports = Reports()
        let stage = try await presenter.stage(.video(video), StageOptions(ad: AdID("test"), kind: kind, size: size)) {
            reports.append($0)
        }
        return (stage, reports)
    }

    /// Shows and plays a video during a test.
    static func show<Result>(
        _ video: VideoCreative,
        speed: Double = 8,
        test: (BrowserStage, Reports) async throws -> Result
    ) async throws -> Result {
        let (stage, reports) = try await self.prepare(video, speed: speed)
        do {
            await reports.first { $0 == .ready }
            await stage.reveal()
            await reports.first { if case .visible = $0 { true } else { false } }
            await stage.control(.play)
            let result = try await test(stage, reports)
            await stage.close(.host)
            return result
        } catch {
            await stage.close(.host)
            throw error
        }
    }
}

extension Reports {
    /// The video's events without its progress, and without the size that it starts with.
    var videoEvents: [VideoEvent] {
        self.events.drop { $0 == .video(.enlarged(false)) }.compactMap { event in
            guard case .video(let event, _) = event else { return nil }
            if case .progressed = event { return nil }
            return event
        }
    }

    var positions: [Duration] {
        self.events.compactMap { if case .video(.progressed(let position), _) = $0 { position } else { nil } }
    }

    /// Waits for an event of the video.
    func waitFor(_ wanted: VideoEvent, spot: Int = 0) async { await self.first { $0 == .video(wanted, spot: spot) } }

    func started() async -> Duration? {
        let event = await self.first { if case .video(.started, _) = $0 { true } else { false } }
        guard case .video(.started(let length), _) = event else { return nil }
        return length
    }

    func failure() async -> (code: Int, text: String) {
        let event = await self.first { if case .video(.failed, _) = $0 { true } else { false } }
        guard case .video(.failed(let code, let text), _) = event else { return (0, "") }
        return (code, text)
    }

    /// Waits until an event was reported `count` times.
    func count(_ wanted: StageEvent, reaches count: Int) async {
        let seen = Locked(0)
        await self.first { event in
            guard event == wanted else { return false }
            return seen.withLock { seen in
                seen += 1
                return seen >= count
            }
        }
    }
}
