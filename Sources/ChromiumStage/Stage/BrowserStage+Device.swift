import AdCore

/// What the device under a creative does, where there is none.
extension BrowserStage {
    /// The host has other room for it.
    func give(_ room: StageRoom) { self.put(.size(room)) }

    /// Somebody turns the screen by a quarter, or back.
    package func turn() {
        let (machine, plan) = (self.machine, self.plan)
        let room = (machine as? CreativeMachine)?.hostRoom ?? plan.room
        self.give(room.turned(plan.layout))
    }

    /// Somebody made it louder or quieter, from 0 to 100; nil where nobody knows how loud it is.
    func setVolume(_ percent: Double?) { self.put(.volume(percent)) }

    /// The frame with the page that the ad has expanded to.
    var secondPart: DevToolsSession? { (self.machine as? CreativeMachine)?.bridge.second?.session }
}
