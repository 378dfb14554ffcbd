import AdCore

/// Values and those of the floor, turn by turn.
struct Pairs {
    private(set) var own: [Double] = []
    private(set) var floor: [Double] = []
    /// How many turns are still to be forgotten: what is done for the first time is not what is measured.
    private var warmUp: Int

    init(warmUp: Int = 0) { self.warmUp = warmUp }

    /// The values divided by their floors, where there are any.
    var ratios: [Double] { zip(self.own, self.floor).filter { $0.1 > 0 }.map { $0 / $1 } }

    /// Takes what one turn has shown.
    mutating func take(_ own: Double, floor: Double) {
        if self.warmUp > 0 {
            self.warmUp -= 1
            return
        }
        self.own.append(own)
        self.floor.append(floor)
    }
}

extension Duration {
    var inMicroseconds: Double { self.inSeconds * 1e6 }
}
