import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Consent that changes", .timeLimit(.minutes(5)))
struct ConsentTests {
    private static let refused = AdContext.Consent(usPrivacy: "1YYN")
    private static let given = AdContext.Consent(usPrivacy: "1YNN")
    private static let identifier = "6D92078A-8246-4BA4-AE5B-76104861E7DC"

    /// A provider that sends the identifier, and whose offers have a tracker with it.
    private struct TracingProvider: AdProvider {
        let name: ProviderName = "test"

        func request(for placement: String, in context: AdContext) throws(AdError) -> AdHTTPRequest {
            AdHTTPRequest(.post, url("http://ssp.example/load"), body: Array((context.ifa ?? "none").utf8))
        }

        func offers(
            from response: AdHTTPResponse,
            for placement: String,
            in context: AdContext
        ) throws(AdError) -> OfferBatch {
            let view = url(
                "http://t.example/view?ifa=\(context.ifa ?? "none")&again=\((context.ifa ?? "").lowercased())"
            )
            return OfferBatch(offers: [
                .sample(beacons: [BeaconTemplate(.view, BeaconCall(.get, TrackingURL(view), isBilling: true))])
            ])
        }
    }

    private static func context(_ consent: ConsentSource) -> ContextSource {
        ContextSource(known: AdContext(ifa: self.identifier, userAgent: "Test/1.0"), consent: consent)
    }

    private static func world(_ consent: ConsentSource, trackers: @escaping @Sendable () -> Int = { 200 }) -> World {
        World(context: self.context(consent)) { request in .status(request.url.host == "t.example" ? trackers() : 200) }
    }

    private static func identifiers(_ world: World) -> [String] {
        world.transport.requests.filter { $0.url.host == "ssp.example" }
            .map { String(decoding: $0.body ?? [], as: UTF8.self) == self.identifier ? "sent" : "withheld" }
    }

    @Test("the consent is asked for at each request, and before the first answer nothing personal is sent")
    func asked() async throws {
        let answer = Locked<AdContext.Consent?>(nil)
        let world = Self.world(ConsentSource { answer.withLock { $0 } })
        // The services have asked, too; a load would share that question.
        await world.clock.settle()
        let loader = AdLoader(TracingProvider(), services: world.services)
        for next in [Self.given, Self.refused, Self.given] {
            _ = try await loader.load("p")
            answer.withLock { $0 = next }
        }
        _ = try await loader.load("p")
        #expect(Self.identifiers(world) == ["withheld", "sent", "withheld", "sent"])
    }

    @Test("withdrawn consent empties a pool, which loads again without the identifier")
    func pool() async throws {
        let consent = ConsentSource()
        consent.post(Self.given)
        // A response takes time, so that the pool is not full again before it is looked at. Its ads load one by one.
        let world = World(context: Self.context(consent)) { _ in .after(.seconds(1), .status(200)) }
        let pool = AdPool(AdLoader(TracingProvider(), services: world.services), for: "p", size: 2)
        await world.clock.advance(by: .seconds(2))
        #expect(pool.readyCount == 2)
        consent.post(Self.refused)
        #expect(pool.readyCount == 0, "at once")
        await world.clock.advance(by: .seconds(2))
        #expect(pool.readyCount == 2)
        #expect(Self.identifiers(world) == ["sent", "sent", "withheld", "withheld"])
        consent.post(Self.given)
        await world.clock.advance(by: .seconds(2))
        #expect(Self.identifiers(world).count == 4, "an ad without an identifier may stay")
        #expect(world.beacons == [], "nothing was billed")
    }

    @Test("a slot drops an ad that is loaded and not seen yet, and requests another")
    func slot() async throws {
        let consent = ConsentSource()
        consent.post(Self.given)
        let source = ContextSource(known: AdContext(ifa: Self.identifier, userAgent: "Test/1.0"), consent: consent)
        // The response takes time, so that the slot is hidden before the ad could be shown.
        let world = World(context: source) { request in
            request.url.host == "ssp.example" ? .after(.seconds(1), .status(200)) : .status(200)
        }
        let presenter = SlotPresenter()
        let slot = BannerSlot(AdLoader(TracingProvider(), services: world.services), "p", on: presenter)
        slot.start()
        await world.transport.waitForRequests(1)
        slot.setVisible(0)
        await world.clock.advance(by: .seconds(1))
        #expect(slot.ads.count == 1 && slot.ad == nil, "an ad is loaded, and not on screen")
        consent.post(Self.refused)
        await world.clock.settle()
        #expect(slot.ads.isEmpty)
        slot.setVisible(1)
        await world.clock.advance(by: .seconds(1))
        #expect(Self.identifiers(world) == ["sent", "withheld"])
        #expect(slot.ad != nil)
        slot.close()
        await world.clock.settle()
        #expect(world.beacons.allSatisfy { !$0.contains(Self.identifier) })
    }

    @Test("a beacon that was not sent yet loses the identifier, in either spelling; its key stays")
    func beacon() async throws {
        let consent = ConsentSource()
        consent.post(Self.given)
        let status = Locked(503)
        let world = Self.world(consent) { status.withLock { $0 } }
        let ad = try await AdLoader(TracingProvider(), services: world.services).load("p")
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        let lowercased = Self.identifier.lowercased()
        #expect(world.beacons == ["/view?ifa=\(Self.identifier)&again=\(lowercased)"])
        consent.post(Self.refused)
        status.withLock { $0 = 200 }
        await world.clock.advance(by: .seconds(10))
        #expect(world.beacons.dropFirst() == ["/view?ifa=&again="])
        let keys = world.transport.requests.compactMap { $0.headers["Idempotency-Key"] }
        #expect(Set(keys).count == 1 && keys.count == 2)
        ad.destroy()
    }

    @Test("a beacon of an earlier process loses the identifier that the app gives")
    func earlierBeacon() async throws {
        let consent = ConsentSource()
        consent.post(Self.refused)
        let ledger = MemoryLedger()
        let view = url("http://t.example/view?ifa=\(Self.identifier)")
        let key = BeaconKey(ad: AdID(bits: 1), event: .view)
        let beacon = Beacon(key, BeaconCall(.get, TrackingURL(view)), of: "test")
        _ = try await ledger.record([beacon], at: ManualClock().wallTime)
        let source = ContextSource(known: AdContext(ifa: Self.identifier), consent: consent)
        let world = World(ledger: ledger, context: source) { _ in .status(200) }
        await world.clock.settle()
        #expect(world.beacons == ["/view?ifa="])
    }

    @Test("the keys of the IAB are read at each request, and when the app says that they changed")
    func store() async throws {
        let store = ChangingStore()
        let consent = ConsentSource(reading: store)
        let world = Self.world(consent)
        let loader = AdLoader(TracingProvider(), services: world.services)
        store.set(["IABUSPrivacy_String": .text("1YNN")])
        let pool = AdPool(loader, for: "p", size: 1)
        await world.clock.settle()
        #expect(Self.identifiers(world) == ["sent"])
        store.set(["IABUSPrivacy_String": .text("1YYN")])
        await consent.update()
        await world.clock.settle()
        #expect(Self.identifiers(world) == ["sent", "withheld"])
        pool.stop()
    }

    @Test("a request does not share a reading of the keys that began before they changed")
    func storeChangesMeanwhile() async throws {
        let store = ChangingStore()
        let consent = ConsentSource(reading: store)
        let clock = ManualClock()
        store.set(["IABUSPrivacy_String": .text("1YNN")])
        let request = Locked<Task<Void, Never>?>(nil)
        // The keys change after the reading has passed the one that changes, and the next request comes before its end.
        store.onRead("IABTCF_PurposeConsents") {
            store.set(["IABUSPrivacy_String": .text("1YYN")])
            request.withLock { $0 = Task { await consent.refresh(by: clock, until: Moment(.seconds(100))) } }
        }
        await consent.refresh(by: clock, until: Moment(.seconds(100)))
        await request.withLock(\.self)?.value
        #expect(consent.current == Self.refused)
    }

    @Test("a withdrawal is noticed although the consent changed while its observation began")
    func changeWhileObservationBegins() {
        let watch = ConsentWatch()
        let (reads, calls) = (Locked(0), Locked(0))
        let observation = watch.observe(
            { calls.withLock { $0 += 1 } },
            from: {
                let isFirst = reads.withLock { count in
                    count += 1
                    return count == 1
                }
                guard isFirst else { return PrivacyPolicy([]) }
                watch.update(to: PrivacyPolicy([]))
                return PrivacyPolicy([.unanswered])
            },
            of: { nil }
        )
        watch.update(to: PrivacyPolicy([.usOptOut]))
        #expect(calls.withLock(\.self) == 1)
        observation.cancel()
    }

    @Test("a store in which no key is set is no answer: nothing personal is sent, also after its keys were removed")
    func emptyStore() async throws {
        let store = ChangingStore()
        let world = Self.world(ConsentSource(reading: store))
        let loader = AdLoader(TracingProvider(), services: world.services)
        for values: [String: StoredValue] in [[:], ["IABUSPrivacy_String": .text("1YNN")], ["other": .text("x")]] {
            store.set(values)
            _ = try await loader.load("p")
        }
        #expect(Self.identifiers(world) == ["withheld", "sent", "withheld"])
    }

    @Test("a beacon of an earlier process keeps the identifier if the user agrees, whoever asks first")
    func earlierBeaconWithConsent() async throws {
        let ledger = MemoryLedger()
        let view = url("http://t.example/view?ifa=\(Self.identifier)")
        let beacon = Beacon(BeaconKey(ad: AdID(bits: 1), event: .view), BeaconCall(.get, TrackingURL(view)), of: "test")
        _ = try await ledger.record([beacon], at: ManualClock().wallTime)
        let consent = ConsentSource { Self.given }
        let source = ContextSource(known: AdContext(ifa: Self.identifier), consent: consent)
        let world = World(ledger: ledger, context: source) { _ in .status(200) }
        await world.clock.settle()
        #expect(world.beacons == ["/view?ifa=\(Self.identifier)"])
    }

    @Test(
        "of two questions the answer to the later one counts, in whichever order they come",
        arguments: [true, false]
    )
    func order(laterFirst: Bool) async {
        let (first, second) = (OneShot<AdContext.Consent>(), OneShot<AdContext.Consent>())
        let (count, isAsked) = (Locked(0), OneShot<Void>())
        let consent = ConsentSource {
            let number = count.withLock { count in
                count += 1
                return count
            }
            isAsked.set(())
            return await number == 1 ? first.value : second.value
        }
        let clock = ManualClock()
        let request = Task { await consent.refresh(by: clock, until: Moment(.seconds(100))) }
        await isAsked.value
        let change = Task { await consent.update() }
        if laterFirst {
            second.set(Self.refused)
            await change.value
            first.set(Self.given)
            await request.value
        } else {
            first.set(Self.given)
            await request.value
            second.set(Self.refused)
            await change.value
        }
        #expect(consent.current == Self.refused)
    }

    @Test("a question that is never answered is asked again, and holds up no load longer than the context's timeout")
    func silence() async throws {
        let (clock, count) = (OneShot<ManualClock>(), Locked(0))
        let consent = ConsentSource {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { await clock.value.rest(until: nil) }
            return Self.given
        }
        let world = Self.world(consent)
        clock.set(world.clock)
        let loader = AdLoader(TracingProvider(), services: world.services)
        for _ in 0..<3 {
            let ad = loader.ad(for: "p")
            let loading = world.clock.work { _ = try? await ad.loadSuspendingWork() }
            await world.clock.advance(by: .seconds(6))
            await loading.value
        }
        #expect(Self.identifiers(world) == ["withheld", "withheld", "sent"])
    }

    @Test("a user who begins to limit ad tracking takes consent back")
    func limited() async throws {
        let consent = ConsentSource()
        consent.post(Self.given)
        let world = Self.world(consent)
        let pool = AdPool(AdLoader(TracingProvider(), services: world.services), for: "p", size: 1)
        await world.clock.settle()
        consent.post(AdContext.Consent(usPrivacy: "1YNN", limitsTracking: true))
        await world.clock.settle()
        #expect(Self.identifiers(world) == ["sent", "withheld"])
        pool.stop()
    }

    @Test("what was loaded before a limit is dropped, and a withdrawal after it is not missed")
    func limitThenWithdrawal() async throws {
        let consent = ConsentSource()
        consent.post(Self.given)
        let world = Self.world(consent)
        world.services.context.limitTracking(true)
        let pool = AdPool(AdLoader(TracingProvider(), services: world.services), for: "p", size: 1)
        await world.clock.settle()
        world.services.context.limitTracking(false)
        pool.clear()
        await world.clock.settle()
        consent.post(Self.refused)
        await world.clock.settle()
        consent.post(Self.given)
        pool.clear()
        await world.clock.settle()
        world.services.context.limitTracking(true)
        await world.clock.settle()
        #expect(Self.identifiers(world) == ["withheld", "sent", "withheld", "sent", "withheld"])
        pool.stop()
    }

    @Test("what is taken back while the identifier is asked for does not leave with it", arguments: [true, false])
    func withdrawalMeanwhile(byHost: Bool) async throws {
        let (asked, answer) = (OneShot<Void>(), OneShot<String>())
        let consent = ConsentSource()
        consent.post(Self.given)
        let source = ContextSource(
            known: AdContext(userAgent: "Test/1.0"),
            ifa: {
                asked.set(())
                return await answer.value
            },
            consent: consent
        )
        let world = World(context: source)
        let loader = AdLoader(TracingProvider(), services: world.services)
        let loading = Task { try? await loader.load("p") }
        await asked.value
        if byHost { world.services.context.limitTracking(true) } else { consent.post(Self.refused) }
        answer.set(Self.identifier)
        _ = await loading.value
        #expect(Self.identifiers(world) == ["withheld"])
    }

    @Test("after an identifier of zeros the location stays, even if the next identifier is late")
    func lateIdentifier() async throws {
        let identifiers = Locked<[String?]>([nil, "00000000-0000-0000-0000-000000000000"])
        let source = ContextSource(
            known: AdContext(userAgent: "Test/1.0"),
            ifa: { identifiers.withLock { $0.popLast() ?? nil } },
            location: { AdContext.Location(latitude: 1, longitude: 2, precision: 3) }
        )
        for _ in 0..<2 {
            let context = await source.context(by: ManualClock())
            #expect(context.location == nil && context.ifa == nil)
        }
        #expect(!source.permits(.preciseLocation), "the request and the policy say the same")
    }

    @Test("a source that is observed does not outlive its owner")
    func released() async {
        weak var watched: ConsentSource?
        do {
            let consent = ConsentSource()
            watched = consent
            let source = ContextSource(consent: consent)
            let observation = source.observeWithdrawals {}
            consent.post(Self.refused)
            observation.cancel()
        }
        #expect(watched == nil)
    }

    @Test(
        "an identifier of zeros, or a limit of the host, takes the former one out of unsent beacons",
        arguments: [true, false]
    )
    func replacedIdentifier(byHost: Bool) async throws {
        let (status, current, asked) = (Locked(503), Locked(Self.identifier), Locked(0))
        let source = ContextSource(
            known: AdContext(userAgent: "Test/1.0"),
            ifa: {
                asked.withLock { $0 += 1 }
                return current.withLock { $0 }
            }
        )
        let world = World(context: source) { .status($0.url.host == "t.example" ? status.withLock { $0 } : 200) }
        let loader = AdLoader(TracingProvider(), services: world.services)
        let ad = try await loader.load("p")
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        if byHost {
            world.services.context.limitTracking(true)
        } else {
            current.withLock { $0 = "00000000-0000-0000-0000-000000000000" }
        }
        _ = try await loader.load("p")
        status.withLock { $0 = 200 }
        await world.clock.advance(by: .seconds(10))
        #expect(world.beacons.last == "/view?ifa=&again=")
        #expect(Self.identifiers(world) == ["sent", "withheld"])
        #expect(asked.withLock { $0 } == (byHost ? 1 : 2), "what is withheld is not asked for")
        ad.destroy()
    }

    @Test(
        "a string that can't be read withholds everything personal, and is an issue of each load",
        arguments: [String(repeating: "C", count: 1_048_576), "not a consent string", "1Y\u{0}N"]
    )
    func damaged(text: String) async throws {
        let store = ChangingStore()
        store.set([
            "IABTCF_gdprApplies": .number(1), "IABTCF_TCString": .text(text), "IABUSPrivacy_String": .text("1ZZZ"),
        ])
        let world = Self.world(ConsentSource(reading: store))
        let loader = AdLoader(TracingProvider(), services: world.services)
        for _ in 0..<2 {
            let ad = try await loader.load("p")
            let issues = (ad.offer?.issues ?? []).filter {
                $0.code.hasPrefix("consent.") || $0.code.hasPrefix("tcf.") || $0.code.hasPrefix("usPrivacy.")
            }
            #expect(!issues.isEmpty, "\(ad.offer?.issues ?? [])")
            #expect(issues.allSatisfy { $0.message.utf8.count < 500 })
        }
        #expect(Self.identifiers(world) == ["withheld", "withheld"])
    }
}

/// A store whose values a test changes.
private final class ChangingStore: KeyValueStore {
    private let values = Locked<[String: StoredValue]>([:])
    private let hook = Locked<(key: String, body: @Sendable () -> Void)?>(nil)

    func set(_ values: [String: StoredValue]) { self.values.withLock { $0 = values } }

    /// Calls a closure once, when a key is read.
    func onRead(_ key: String, _ body: @escaping @Sendable () -> Void) { self.hook.withLock { $0 = (key, body) } }

    func value(for key: String) -> StoredValue? {
        let body = self.hook.withLock { hook -> (@Sendable () -> Void)? in
            guard hook?.key == key else { return nil }
            defer { hook = nil }
            return hook?.body
        }
        body?()
        return self.values.withLock { $0[key] }
    }
}
