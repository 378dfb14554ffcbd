import AdCore
import AdProviders
import AdRuntime
import CurlTransport
import Glibc
import SQLiteLedger
import YabbiAds

/// Shows ads one after the other, as the loop decides.
struct Kiosk {
    private let start = ContinuousClock.now
    private let ads: AdLoader<YabbiPlacement>
    private let screen: KioskScreen
    private let ledger: SQLiteLedger
    private let signals = HostSignalSource()

    /// Opens the ledger, and delivers what the last process left in it.
    ///
    /// - Parameter options: The kiosk's options.
    /// - Throws: An error with what to do if the ledger can't be used, or the browser is not installed.
    init(_ options: KioskOptions) async throws {
        let transport = try CurlTransport()
        self.screen = try KioskScreen(options, transport: transport)
        self.ledger = SQLiteLedger(folder: options.folder)
        for issue in try await self.ledger.open() { log("ledger: \(issue)") }
        let services = AdServices(
            transport: transport,
            opener: NoOpener(),
            ledger: self.ledger,
            signals: self.signals,
            context: ContextSource(known: AdContext(userAgent: "LinuxKiosk/1.0 (X11; Linux)"))
        )
        let app = YabbiApp(publisherID: options.publisher, bundle: "com.example.kiosk", name: "Kiosk")
        self.ads = AdLoader.yabbi(options.url, app: app, services: services, guarantee: options.guarantee)
    }

    private var now: Duration { self.start.duration(to: .now) }

    /// Shows ads until the loop ends, or the task is cancelled.
    func run(_ plan: KioskLoop.Plan) async {
        var loop = KioskLoop(plan)
        while !Task.isCancelled {
            switch loop.next(at: self.now) {
            case .end: return
            // Cancelling the task ends the wait, and then the loop.
            case .wait(let time): try? await Task.sleep(for: time)
            case .show(let placement):
                do throws(AdError) {
                    if try await self.show(placement, loop) {
                        loop.adEnded(at: self.now)
                    } else {
                        loop.failed(nil, at: self.now, jitter: .random(in: 0...1))
                    }
                } catch {
                    guard !Task.isCancelled else { return }
                    loop.failed(error, at: self.now, jitter: .random(in: 0...1))
                    self.note(placement, "not shown: \(error)")
                }
            }
        }
    }

    /// Loads an ad, shows it, and returns when it is off the screen: whether it had its impression.
    private func show(_ placement: YabbiPlacement, _ loop: KioskLoop) async throws(AdError) -> Bool {
        let ad = try await self.ads.load(placement)
        let (events, creative) = (ad.events, ad.offer?.creative)
        try await ad.show(on: self.screen.presenter)
        let shown = self.now
        // Tasks of their own, which are not cancelled with the kiosk: the end of the ad is awaited in any case.
        let timer = Task {
            try await Task.sleep(for: loop.time(for: creative, at: shown))
            ad.close()
        }
        let watch = Task {
            var (isViewed, closing) = (false, CloseDetails?.none)
            for await event in events {
                if case .view = event { isViewed = true }
                if case .closed(let details) = event { closing = details }
                if loop.ends(creative, by: event) { ad.close() }
            }
            return (isViewed, closing)
        }
        let (isViewed, closing) = await withTaskCancellationHandler {
            await watch.value
        } onCancel: {
            ad.close()
        }
        timer.cancel()
        let reason = closing.map { "closed: \($0.reason.rawValue)" } ?? "not closed"
        let view = isViewed ? "impression recorded" : "no impression"
        self.note(placement, "ad \(ad.id)  \(view)  \((self.now - shown).inTenths) on screen  \(reason)")
        return isViewed
    }

    /// Gives beacons time to be delivered, and ends the browser and the ledger.
    func end() async throws {
        await self.ads.services.beacons.waitUntilDelivered(within: .seconds(5))
        // No attempt starts any more: one that is interrupted by the end of the process would be unconfirmed.
        self.signals.post(.network(.offline))
        await self.screen.close()
        let beacons = try await self.ledger.summary()
        await self.ledger.close()
        log(
            "ledger: \(beacons.delivered) beacons delivered, \(beacons.pending + beacons.inFlight) pending, "
                + "\(beacons.unconfirmed) unconfirmed, \(beacons.dead) dead"
        )
    }

    private func note(_ placement: YabbiPlacement, _ text: String) {
        log("\(self.now.inTenths)  \(placement.unitID)  \(text)")
    }
}

/// Prints a line at once, also into a pipe.
func log(_ line: String) {
    print(line)
    fflush(nil)
}

extension Duration {
    /// As in `12.5 s`.
    fileprivate var inTenths: String {
        let tenths = Int(self / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
