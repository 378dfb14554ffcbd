import AdMarkup

/// Statements (ECMA-262 §14).
extension ScriptInterpreter {
    /// Runs statements in a scope, after declaring their functions (§14.2.2).
    mutating func run(_ statements: [Int], in scope: Int) throws(Stop) -> Flow {
        try self.meter.charge(statements.count / 16)
        for id in statements {
            guard case .declareFunction(let name, let index) = self.program.nodes[id] else { continue }
            self.scopes[scope].values[name] = try self.makeFunction(index, in: scope)
        }
        for id in statements {
            let flow = try self.execute(id, in: scope)
            if case .normal = flow { continue }
            return flow
        }
        return .normal
    }

    mutating func newScope(in parent: Int) -> Int {
        self.scopes.append(Scope(parent: parent, uncertainty: self.uncertainty))
        return self.scopes.count - 1
    }

    /// Executes a statement; `labels` are its labels.
    mutating func execute(_ id: Int, in scope: Int, labels: [String] = []) throws(Stop) -> Flow {
        try self.enter()
        defer { self.leave() }
        switch self.program.nodes[id] {
        case .empty, .declareFunction: return .normal
        case .expression(let value):
            _ = try self.evaluate(value, in: scope)
            return .normal
        case .declare(let isVariable, let all):
            for (target, value) in all {
                // A `var` without a value keeps the current value.
                guard value != nil || !isVariable else { continue }
                let value = try value.map { id throws(Stop) in try self.evaluate(id, in: scope) } ?? .undefined
                try self.assign(value, to: target, in: scope, declares: !isVariable)
            }
            return .normal
        case .block(let statements): return try self.run(statements, in: self.newScope(in: scope))
        case .ifElse(let test, let then, let other): return try self.branch(test, then, other, in: scope)
        case .labelled(let label, let body):
            let flow = try self.execute(body, in: scope, labels: labels + [label])
            if case .breaking(label) = flow { return .normal }
            return flow
        case .loop(let loop): return try self.run(loop, labels, in: scope)
        case .forEach(let target, let values, let isOf, let body):
            return try self.forEach(target, self.evaluate(values, in: scope), isOf, body, labels, in: scope)
        case .jump(let jump, let value):
            let value = try value.map { id throws(Stop) in try self.evaluate(id, in: scope) } ?? .undefined
            switch jump {
            case .returning: return .returning(value)
            case .throwing: throw .thrown(value)
            case .breaking(let label): return .breaking(label)
            case .continuing(let label): return .continuing(label)
            }
        case .tryCatch(let body, let parameter, let handler, let last):
            return try self.tryCatch(body, parameter, handler, last, in: scope)
        case .switchCase(let subject, let cases): return try self.switchCase(subject, cases, in: scope)
        default: throw .tooLong
        }
    }

    // MARK: Branches

    private mutating func branch(_ test: Int, _ then: Int, _ other: Int?, in scope: Int) throws(Stop) -> Flow {
        let value = try self.evaluate(test, in: scope)
        if let booleanValue = value.booleanValue {
            if booleanValue { return try self.execute(then, in: scope) }
            return try other.map { id throws(Stop) in try self.execute(id, in: scope) } ?? .normal
        }
        let first = try self.runUncertainly { interpreter throws(Stop) in try interpreter.execute(then, in: scope) }
        let second =
            try other.map { id throws(Stop) in
                try self.runUncertainly { interpreter throws(Stop) in try interpreter.execute(id, in: scope) }
            } ?? .normal
        switch (first, second) {
        case (.normal, .normal): return .normal
        // If one branch leaves, the rest runs only under a condition, up to the end of the function.
        case (.normal, _), (_, .normal):
            self.uncertainty += 1
            return .normal
        case (.returning(let one), .returning(let other)):
            return .returning(self.isSame(one, other) ? one : .conditional)
        // Both branches leave, to different targets: the code after the nearer one may run.
        case (.returning, let nearer), (let nearer, .returning):
            self.uncertainty += 1
            return nearer
        default:
            if first != second { self.uncertainty += 1 }
            return first
        }
    }

    /// Runs code that may not run in a browser; errors that it throws are dropped.
    ///
    /// If a branch in it may leave more than itself, the code after it is uncertain as well.
    mutating func runUncertainly(_ body: (inout ScriptInterpreter) throws(Stop) -> Flow) throws(Stop) -> Flow {
        let uncertainty = self.uncertainty
        self.uncertainty += 1
        defer { self.uncertainty = self.uncertainty > uncertainty + 1 ? uncertainty + 1 : uncertainty }
        do throws(Stop) {
            return try body(&self)
        } catch {
            guard case .thrown = error else { throw error }
            return .normal
        }
    }

    private mutating func switchCase(
        _ subject: Int,
        _ cases: [(test: Int?, body: [Int])],
        in scope: Int
    ) throws(Stop) -> Flow {
        try self.meter.charge(cases.count / 16)
        let value = try self.evaluate(subject, in: scope)
        var first = cases.firstIndex { $0.test == nil }
        var isKnown = !value.isUnknown
        for (index, item) in cases.enumerated() where isKnown {
            guard let test = item.test else { continue }
            let candidate = try self.evaluate(test, in: scope)
            guard let isEqual = try self.areEqual(value, candidate, isStrict: true) else {
                isKnown = false
                break
            }
            if isEqual {
                first = index
                break
            }
        }
        let inner = self.newScope(in: scope)
        guard isKnown else {
            var leaves = false
            for item in cases {
                let flow = try self.runUncertainly { interpreter throws(Stop) in
                    try interpreter.run(item.body, in: inner)
                }
                leaves = leaves || flow.leavesLoop([])
            }
            if leaves { self.uncertainty += 1 }
            return .normal
        }
        guard let first else { return .normal }
        for item in cases[first...] {
            switch try self.run(item.body, in: inner) {
            case .normal: continue
            case .breaking(nil): return .normal
            case let flow: return flow
            }
        }
        return .normal
    }

    private mutating func tryCatch(
        _ body: Int,
        _ parameter: Int?,
        _ handler: Int?,
        _ last: Int?,
        in scope: Int
    ) throws(Stop) -> Flow {
        var flow = Flow.normal
        var pending: Stop?
        do throws(Stop) {
            flow = try self.execute(body, in: scope)
        } catch {
            guard case .thrown(let value) = error, let handler else {
                pending = error
                return try self.finish(last, flow, pending, in: scope)
            }
            let inner = self.newScope(in: scope)
            if let parameter { try self.assign(value, to: parameter, in: inner, declares: true) }
            do throws(Stop) {
                flow = try self.execute(handler, in: inner)
            } catch {
                pending = error
            }
        }
        return try self.finish(last, flow, pending, in: scope)
    }

    private mutating func finish(_ last: Int?, _ flow: Flow, _ pending: Stop?, in scope: Int) throws(Stop) -> Flow {
        if let last {
            let end = try self.execute(last, in: scope)
            if case .normal = end {} else { return end }
        }
        if let pending { throw pending }
        return flow
    }
}
