import AdCore
import ChromiumStage
import SystemSupport
import WebStage

/// What three verification scripts cost a video: its start, and its frames; compared with the same video without scripts.
enum MeasurementBench {
    private static let origin = "http://127.0.0.1:9"
    /// How long the frames of a video are counted.
    private static let playTime = 3.0

    /// A script that listens to everything, and computes a little with each event.
    private static let script = """
        let sum = 0;
        const listen = (event) => { sum += JSON.stringify(event).length; };
        omid3p.registerSessionObserver(listen, "vendor.example-omid");
        for (const type of ["impression", "loaded", "geometryChange", "media"]) omid3p.addEventListener(type, listen);
        """

    /// Serves the video and the scripts without a network.
    private struct Server: Transport {
        let film: [UInt8]

        func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
            let isScript = request.url.target.hasSuffix(".js")
            return AdHTTPResponse(
                status: 200,
                headers: ["Content-Type": isScript ? "text/javascript" : "video/webm"],
                body: isScript ? Array(MeasurementBench.script.utf8) : self.film,
                url: request.url
            )
        }
    }

    static func run(_ bench: BenchContext) async throws {
        guard let film = try? ReadFile.bytes("Creatives/media/sokketri.webm") else {
            return bench.skip("measuring scripts", "Creatives/media/sokketri.webm is missing; run it in the project")
        }
        guard let server = HTTPURL(self.origin + "/") else { return }
        var options = ChromiumOptions()
        options.isSandboxed = false
        options.network = .closed
        let presenter = try ChromiumPresenter(options, allowedHosts: [server], transport: Server(film: film))
        var failure: (any Error)?
        do {
            var starts = PairedSamples(warmUp: 1)
            var frames = PairedSamples(warmUp: 1)
            for _ in 0..<bench.full(11, quick: 1) {
                let own = try await self.play(presenter, vendors: 3)
                let base = try await self.play(presenter, vendors: 0)
                starts.add(own.start, baseline: base.start)
                frames.add(own.frames, baseline: base.frames)
            }
            bench.report("start of a video with three vendors", starts, against: "no vendor", .all("ms"))
            let added = zip(starts.own, starts.baseline).map { $0 - $1 }
            bench.report("added to the start by three vendors", added, .all("ms"))
            bench.report(
                "frames of a video with three vendors",
                frames,
                against: "no vendor",
                .rate("frames"),
                target: .atLeast(0.95)
            )
        } catch {
            failure = error
        }
        await presenter.close()
        if let failure { throw failure }
    }

    /// Plays a video: the time until its first picture, in milliseconds, and its frames per second.
    private static func play(
        _ presenter: ChromiumPresenter,
        vendors: Int
    ) async throws -> (start: Double, frames: Double) {
        guard let film = HTTPURL(self.origin + "/film.webm") else { throw BenchError(message: "no URL") }
        let verifications = (0..<vendors).map { number in
            VideoVerification(
                vendor: "vendor\(number).example-omid",
                scripts: [HTTPURL("\(self.origin)/\(number).js")].compactMap(\.self)
            )
        }
        let spot = VideoSpot(
            .media([MediaFile(film, type: "video/webm")]),
            rules: SpotRules(verifications: vendors),
            verifications: verifications
        )
        let video = VideoCreative(spot)
        let kind = ShowRules.Kind.video(video.rules)
        let container = await presenter.container(for: kind)
        let size = CreativeLayout(.fixed(Size(width: 640, height: 360)), in: container)
        let (ready, started) = (OneShot<Void>(), OneShot<Void>())
        let begin = ContinuousClock.now
        let stage = try await presenter.stage(.video(video), StageOptions(ad: AdID("bench"), kind: kind, size: size)) {
            if $0 == .ready { ready.set(()) }
            if case .video(.started, _) = $0 { started.set(()) }
        }
        await ready.value
        await stage.reveal()
        await stage.control(.play)
        await started.value
        let start = begin.duration(to: .now).inSeconds * 1000
        for event in [BeaconEvent.impression, "start"] { await stage.notify(.tracked(TrackingEvent(event, spot: 0))) }
        let before = try await stage.shownFrames()
        try await Task.sleep(for: .seconds(self.playTime))
        let frames = Double(try await stage.shownFrames() - before) / self.playTime
        await stage.close(.host)
        return (start, frames)
    }
}
