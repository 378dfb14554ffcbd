import AdMarkup

/// A script as a tree (ECMA-262 §13–15), as far as following a press needs it.
///
/// The nodes are in one array and name each other by index: a tree of a hundred thousand nodes is freed without
/// recursion.
struct ScriptProgram {
    /// The index of a node.
    typealias ID = Int

    enum Node {
        // Expressions.
        case undefined, null, this, unsupported
        case boolean(Bool)
        case number(Double)
        case string(String)
        case regularExpression(String)
        case name(String)
        case template([String], [ID])
        case member(ID, ID, isOptional: Bool)
        case call(ID, [ID], isOptional: Bool)
        case make(ID, [ID])
        case function(Int)
        case object([(key: ID, value: ID)])
        case array([ID])
        case spread(ID)
        case unary(String, ID)
        case update(ID, by: Double, isPrefix: Bool)
        case binary(String, ID, ID)
        case choice(ID, ID, ID)
        case assign(String, ID, ID)
        case sequence([ID])
        // Statements.
        case empty
        case expression(ID)
        case declare(isVariable: Bool, [(target: ID, value: ID?)])
        case declareFunction(String, Int)
        case block([ID])
        case condition(ID, ID, ID?)
        case labelled(String, ID)
        case loop(Loop)
        case each(target: ID, values: ID, isOf: Bool, body: ID)
        case leave(Leave, ID?)
        case attempt(ID, parameter: ID?, handler: ID?, last: ID?)
        case select(ID, [(test: ID?, body: [ID])])
    }

    /// What leaves a block before its end; `break` and `continue` may name a label.
    enum Leave {
        case returning, throwing
        case breaking(String?)
        case continuing(String?)
    }

    struct Loop {
        var start: ID?
        let test: ID?
        var step: ID?
        let body: ID
        var testsLast = false
    }

    struct Function {
        let name: String?
        let parameters: [ID]
        /// The statements, or of a short arrow function its value.
        let body: Body
        /// The names that `var` declares in it.
        let variables: [String]
        let isArrow: Bool
        enum Body {
            case statements([ID])
            case value(ID)
        }
    }

    var nodes: [Node] = []
    var functions: [Function] = []

    /// How many nodes all scripts of a creative may have; a script beyond that is not followed.
    static let maxNodes = 200_000
}
