import AdCore

/// The simulated device.
extension BrowserStage {
    /// Changes the screen and the creative's layout.
    func setRoom(_ room: StageRoom) { self.post(.size(room)) }

    /// Rotates the screen by 90 degrees, or back.
    package func rotate() {
        let (machine, plan) = (self.machine, self.plan)
        let room = (machine as? CreativeMachine)?.hostRoom ?? plan.room
        self.setRoom(room.rotated(plan.layout))
    }

    /// Sets the device's volume from 0 to 100; nil if unknown.
    func setVolume(_ percent: Double?) { self.post(.volume(percent)) }

    /// The target of the page of a two-part creative.
    var expandedPageTarget: EngineTarget? { (self.machine as? CreativeMachine)?.mraid.expandedPage?.target }
}
