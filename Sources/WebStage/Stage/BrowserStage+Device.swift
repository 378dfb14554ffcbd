import AdCore

/// The device under a creative, which is simulated.
extension BrowserStage {
    /// Gives the creative other room.
    func setRoom(_ room: StageRoom) { self.post(.size(room)) }

    /// Turns the screen by a quarter, or back.
    package func turn() {
        let (machine, plan) = (self.machine, self.plan)
        let room = (machine as? CreativeMachine)?.hostRoom ?? plan.room
        self.setRoom(room.turned(plan.layout))
    }

    /// Sets the volume, from 0 to 100; nil where it is unknown.
    func setVolume(_ percent: Double?) { self.post(.volume(percent)) }

    /// The frame with the page that the ad has expanded to.
    var secondPart: EngineTarget? { (self.machine as? CreativeMachine)?.mraid.second?.target }
}
