// What the standard library of the deployment target does not have.

private struct Failure: Error {}

private struct Box<Value> {
    let value: Value
}

private func wide(_ number: UInt128) {}  // error: 'UInt128' is only available in

private func text(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) == nil  // error: 'init(validating:as:)' is only available in
}

private func box(_ load: @escaping () throws(Failure) -> Int) -> Any {
    Box(value: load)  // error: runtime support for typed throws function types is only available in
}
