import Testing

@testable import WebStage

@Suite("The frames of a creative")
struct FrameTableTests {
    @Test("nested frames are added up to the limit, and the first one beyond it is reported")
    func most() {
        var table = FrameTable()
        func frame(_ number: Int) -> FrameTable.Frame {
            FrameTable.Frame(id: "\(number)", target: EngineTarget(name: "\(number)"))
        }
        var added = [table.add(frame(0), isRoot: true)]
        for number in 1...FrameTable.limit { added.append(table.add(frame(number), isRoot: false)) }
        #expect(!added.contains(false))
        let first = table.add(frame(1_000), isRoot: false)
        let outputs = table.refusal(of: EngineTarget(name: "1000"))
        #expect(!first && outputs.count == 2 && outputs.first == .send(.refuse(EngineTarget(name: "1000"))))
        let second = table.add(frame(1_001), isRoot: false)
        #expect(!second && table.refusal(of: EngineTarget(name: "1001")).count == 1)
        #expect(table.targets.count == 1 + FrameTable.limit)
        let root = table.add(frame(2), isRoot: true)
        #expect(root, "the creative's own frame is always added")
    }
}
