import AdCore

/// What the device under a creative does, where there is none.
extension BrowserStage {
    /// The host has other room for it.
    func give(_ room: StageRoom) { self.put(.size(room)) }

    /// Somebody made it louder or quieter, from 0 to 100; nil where nobody knows how loud it is.
    func setVolume(_ percent: Double?) { self.put(.volume(percent)) }

    /// The frame with the page that the ad has expanded to.
    var secondPart: DevToolsSession? { (self.machine as? CreativeMachine)?.bridge.second?.session }
}
