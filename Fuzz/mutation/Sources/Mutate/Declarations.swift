// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// What the files declare, as far as the syntax shows it: types of parameters and results, and the values of a type.
final class Declarations: SyntaxVisitor {
    struct Signature {
        let parameters: [String]
        let result: String?
        /// The type whose instances have the method, or nil for an initializer, a static or a global function.
        let owner: String?
    }

    /// By the name with its labels: `covers(_:of:)`. Initializers have the name of their type.
    private(set) var signatures: [String: [Signature]] = [:]
    /// The stored properties of each structure, in order.
    private(set) var fields: [String: [(name: String, type: String)]] = [:]
    /// The declared types of each property name.
    private(set) var properties: [String: Set<String>] = [:]
    /// The cases of each enum, and the constants of each type that have the same type. The second part is the type of
    /// the associated values.
    private(set) var values: [String: [(name: String, payload: String)]] = [:]
    private var owners: [String] = []

    init() { super.init(viewMode: .sourceAccurate) }

    /// Returns the value that follows a value in each type that declares it, with the type's name.
    func neighbors(of name: String, in type: String? = nil, payload: String? = "") -> [String] {
        var found: [String] = []
        for (owner, list) in values.sorted(by: { $0.key < $1.key }) where type == nil || owner == type {
            guard let value = list.first(where: { $0.name == name && (payload == nil || $0.payload == payload) }) else {
                continue
            }
            let alike = list.filter { $0.payload == value.payload }
            guard alike.count > 1, let index = alike.firstIndex(where: { $0.name == name }) else { continue }
            found.append(alike[(index + 1) % alike.count].name)
        }
        return Set(found).sorted()
    }

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
        owners.append(name.split(separator: ".").last.map(String.init) ?? name)
        return .visitChildren
    }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: StructDeclSyntax) { owners.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: EnumDeclSyntax) { owners.removeLast() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visitPost(_ node: ClassDeclSyntax) { owners.removeLast() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription)
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { owners.removeLast() }

    private func isStatic(_ modifiers: DeclModifierListSyntax) -> Bool {
        modifiers.contains { $0.name.text == "static" }
    }

    private func add(_ name: String, _ list: FunctionParameterListSyntax, result: String?, owner: String?) {
        let key = name + "(" + list.map { $0.firstName.text + ":" }.joined() + ")"
        let types = list.map { $0.type.trimmedDescription }
        signatures[key, default: []].append(Signature(parameters: types, result: result, owner: owner))
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        var result = node.signature.returnClause?.type.trimmedDescription
        if result == "Self" { result = owners.last }
        add(
            node.name.text, node.signature.parameterClause.parameters, result: result,
            owner: isStatic(node.modifiers) ? nil : owners.last)
        return .skipChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        if let owner = owners.last {
            add(owner, node.signature.parameterClause.parameters, result: nil, owner: nil)
        }
        return .skipChildren
    }

    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let owner = owners.last else { return .skipChildren }
        for element in node.elements {
            values[owner, default: []].append((element.name.text, element.parameterClause?.trimmedDescription ?? ""))
        }
        return .skipChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.parent?.is(MemberBlockItemSyntax.self) == true, let owner = owners.last else { return .skipChildren }
        for binding in node.bindings {
            let name = binding.pattern.trimmedDescription
            let type = binding.typeAnnotation?.type.trimmedDescription
            if isStatic(node.modifiers) {
                let made = binding.initializer?.value.as(FunctionCallExprSyntax.self)?.calledExpression
                    .trimmedDescription
                let isSame = [owner, "Self"].contains { $0 == type || type == nil && $0 == made }
                if isSame { values[owner, default: []].append((name, "")) }
                continue
            }
            if let type {
                properties[name, default: []].insert(type)
                if binding.accessorBlock == nil { fields[owner, default: []].append((name, type)) }
            }
        }
        return .skipChildren
    }
}
