/// The latest bodies of images, of which the stage reads how long they move.
struct ImageBodies: Sendable {
    private static let countLimit = 40
    private static let byteLimit = 2 << 20

    private var bodies: [(request: String, bytes: [UInt8])] = []

    mutating func add(_ request: String, _ bytes: [UInt8]) {
        guard bytes.count <= ImageBodies.byteLimit else { return }
        self.bodies = self.bodies.suffix(ImageBodies.countLimit - 1)
        self.bodies.append((request, bytes))
    }

    subscript(request: String) -> [UInt8]? { self.bodies.last { $0.request == request }?.bytes }
}
