import AdCore

/// The simulated device.
extension BrowserStage {
    /// Changes the screen and the creative's layout.
    func setGeometry(_ geometry: StageGeometry) { self.post(.size(geometry)) }

    /// Rotates the screen by 90 degrees, or back.
    package func rotate() {
        let machine = self.machine
        self.setGeometry(machine.appGeometry.rotated(machine.plan.layout))
    }

    /// The target of the page of a two-part creative.
    var expandedPageTarget: EngineTarget? { self.machine.expandedPageTarget }
}
