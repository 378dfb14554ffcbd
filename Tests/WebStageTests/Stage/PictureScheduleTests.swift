import AdCore
import Testing

@testable import WebStage

@Suite("When pictures of a stage are made")
struct PictureScheduleTests {
    private static let page = EngineTarget(name: "page")
    private static let pictures = EnginePictures(size: Size(width: 390, height: 844), quality: 70)
    private static let start = PictureSchedule.Output.send(.startPictures(pictures, in: page))
    private static let stop = PictureSchedule.Output.send(.stopPictures(page))
    private static let rare = Duration.milliseconds(250)

    private var schedule = PictureSchedule(Self.pictures, of: Self.page)

    private func picture(_ data: String, _ number: Int = 1) -> EnginePicture {
        EnginePicture(number: number, data: data)
    }

    private func acknowledge(_ number: Int, after delay: Duration = .zero) -> PictureSchedule.Output {
        .send(.acknowledgePicture(number, in: Self.page), after: delay)
    }

    @Test("frequent pictures are acknowledged one interval after each, and those that are equal are not shown again")
    mutating func frequent() {
        #expect(self.schedule.start().first == Self.start)
        let interval = Duration.milliseconds(22)
        let first = self.picture("a", 1)
        #expect(
            self.schedule.handle(first, interval: interval) == [.show(first), self.acknowledge(1, after: interval)]
        )
        #expect(
            self.schedule.handle(self.picture("a", 2), interval: interval) == [self.acknowledge(2, after: interval)]
        )
    }

    @Test("between rare pictures the engine is stopped")
    mutating func rare() {
        #expect(self.schedule.start() == [Self.start, .setAlarm(1, after: PictureSchedule.patience)])
        let first = self.picture("a")
        #expect(
            self.schedule.handle(first, interval: Self.rare) == [
                .show(first), Self.stop, .setAlarm(2, after: Self.rare),
            ]
        )
        #expect(self.schedule.handle(self.picture("b"), interval: Self.rare).isEmpty, "sent before the stop")
        #expect(self.schedule.alarm(2).first == Self.start)
    }

    @Test("a page that does not change keeps the engine waiting for a change, without a stop")
    mutating func still() {
        _ = self.schedule.start()
        _ = self.schedule.handle(self.picture("a"), interval: Self.rare)
        _ = self.schedule.alarm(2)
        #expect(self.schedule.handle(self.picture("a", 7), interval: Self.rare) == [self.acknowledge(7)])
        #expect(self.schedule.alarm(3).isEmpty, "the first picture came")
        let changed = self.picture("b", 8)
        #expect(self.schedule.handle(changed, interval: Self.rare).prefix(2) == [.show(changed), Self.stop])
    }

    @Test("a change that can't be seen at this size stops the engine like one that can")
    mutating func invisible() {
        _ = self.schedule.start()
        _ = self.schedule.handle(self.picture("a"), interval: Self.rare)
        _ = self.schedule.alarm(2)
        _ = self.schedule.handle(self.picture("a"), interval: Self.rare)
        #expect(
            self.schedule.handle(self.picture("a"), interval: Self.rare) == [Self.stop, .setAlarm(4, after: Self.rare)]
        )
    }

    @Test("a first picture that does not come is requested again, each time after twice as long")
    mutating func missing() {
        _ = self.schedule.start()
        #expect(
            self.schedule.alarm(1) == [Self.stop, Self.start, .setAlarm(2, after: PictureSchedule.patience * 2)]
        )
        #expect(self.schedule.alarm(2).last == .setAlarm(3, after: PictureSchedule.patience * 4))
        _ = self.schedule.handle(self.picture("a"), interval: .zero)
        #expect(self.schedule.alarm(3).isEmpty)
    }

    @Test("after the end nothing is made, and an alarm of before does nothing")
    mutating func over() {
        _ = self.schedule.start()
        #expect(self.schedule.stop() == [Self.stop])
        #expect(self.schedule.stop().isEmpty)
        #expect(self.schedule.alarm(1).isEmpty)
        #expect(self.schedule.handle(self.picture("a"), interval: .zero).isEmpty)
    }
}
