import AdMarkup

/// Loops (ECMA-262 §14.7).
extension ScriptInterpreter {
    mutating func run(_ loop: ScriptProgram.Loop, _ labels: [String], in outer: Int) throws(Stop) -> Flow {
        var scope = self.newScope(in: outer)
        var closures = self.closures
        if let start = loop.start { _ = try self.execute(start, in: scope) }
        var testsNext = !loop.testsLast
        while true {
            try self.meter.charge()
            if self.closures > closures {
                closures = self.closures
                scope = try self.copy(scope)
            }
            if let test = loop.test, testsNext {
                guard let booleanValue = try self.evaluate(test, in: scope).booleanValue else {
                    return try self.once { interpreter throws(Stop) in try interpreter.execute(loop.body, in: scope) }
                }
                if !booleanValue { return .normal }
            }
            testsNext = true
            let flow = try self.execute(loop.body, in: scope)
            if flow.leavesLoop(labels) { return flow.pastLoop }
            if let step = loop.step {
                if self.closures > closures {
                    closures = self.closures
                    scope = try self.copy(scope)
                }
                _ = try self.evaluate(step, in: scope)
            }
        }
    }

    /// Copies the bindings for the next iteration of a loop (§14.7.4.4).
    ///
    /// Functions that were created in an iteration keep its bindings. If none was created, a copy makes no difference
    /// and is not made.
    private mutating func copy(_ scope: Int) throws(Stop) -> Int {
        guard !self.scopes[scope].values.isEmpty else { return scope }
        try self.meter.charge(self.scopes[scope].values.count)
        self.scopes.append(self.scopes[scope])
        return self.scopes.count - 1
    }

    mutating func forEach(
        _ target: Int,
        _ values: ScriptValue,
        _ isOf: Bool,
        _ body: Int,
        _ labels: [String],
        in scope: Int
    ) throws(Stop) -> Flow {
        guard let all = try self.elements(of: values, isOf: isOf) else {
            return try self.once { interpreter throws(Stop) in
                let inner = interpreter.newScope(in: scope)
                try interpreter.assignLoop(.unknown("an array with unknown items"), target, in: inner)
                return try interpreter.execute(body, in: inner)
            }
        }
        for value in all {
            try self.meter.charge()
            let inner = self.newScope(in: scope)
            try self.assignLoop(value, target, in: inner)
            let flow = try self.execute(body, in: inner)
            if flow.leavesLoop(labels) { return flow.pastLoop }
        }
        return .normal
    }

    /// Runs a loop's body once, if the number of iterations is unknown.
    ///
    /// If the body may leave more than the loop, the code after the loop runs only under a condition.
    private mutating func once(_ body: (inout ScriptInterpreter) throws(Stop) -> Flow) throws(Stop) -> Flow {
        switch try self.runUncertainly(body) {
        case .normal, .breaking(nil), .continuing(nil): break
        default: self.uncertainty += 1
        }
        return .normal
    }

    private mutating func assignLoop(_ value: ScriptValue, _ target: Int, in scope: Int) throws(Stop) {
        guard case .declare(let isVariable, let all) = self.program.nodes[target], let first = all.first else {
            return try self.assign(value, to: target, in: scope, declares: false)
        }
        try self.assign(value, to: first.target, in: scope, declares: !isVariable)
    }

    /// The values that a loop iterates over; nil if they are unknown.
    private mutating func elements(of value: ScriptValue, isOf: Bool) throws(Stop) -> [ScriptValue]? {
        switch value {
        case .object(let id):
            let object = self.objects[id]
            try self.meter.charge((object.items.count + object.names.count) / StepMeter.values)
            let names = object.names.map { ScriptValue.string($0) }
            switch object.kind {
            case .array: return isOf ? object.items : object.items.indices.map { .string(String($0)) } + names
            case .plain, .function: return isOf ? nil : names
            default: return nil
            }
        case .string(let text):
            guard isOf else { return nil }
            try self.meter.charge(text.utf8.count / StepMeter.values)
            return text.unicodeScalars.map { .string(String($0)) }
        case .unknown: return nil
        default: return []
        }
    }
}

extension ScriptInterpreter.Flow {
    /// Whether it ends the loop with the labels.
    func leavesLoop(_ labels: [String]) -> Bool {
        switch self {
        case .normal, .continuing(nil): false
        case .continuing(let label?): !labels.contains(label)
        case .breaking, .returning: true
        }
    }

    /// The completion of the loop that it ends.
    fileprivate var pastLoop: ScriptInterpreter.Flow { if case .breaking(nil) = self { .normal } else { self } }
}
