// A type check alone does not find this: it is found in the intermediate language.

private final class Counter {
    var count = 0
}

@MainActor private func keep(_ counter: Counter) { counter.count += 1 }

private func start() async {
    let counter = Counter()
    await keep(counter)  // error: sending 'counter' risks causing data races
    counter.count += 1
}
