// Every requirement of the behaviour contract, by id, with the sentence that names it. Ids have gaps; they are never reused.

/** One requirement: the section it stands in and its claim. */
export interface Requirement {
  readonly section: string;
  readonly claim: string;
}

export const requirements: ReadonlyMap<string, Requirement> = new Map([
  [
    'R1',
    {
      section: '1.1',
      claim:
        'Given a call to register(def) from an unscoped context, then the tool lands in the global layer and every scope sees it',
    },
  ],
  [
    'R2',
    {
      section: '1.1',
      claim:
        'Given mine registered in scope A, when a scope outside A and its descendants, or no scope, calls mine, then the result is indistinguishable from a …',
    },
  ],
  [
    'R3',
    {
      section: '1.1',
      claim:
        'Given a global and a scoped tool of the same name (either registration order), then the scope resolves to its own, everyone else to the global, …',
    },
  ],
  [
    'R4',
    {
      section: '1.1',
      claim:
        'Given a chain of scopes (global < farthest ancestor < … < own), then the nearest layer wins for a name',
    },
  ],
  [
    'R5',
    {
      section: '1.1',
      claim:
        "Listing order: global entries in insertion order, then each ancestor's new names farthest to nearest, then own new names",
    },
  ],
  [
    'R6',
    {
      section: '1.1',
      claim: 'Given the same name twice in ONE layer, then the second call throws synchronously',
    },
  ],
  [
    'R7',
    {
      section: '1.1',
      claim:
        'Given name run_code, then register throws in every mode/executor, globally and scoped, even where nobody presents PTC (a later preset must not …',
    },
  ],
  [
    'R8',
    {
      section: '1.1',
      claim:
        'Given a definition without output, or with output not an object, render not a function, or presentationMeta present but not a function, then …',
    },
  ],
  [
    'R9',
    {
      section: '1.1',
      claim:
        'Given output.schema outside the supported subset when its dialect is subset, then register throws JsonSchemaError (code UNSUPPORTED_SCHEMA)',
    },
  ],
  [
    'R10',
    { section: '1.1', claim: 'Given timeoutMs 0, negative, NaN or Infinity, then register throws TypeError' },
  ],
  ['R11', { section: '1.1', claim: 'parameters of a raw definition are NOT validated at registration' }],
  [
    'R12',
    {
      section: '1.1',
      claim:
        'Definitions are borrowed, not cloned: get(name) returns the same object identity that was registered',
    },
  ],
  ['R13', { section: '1.1', claim: 'register returns the exact disposer' }],
  [
    'R14',
    {
      section: '1.1',
      claim:
        'Disposing a scope (scoped(s).dispose()) removes all its registrations, restrictions, guards and leaves no empty layer behind',
    },
  ],
  [
    'R15',
    { section: '1.1', claim: 'The disposer must be usable inside an ordered composite teardown (LIFO), i.e' },
  ],
  ['R16', { section: '1.1', claim: 'Raw (non-defineTool) tools are not argument-validated by the registry' }],
  [
    'R17',
    {
      section: '1.2',
      claim:
        "Emitted (sync, unfiltered: every scope's listener sees every change) after a tool registers/unregisters and after a restriction is added/lifted",
    },
  ],
  ['R18', { section: '1.2', claim: 'NOT emitted for guard registration' }],
  [
    'R19',
    {
      section: '1.2',
      claim:
        'If a tools/change listener throws during register, then the insertion is rolled back, the error propagates, and registering the same name again …',
    },
  ],
  ['R20', { section: '1.2', claim: 'setExecutor does not emit tools/change' }],
  ['R21', { section: '1.3', claim: 'Unscoped call throws (a global mask would hit everyone)' }],
  [
    'R22',
    {
      section: '1.3',
      claim: 'A filter with no allow list and no deny name ({}, {deny: []}) throws as a no-op',
    },
  ],
  ['R23', { section: '1.3', claim: 'Check order: scope → emptiness → reserved name → unknown names' }],
  [
    'R24',
    {
      section: '1.3',
      claim:
        'Unknown names throw one error listing ALL unknown names (singular/plural form) and the sorted known names, or a "none" marker if there are none',
    },
  ],
  [
    'R25',
    {
      section: '1.3',
      claim:
        "A name that exists only in the calling scope's own layer counts as unknown (own tools are exempt, so naming them is a caller bug)",
    },
  ],
  ['R26', { section: '1.3', claim: 'The lists are compiled to private sets at call time' }],
  [
    'R27',
    {
      section: '1.3',
      claim:
        'Restrictions intersect: name visible iff every restriction on every layer of the chain admits it',
    },
  ],
  [
    'R28',
    { section: '1.3', claim: "Filters what the scope inherits: global layer AND every ancestor's tools" },
  ],
  ['R29', { section: '1.3', claim: "An ancestor's restriction also applies to descendants" }],
  ['R30', { section: '1.3', claim: 'Live: deny-only lets later-registered names through' }],
  [
    'R31',
    {
      section: '1.3',
      claim:
        'Corner: parent registers own x, inherits global x, and denies x → parent still sees its own x, but a child (for which x is inherited) does not',
    },
  ],
  [
    'R32',
    {
      section: '1.3',
      claim:
        'The PTC transport is outside filtering: allow/deny lists never remove run_code, but they do remove names from the SDK and from the bindings',
    },
  ],
  [
    'R33',
    {
      section: '1.3',
      claim:
        'Restricted names read as absent in get, executable, schemas, definitions and dispatch (UNKNOWN_TOOL)',
    },
  ],
  [
    'R34',
    {
      section: '1.4',
      claim:
        'register(def, { when }): when(context) may be sync or async, gets { agent, modelSelection (readonly snapshot: provider, model, optional reasoning …',
    },
  ],
  [
    'R35',
    {
      section: '1.4',
      claim:
        "Given when → false, then the tool is absent from that step's declarations AND from dispatch (native and PTC sub-calls)",
    },
  ],
  [
    'R36',
    {
      section: '1.4',
      claim:
        'Given when throws/rejects, then resolve() rejects, step preparation fails, and no partial selection is published',
    },
  ],
  [
    'R37',
    {
      section: '1.4',
      claim: 'Given signal aborts during resolve(), then no selection is published (reject with the abort)',
    },
  ],
  ['R38', { section: '1.4', claim: 'Conditions are evaluated once per proposed step' }],
  [
    'R39',
    {
      section: '1.4',
      claim: 'A registration removed while its condition is pending is not resurrected by a late true',
    },
  ],
  ['R40', { section: '1.4', claim: 'resolve() returns a ResolvedToolSet' }],
  [
    'R41',
    {
      section: '1.4',
      claim:
        'view(scope) returns the admitted ORIGINAL definitions still visible in the scope the set was resolved for',
    },
  ],
  [
    'R42',
    {
      section: '1.4',
      claim:
        'A same-name replacement registered after resolve, or a new restriction, prevents a not-yet-started call from using the previously admitted …',
    },
  ],
  ['R43', { section: '1.4', claim: 'executable(name, scope, toolSet): with a set the set decides' }],
  ['R44', { section: '1.4', claim: 'Given a conditional tool and a batch without toolSet (e.g' }],
  [
    'R45',
    {
      section: '1.4',
      claim: 'The same set travels to every sub-call of a PTC program through ToolExecutionInput.toolSet',
    },
  ],
  [
    'R46',
    {
      section: '1.4',
      claim:
        'An admitted set must not keep a restricted/unregistered tool alive: re-check visibility at dispatch',
    },
  ],
  [
    'R67',
    {
      section: '1.4',
      claim:
        'A resolved set is complete: every unconditional registration visible to the agent at resolve time plus the conditional ones whose when was true',
    },
  ],
  [
    'R68',
    {
      section: '1.4',
      claim:
        'The host calls resolve once per proposed step with the model selection captured for it and uses that one set for declarations (describe), …',
    },
  ],
  [
    'R69',
    {
      section: '1.4',
      claim:
        'A scope key is any identity with an optional parent, not only an agent: a preset is a scope that agents join under',
    },
  ],
  [
    'R47',
    {
      section: '1.5',
      claim: 'schemas() builds objects with exactly name, description, parameters (explicit allow list)',
    },
  ],
  [
    'R49',
    {
      section: '1.5',
      claim: 'schemas() deep-clones: mutating a returned object does not change the registry',
    },
  ],
  [
    'R50',
    { section: '1.5', claim: 'definitions() returns the definitions themselves (used for SDK and bindings)' },
  ],
  ['R51', { section: '1.6', claim: 'guard(fn) from an unscoped context applies to every call' }],
  [
    'R52',
    {
      section: '1.6',
      claim: 'Evaluation order: global guards in registration order, then chain layers farthest → nearest',
    },
  ],
  ['R53', { section: '1.6', claim: 'The same function registered twice is two independent registrations' }],
  [
    'R54',
    {
      section: '1.6',
      claim:
        'Iteration is live: a guard registered by an earlier guard during evaluation is evaluated in the same pass',
    },
  ],
  [
    'R55',
    {
      section: '1.6',
      claim:
        'Guards are synchronous, see frozen arguments, run only after pre-execute resolved to allow (incl',
    },
  ],
  [
    'R56',
    { section: '1.6', claim: 'checkGuards(exec) exposes the first denial reason so an executor can call it' },
  ],
  ['R57', { section: '1.7', claim: 'setExecutor(executor) from unscoped context = deployment default' }],
  ['R58', { section: '1.7', claim: 'No provider available → execute(batch) rejects' }],
  ['R59', { section: '1.7', claim: 'Selection happens once per batch at dispatch' }],
  [
    'R60',
    {
      section: '1.7',
      claim:
        "After a provider's disposer runs, the slot stays declared but empty: batches for that scope reject (never a silent change of presentation) until …",
    },
  ],
  [
    'R61',
    {
      section: '1.7',
      claim: 'executor.sections (prompt sections) are registered with the executor and removed with it',
    },
  ],
  [
    'R62',
    {
      section: '1.7',
      claim:
        'executor.describe(tools) is given the currently visible definitions after restrictions/admission and returns {schemas, knownNames}; prompt …',
    },
  ],
  [
    'R63',
    {
      section: '1.7',
      claim: 'Convenience on top of setExecutor: a host can ask for native, ptc or both presentation',
    },
  ],
  [
    'R64',
    {
      section: '1.7',
      claim:
        "A native agent's dispatch table must not contain run_code merely because another agent presents PTC: calling it there is UNKNOWN_TOOL",
    },
  ],
  ['R70', { section: '1.7', claim: 'A ToolExecutor needs only describe and execute (sections optional)' }],
  [
    'R71',
    {
      section: '1.7',
      claim: "knownNames are the names against which a host's configured tool order is validated",
    },
  ],
  ['R65', { section: '1.8', claim: 'Waterfall = around middleware: listener gets (…args, next)' }],
  [
    'R66',
    {
      section: '1.8',
      claim:
        "Scope filtering: a listener registered on an agent context only receives that agent's (and descendants') calls",
    },
  ],
  [
    'J1',
    {
      section: '2.1',
      claim:
        'Accepts: null, booleans, strings (any, lone surrogates included), finite numbers except -0, dense intrinsic arrays, plain or null-prototype objects',
    },
  ],
  [
    'J2',
    {
      section: '2.1',
      claim:
        'Rejects (snapshot → undefined, test → false): undefined (root, array item, or property value), functions, symbols, bigint, NaN, ±Infinity, -0',
    },
  ],
  ['J3', { section: '2.1', claim: 'Rejects arrays that are: sparse' }],
  [
    'J4',
    {
      section: '2.1',
      claim: 'Rejects objects that: are class instances, Map/Set/Date/RegExp etc.; have any symbol key',
    },
  ],
  [
    'J5',
    {
      section: '2.1',
      claim:
        'Accepts plain containers from ANOTHER realm (vm context / other isolate copy): decided by "prototype\'s own constructor is a native function named …',
    },
  ],
  [
    'J6',
    {
      section: '2.1',
      claim:
        'Cycles rejected (ancestor set, so shared siblings/DAG aliases are fine and become separate copies)',
    },
  ],
  [
    'J7',
    {
      section: '2.1',
      claim:
        'No recursion in the walkers: 5 000+ levels are accepted host-side without stack use (the guest boundary has its own depth bound, M47)',
    },
  ],
  ['J8', { section: '2.1', claim: 'toJSON is ignored (never called)' }],
  ['J9', { section: '2.1', claim: 'Getters run' }],
  [
    'J10',
    {
      section: '2.1',
      claim: 'An own key literally named __proto__ survives as an own data property of the copy',
    },
  ],
  [
    'J11',
    {
      section: '2.1',
      claim:
        'Proxy with throwing ownKeys/getPrototypeOf traps: snapshot throws → consumers must turn it into their failure class',
    },
  ],
  ['J12', { section: '2.1', claim: 'An array whose getter changes length during the walk is rejected' }],
  ['J13', { section: '2.1', claim: 'Snapshot of a null-prototype record yields an ordinary object' }],
  [
    'D1',
    {
      section: '2.2',
      claim:
        'Node kinds: string, number, integer, boolean, null, array, object, json (author only), or oneOf (no type)',
    },
  ],
  ['D2', { section: '2.2', claim: 'Every node may carry description, title, default, examples' }],
  [
    'D3',
    {
      section: '2.2',
      claim:
        'Scalar nodes may carry enum (non-empty dense plain array of type-correct values) and/or const (type-correct',
    },
  ],
  ['D4', { section: '2.2', claim: 'object nodes MUST state additionalProperties as a boolean' }],
  ['D5', { section: '2.2', claim: 'array nodes: optional items' }],
  [
    'D6',
    {
      section: '2.2',
      claim:
        "required: true is allowed only on properties (of the parameter map or of an object's properties)",
    },
  ],
  [
    'D7',
    {
      section: '2.2',
      claim:
        'Compiling a property map: required array lists the keys in declaration order and is omitted when empty',
    },
  ],
  [
    'D8',
    {
      section: '2.2',
      claim:
        "Parameter root = implicit OPEN object: compiled root is {type:'object', properties, required?} with no additionalProperties key",
    },
  ],
  ['D9', { section: '2.2', claim: 'Annotation keys are copied only when own-present (description etc' }],
  [
    'D10',
    { section: '2.2', claim: 'Records must contain only own enumerable string keys on a plain prototype' },
  ],
  ['D11', { section: '2.2', claim: 'Cycles → error mentioning circularity' }],
  ['D12', { section: '2.2', claim: 'Deep nesting (5 000 oneOfs) compiles without stack use' }],
  [
    'D13',
    {
      section: '2.2',
      claim:
        'A property literally named __proto__ stays ordinary schema data (own key in properties, listed in required)',
    },
  ],
  ['D14', { section: '2.2', claim: 'valueSchemaSpecToJsonSchema accepts any root' }],
  [
    'I1',
    {
      section: '2.3',
      claim: 'InferArgs: required: true → mandatory key, others genuinely optional (?), only string keys',
    },
  ],
  ['I2', { section: '2.3', claim: 'const beats enum beats broad type' }],
  [
    'I3',
    {
      section: '2.3',
      claim:
        'object, additionalProperties:true: declared shape & Record<string, JsonValue>; false: declared shape only',
    },
  ],
  ['I4', { section: '2.3', claim: 'oneOf → union of branches' }],
  [
    'I5',
    {
      section: '2.3',
      claim:
        'Exact up to 16 container levels, then JsonValue (a 50-level array type must still compile and peel to JsonValue at level 16)',
    },
  ],
  [
    'I6',
    {
      section: '2.3',
      claim: 'Inline literals keep literal types without as const (const type parameters) for enum, const',
    },
  ],
  ['I7', { section: '2.3', claim: 'Compile-time errors: object without openness' }],
  [
    'I8',
    {
      section: '2.3',
      claim:
        'execute, render, presentationMeta infer the body value from output.schema (use NoInfer so the return type does not drive inference)',
    },
  ],
  [
    'I9',
    {
      section: '2.3',
      claim:
        'exec.signal is required and readonly in every view except the around-dispatch view, where it is assignable but not removable',
    },
  ],
  [
    'I10',
    {
      section: '2.3',
      claim:
        'The 16-level widening is a matter of types only: compilation and runtime validation walk the whole schema',
    },
  ],
  [
    'V1',
    {
      section: '2.4',
      claim:
        'Keywords accepted: type, oneOf, properties, required, additionalProperties (boolean only), items, enum, const + annotations description/title …',
    },
  ],
  ['V2', { section: '2.4', claim: 'type is one string of object/array/string/number/integer/boolean/null' }],
  [
    'V3',
    {
      section: '2.4',
      claim:
        'Node with neither type nor oneOf = unconstrained lossless JSON, but then constraint keywords (properties, required, additionalProperties, items, …',
    },
  ],
  ['V4', { section: '2.4', claim: 'oneOf: ≥2 branches, dense plain array' }],
  ['V5', { section: '2.4', claim: 'properties/required/additionalProperties only on object' }],
  [
    'V6',
    {
      section: '2.4',
      claim:
        'required must be a dense array of strings and each must be an OWN key of properties (so toString is not satisfied by inheritance)',
    },
  ],
  [
    'V7',
    {
      section: '2.4',
      claim: 'Own-present but undefined keywords (properties: undefined, enum: undefined) are violations',
    },
  ],
  ['V8', { section: '2.4', claim: 'number/integer literals must be finite and not -0' }],
  [
    'V9',
    {
      section: '2.4',
      claim:
        'All violations are collected (not first-only), path-qualified from root label schema (schema.properties.a, schema.oneOf[1], schema.items), in …',
    },
  ],
  ['V10', { section: '2.4', claim: 'Structure must be plain records (foreign realms ok' }],
  [
    'V11',
    {
      section: '2.4',
      claim:
        'JsonSchemaError: name JsonSchemaError, code UNSUPPORTED_SCHEMA, violations: string[], message joins them with ; ',
    },
  ],
  [
    'V12',
    {
      section: '2.4',
      claim:
        'assertObjectJsonSchema = same + root type must be object (reported only if there are no other violations',
    },
  ],
  [
    'V13',
    {
      section: '2.5',
      claim:
        'Total for any value (hostile getters/proxies → one "lossless JSON" violation at the nearest enclosing node that can catch',
    },
  ],
  ['V14', { section: '2.5', claim: 'Order of object diagnostics: missing required (in required order' }],
  [
    'V15',
    {
      section: '2.5',
      claim:
        'Only when no violation was found is the whole container checked for losslessness (object vs dense-array messages differ)',
    },
  ],
  ['V16', { section: '2.5', claim: 'Undeclared-key and required checks use own properties' }],
  ['V17', { section: '2.5', claim: 'Arrays: items checked per index with path[i]' }],
  ['V18', { section: '2.5', claim: 'oneOf: exactly one branch must validate' }],
  ['V19', { section: '2.5', claim: 'number: non-number vs non-finite/-0 are distinct messages' }],
  ['V20', { section: '2.5', claim: 'enum is checked before const' }],
  [
    'V21',
    {
      section: '2.5',
      claim:
        'Paths: parameter validation uses an empty root so properties are bare (path, config.host, servers[1].host), and the root itself is called arguments',
    },
  ],
  ['V22', { section: '2.5', claim: 'Extra keys in arguments are allowed at the root' }],
  [
    'V23',
    {
      section: '2.5',
      claim: 'Schema reads use own properties only (an inherited oneOf on the schema object is ignored)',
    },
  ],
  ['V24', { section: '2.5', claim: '5 000-deep union validation works' }],
  ['V25', { section: '2.5', claim: "validateArgs(spec, null|'x'|[]) → exactly one violation" }],
  [
    'V26',
    {
      section: '2.5',
      claim: 'ToolArgsError: name, code INVALID_ARGS, violations, message lists them joined with ; ',
    },
  ],
  [
    'V27',
    {
      section: '2.5',
      claim:
        'Raw objects are open by default: absent or true additionalProperties accepts undeclared keys, only false rejects them',
    },
  ],
  [
    'T1',
    { section: '2.6', claim: 'Compiles both schemas at definition time (throws JsonSchemaError there)' },
  ],
  ['T2', { section: '2.6', claim: 'execute validates first' }],
  [
    'T3',
    { section: '2.6', claim: 'presentCall/presentResult validate softly: mismatch → undefined, never throw' },
  ],
  ['T4', { section: '2.6', claim: 'isConcurrencySafe wrapper: invalid args → false' }],
  [
    'T5',
    {
      section: '2.6',
      claim:
        'finalizeContent and projectContent receive the execution, not typed args (they also run for invalid input)',
    },
  ],
  [
    'T6',
    {
      section: '2.6',
      claim: 'Optional members are omitted, not set to undefined (timeoutMs, presentationMeta, …)',
    },
  ],
  [
    'T7',
    {
      section: '2.6',
      claim:
        'Test fixture helper: a content-valued tool (canonical value = content array with items: json) is handy for tests only',
    },
  ],
  [
    'T8',
    {
      section: '2.6',
      claim:
        'render and presentationMeta are pure and replayable, and see only validated arguments: for a defineTool tool, arguments that do not validate …',
    },
  ],
  [
    'F1',
    {
      section: '2.7',
      claim: 'A tool imported from elsewhere (MCP, OpenAPI, raw JSON) may carry any JSON Schema',
    },
  ],
  [
    'F2',
    {
      section: '2.7',
      claim: 'output.dialect / the importer names the dialect: subset (default), draft-07 or 2020-12',
    },
  ],
  [
    'F3',
    {
      section: '2.7',
      claim:
        'Diagnostics for ajv-enforced schemas have the same shape as V21 paths (config.host, servers[1].host) and are capped in number and length',
    },
  ],
  [
    'F4',
    {
      section: '2.7',
      claim:
        'Covered: $ref into #/$defs and #/definitions, recursive $ref, anyOf, allOf, oneOf, not, enum/const of any JSON, type arrays, nullable unions, …',
    },
  ],
  [
    'F5',
    {
      section: '2.7',
      claim:
        'One broken schema (dangling $ref, bad pattern, cycle through allOf) never drops the other tools of its source: that tool is registered as refused …',
    },
  ],
  [
    'F6',
    { section: '2.7', claim: 'TypeScript text for every construct in F4 type-checks under tsc --strict' },
  ],
  [
    'F7',
    {
      section: '2.7',
      claim:
        'Importers validate arguments before execute (INVALID_ARGS with paths) and results against a declared output schema',
    },
  ],
  [
    'P1',
    {
      section: '3.2',
      claim:
        'Given getters on the input object, then callId, rootCallId, name, schema, arguments, agent, toolSet, dispatch, parent, signal are each read …',
    },
  ],
  [
    'P2',
    {
      section: '3.2',
      claim: "Arguments: lossless snapshot (caller's object is not frozen or mutated), deep-frozen",
    },
  ],
  [
    'P3',
    {
      section: '3.2',
      claim:
        'Given arguments that are not lossless JSON (function, Map, class instance) or a throwing accessor, then: no policy, no body',
    },
  ],
  ['P4', { section: '3.2', claim: 'Argument materialisation failure wins over a pre-aborted signal' }],
  ['P5', { section: '3.2', claim: 'Token: one per execution, identical in pre/execute/post/result' }],
  ['P6', { section: '3.2', claim: 'signal is mandatory' }],
  [
    'P7',
    { section: '3.2', claim: 'schema on the input (PTC inner call) is a frozen binding-time ToolSchema' },
  ],
  [
    'P8',
    {
      section: '3.3',
      claim:
        'With the PTC executor selected for the scope, a call WITHOUT parent naming a visible tool other than run_code ends before policy as UNKNOWN_TOOL; …',
    },
  ],
  [
    'P9',
    {
      section: '3.3',
      claim: 'For that denial projectContent is dropped and finalizeContent still runs (P57)',
    },
  ],
  [
    'P10',
    {
      section: '3.3',
      claim:
        'A truly unknown name is different: it runs pre-execute, approval, guards, and fails at dispatch as UNKNOWN_TOOL, then goes through post-execute …',
    },
  ],
  ['P11', { section: '3.3', claim: 'Scheduling classification for a collapsed name is exclusive' }],
  ['P12', { section: '3.4', claim: 'allow → guards → dispatch' }],
  [
    'P13',
    {
      section: '3.4',
      claim:
        'deny{reason, info?} → failure with error.message = reason, content = single text block "Error: " + reason, error.info = info when given',
    },
  ],
  [
    'P14',
    {
      section: '3.4',
      claim:
        'info.reason carries raw user-facing detail: kept in durable projections, not put in model-facing content',
    },
  ],
  [
    'P15',
    {
      section: '3.4',
      claim:
        'cancel → canonical ABORTED_BEFORE_DISPATCH result (not presented as a denial), through post-execute',
    },
  ],
  ['P16', { section: '3.4', claim: 'ask{reason?, displayReason?}: see 3.5' }],
  ['P17', { section: '3.4', claim: 'Arguments cannot be rewritten by policy' }],
  [
    'P18',
    {
      section: '3.4',
      claim:
        'A throwing pre-execute listener → error result that SKIPS post-execute (still finalizeContent + tools/result)',
    },
  ],
  [
    'P19',
    {
      section: '3.4',
      claim:
        'A deny (or a throw) that settles after the caller aborted is preserved as such (more specific than cancellation)',
    },
  ],
  [
    'P20',
    {
      section: '3.4',
      claim:
        'Abort while pre-execute is pending and the decision is allow → ABORTED_BEFORE_DISPATCH, body not run',
    },
  ],
  ['P21', { section: '3.4', claim: 'Guard denial also beats cancellation (guards run before the recheck)' }],
  [
    'P22',
    {
      section: '3.5',
      claim:
        'No approval service → deny with ask.reason or a default text: requires approval and no approver is configured',
    },
  ],
  ['P23', { section: '3.5', claim: 'Service present but the call has no agent → deny without asking' }],
  [
    'P24',
    {
      section: '3.5',
      claim:
        "Request carries agent, toolName, callId, reason and displayReason (each only if given), the caller's signal (same identity)",
    },
  ],
  ['P25', { section: '3.5', claim: 'Outcomes: allowed-once → continue (guards still apply)' }],
  [
    'P26',
    { section: '3.5', claim: 'cancelled AND caller aborted → ABORTED_BEFORE_DISPATCH (via post-execute)' },
  ],
  [
    'P27',
    {
      section: '3.5',
      claim: 'An approval service that throws → denial naming the failure, through post-execute',
    },
  ],
  [
    'P28',
    {
      section: '3.6',
      claim: 'Wrappers see normalised results from next() (a thrown body is already an error result)',
    },
  ],
  ['P29', { section: '3.6', claim: 'A wrapper may replace only exec.signal' }],
  [
    'P30',
    {
      section: '3.6',
      claim:
        'Given a wrapper supplies an already aborted signal, or the caller aborted while the wrapper waited before delegating, then the body is skipped …',
    },
  ],
  ['P31', { section: '3.6', claim: "Post-execute sees the caller's own signal again (wrapper restores" }],
  [
    'P32',
    {
      section: '3.6',
      claim:
        'The definition is re-resolved at body time: unregistered, restricted, no longer admitted, replaced (R42) or set disposed meanwhile → UNKNOWN_TOOL …',
    },
  ],
  [
    'P33',
    {
      section: '3.6',
      claim:
        'Body started → always awaited, even if it ignores the signal (the pipeline may stay pending forever)',
    },
  ],
  [
    'P34',
    {
      section: '3.6',
      claim: 'Body success while the fused signal is aborted → ABORTED with deferred contexts kept',
    },
  ],
  ['P35', { section: '3.6', claim: 'Short-circuit (wrapper returns without next): body not run' }],
  [
    'P36',
    {
      section: '3.6',
      claim: 'Wrapper-authored failure: kept fields are error, content, meta, additionalContexts',
    },
  ],
  [
    'P37',
    {
      section: '3.6',
      claim:
        'A canonical result cached from another call and returned here is revalidated against THIS tool (canonical identity is bound to the token)',
    },
  ],
  [
    'P38',
    {
      section: '3.6',
      claim:
        'Spread copies of a canonical success are re-validated and re-rendered, so a wrapper cannot smuggle content',
    },
  ],
  ['P39', { section: '3.6', claim: 'Throwing wrapper → error result, SKIPS post-execute' }],
  ['P40', { section: '3.6', claim: 'Wrapper success for a tool that vanished → UNKNOWN_TOOL final error' }],
  [
    'P41',
    {
      section: '3.6',
      claim: 'Caller abort while the wrapper waits after the body → ABORTED (body was invoked)',
    },
  ],
  ['P42', { section: '3.7', claim: 'value := lossless snapshot of the body return' }],
  ['P43', { section: '3.7', claim: 'validate against output.schema with root label value' }],
  ['P44', { section: '3.7', claim: 'deep-freeze value' }],
  ['P45', { section: '3.7', claim: 'presentationMeta is computed for native AND nested calls' }],
  ['P46', { section: '3.7', claim: 'concludeTurn() called by the body marks the execution' }],
  [
    'P47',
    {
      section: '3.7',
      claim: 'The success is frozen before wrappers/post listeners see it: Reflect.set on it returns false',
    },
  ],
  [
    'P48',
    {
      section: '3.8',
      claim:
        'projectContent captured at call start, run once for a normalised outcome (success or failure incl',
    },
  ],
  ['P49', { section: '3.8', claim: 'Accept without fields = unchanged' }],
  ['P50', { section: '3.8', claim: 'accept{value}: re-snapshot, re-validate, re-render, recompute meta' }],
  [
    'P51',
    {
      section: '3.8',
      claim:
        'Both own keys content and value present → error result (TypeError, no code), even if one is undefined (own-property test)',
    },
  ],
  ['P52', { section: '3.8', claim: 'block{feedback}: failure' }],
  ['P53', { section: '3.8', claim: 'Contexts: accept → [deferred by tool…, wrapper…, decision…]' }],
  [
    'P54',
    {
      section: '3.8',
      claim: "Listener composition: the outer listener decides how to merge next()'s contexts",
    },
  ],
  ['P55', { section: '3.8', claim: 'Throwing post listener → error result (coded if coded)' }],
  [
    'P56',
    {
      section: '3.8',
      claim:
        'After post: caller aborted and result is success → ABORTED / ABORTED_BEFORE_DISPATCH by "was the body invoked", contexts (deferred + decision) kept',
    },
  ],
  [
    'P57',
    {
      section: '3.8',
      claim: 'finalizeContent captured at call start (even if the tool is unregistered later)',
    },
  ],
  [
    'P58',
    {
      section: '3.8',
      claim:
        'Candidate materialisation failure (lossy content/meta/contexts/error) → error result which STILL reaches finalizeContent (so size caps hold)',
    },
  ],
  ['P59', { section: '3.9', claim: 'The returned object is the very object observers got' }],
  [
    'P60',
    {
      section: '3.9',
      claim: 'tools/result fires exactly once per execution, synchronously, after freezing exec',
    },
  ],
  [
    'P61',
    {
      section: '3.9',
      claim: 'Durable projection: tool/result persists content, error info (with its optional reason), meta',
    },
  ],
  ['P62', { section: '3.10', claim: 'deferContext(msg) order preserved' }],
  ['P63', { section: '3.10', claim: 'concludeTurn on a nested result must be forwarded by the composite' }],
  ['P64', { section: '3.11', claim: 'message: Error → .message' }],
  [
    'P65',
    { section: '3.11', claim: "info {name, code} only for the library's coded error base class (PtcError)" },
  ],
  ['P66', { section: '3.11', claim: 'Coded base: code string, name = subclass name, cause supported' }],
  [
    'P67',
    {
      section: '3.11',
      claim:
        'The pipeline is public: ToolExecutionPipeline.execute(input: ToolExecutionInput): Promise<ToolExecutionResult>; argument snapshot, identity, …',
    },
  ],
  [
    'P68',
    {
      section: '3.11',
      claim:
        'That promise never rejects for a tool, listener, guard, approval, projector or finalizer failure: each resolves as a materialised error result',
    },
  ],
  [
    'P69',
    {
      section: '3.11',
      claim:
        'A guard\'s reason is materialised exactly like deny{reason} (P13): "Error: " + reason, no info, through post-execute',
    },
  ],
  ['P70', { section: '3.11', claim: 'A result carries outcome only, no call id or name' }],
  [
    'P71',
    {
      section: '3.11',
      claim:
        'Replay of the durable log rebuilds presentation (content, error, meta), never the canonical intermediate values',
    },
  ],
  ['P72', { section: '3.11', claim: 'Async pre-/post-execute listeners must observe exec.signal' }],
  [
    'P73',
    {
      section: '3.11',
      claim:
        'A wrapper can replace the signal, never remove it: deleting it or assigning a non-AbortSignal fails that wrapper',
    },
  ],
  [
    'P74',
    {
      section: '3.11',
      claim:
        'Throwing or lossy projectContent, or lossy blocks from finalizeContent → JSON-safe error result',
    },
  ],
  ['P75', { section: '3.11', claim: 'projectContent replaces what render produced' }],
  [
    'N1',
    {
      section: '4.1',
      claim:
        'execute(input) returns {results, additionalContexts, concluded}; results has exactly one {callId, result} per input call, in input order, …',
    },
  ],
  ['N2', { section: '4.1', claim: 'Never settles while started work runs' }],
  [
    'N3',
    {
      section: '4.1',
      claim: 'log requires agent (log without agent is caller misuse → reject before starting anything)',
    },
  ],
  [
    'N4',
    { section: '4.1', claim: 'maxParallelToolCalls in the input overrides executor config for this batch' },
  ],
  ['N5', { section: '4.1', claim: 'Config default cap 10' }],
  [
    'N6',
    {
      section: '4.1',
      claim: 'Empty batch → {results: [], additionalContexts: [], concluded: false} and no events',
    },
  ],
  ['N7', { section: '4.2', claim: 'Raw argument text: empty string → {}; valid JSON → parsed' }],
  ['N8', { section: '4.2', claim: 'The tool/call event stores the RAW argument text, not the parsed value' }],
  [
    'N9',
    {
      section: '4.3',
      claim:
        'Classify through executable(name, agent, toolSet) (R43): exactly true from isConcurrencySafe(parsedArgs) → parallel',
    },
  ],
  ['N10', { section: '4.3', claim: 'Groups: consecutive parallel calls form one rolling pool' }],
  [
    'N11',
    {
      section: '4.3',
      claim:
        'Classification is lazy: re-read immediately before each start (except the first of a group, classified when the group forms)',
    },
  ],
  ['N12', { section: '4.3', claim: 'Rolling: when one settles, the next starts (not wave-by-wave)' }],
  [
    'N13',
    {
      section: '4.3',
      claim:
        'Per call the ordered part is: append tool/call → await prepare (pre-execute, approval, guards) → launch body',
    },
  ],
  [
    'N14',
    {
      section: '4.3',
      claim:
        'Commits (post-execute/finalize → tool/result event → contexts) happen in model order via a head-of-line cursor: a later call that settles first waits',
    },
  ],
  [
    'N15',
    {
      section: '4.3',
      claim: 'Event interleaving for cap 2, four calls: call1, call2, (1 settles) result1, call3, … i.e',
    },
  ],
  ['N16', { section: '4.3', claim: 'Calls denied/failed in prepare take a slot but no pool place' }],
  [
    'N17',
    {
      section: '4.3',
      claim:
        'tool/result event carries turn, step, callId, content, isError, error info if any, meta if any, and a link to the seq of its tool/call',
    },
  ],
  ['N18', { section: '4.3', claim: 'Additional contexts are NOT appended between results' }],
  ['N19', { section: '4.3', claim: 'concluded = any committed success carried concludesTurn' }],
  ['N20', { section: '4.4', claim: 'Signal aborted before start: no bodies' }],
  [
    'N21',
    {
      section: '4.4',
      claim: 'Abort during an ordered prepare: that call → ABORTED_BEFORE_DISPATCH through the pipeline',
    },
  ],
  [
    'N22',
    {
      section: '4.4',
      claim:
        'Abort mid-pool: stop replenishing, drain started bodies, commit their real outcomes and contexts, then synthetic pairs for the rest, including …',
    },
  ],
  ['N23', { section: '4.4', claim: 'A batch that aborted resolves normally (not rejects)' }],
  [
    'N24',
    {
      section: '4.5',
      claim:
        'A scheduler-level failure (not a tool failure) stops new starts, drains started bodies, does not fabricate results for the rest, surfaces the …',
    },
  ],
  [
    'N25',
    {
      section: '4.5',
      claim:
        'It surfaces as a rejection with ToolBatchExecutionError carrying results (committed outcomes), additionalContexts (accepted contexts) and cause',
    },
  ],
  ['N26', { section: '4.5', claim: 'Failing event append inside commit counts as internal failure' }],
  [
    'N27',
    {
      section: '4.5',
      claim:
        'Native describe(tools) → one allow-list schema per given definition in listing order, knownNames = their names, never run_code',
    },
  ],
  ['N28', { section: '4.5', claim: 'concludesTurn does not cut a batch short: all calls run and commit' }],
  ['N29', { section: '4.5', claim: 'isConcurrencySafe is pure and synchronous' }],
  ['C1', { section: '5.1', claim: "describe(tools) → schemas: [run_code], knownNames: ['run_code']" }],
  [
    'C2',
    {
      section: '5.1',
      claim:
        'run_code parameters: code (string, required), description (string, required, short UI label), and optional timeoutMs (number), listed only when …',
    },
  ],
  [
    'C3',
    {
      section: '5.1',
      claim:
        "The tool description and the code description come from a table keyed by the mounted runtime's language (own-property lookup, so toString is …",
    },
  ],
  [
    'C4',
    {
      section: '5.1',
      claim: 'The tool description must mention BOTH required arguments (regression: models sent only code)',
    },
  ],
  ['C5', { section: '5.1', claim: 'The mounted runtime may add executionInstructions to the description' }],
  ['C6', { section: '5.1', claim: 'No mounted runtime: prompt assembly fails loudly' }],
  [
    'C7',
    {
      section: '5.1',
      claim:
        'run_code output schema: closed object {logs: string[] (required), result?: json}. Canonical value of the outer call = that object',
    },
  ],
  ['C8', { section: '5.1', claim: 'run_code has no classifier → exclusive as a root call' }],
  [
    'C9',
    {
      section: '5.1',
      claim:
        'Prompt also carries a short "only run_code is callable directly" section placed BEFORE per-tool guidance and before the SDK section',
    },
  ],
  [
    'C10',
    {
      section: '5.1',
      claim:
        'The SDK section text must not be template-interpolated: braces in tool descriptions stay literal',
    },
  ],
  ['C11', { section: '5.2', claim: 'Tools sorted by plain string < comparison on name' }],
  ['C12', { section: '5.2', claim: 'Empty tool set → declare const tools: {}; and a sentence that says so' }],
  ['C13', { section: '5.2', claim: 'Member: one line per tool, properties inline as key: Type' }],
  [
    'C14',
    {
      section: '5.2',
      claim: 'Keys: bare iff /^[A-Za-z_$][A-Za-z0-9_$]*$/, else JSON-quoted ("my-mcp.tool")',
    },
  ],
  [
    'C15',
    {
      section: '5.2',
      claim: 'Doc comments: one line /** … */; whitespace runs collapsed to one space and trimmed',
    },
  ],
  ['C16', { section: '5.2', claim: 'Mapping: string→string' }],
  ['C17', { section: '5.2', claim: 'array: no items → JsonValue[]' }],
  [
    'C18',
    {
      section: '5.2',
      claim:
        'object with no properties: open → Record<string, JsonValue>, closed → Record<string, never>. additionalProperties schema → Record<string, T>',
    },
  ],
  ['C19', { section: '5.2', claim: 'object with properties: a literal, ? for non-required' }],
  [
    'C20',
    { section: '5.2', claim: 'Parameter roots compiled from the DSL declare the listed properties only' },
  ],
  ['C21', { section: '5.2', claim: 'Total: never throws' }],
  ['C22', { section: '5.2', claim: 'Deep unions (5 000) render iteratively in linear size' }],
  ['C23', { section: '5.2', claim: 'Instruction text must state: body of an async function' }],
  ['C24', { section: '5.2', claim: 'Arguments type in the SDK is from parameters' }],
  [
    'C70',
    {
      section: '5.2',
      claim:
        'The type checker sees a second text made from the same tree: results without an output schema are any, every SDK object is a named SDK_* …',
    },
  ],
  [
    'C25',
    {
      section: '5.3',
      claim:
        "The tools namespace is global: 'tools' (sdk is answered by the runtime itself), errorClass {name: 'ToolCallError', memberNameProperty: …",
    },
  ],
  ['C26', { section: '5.3', claim: 'run_code is never bound, so a program cannot recurse' }],
  ['C27', { section: '5.3', claim: 'Enumerated at run start' }],
  [
    'C28',
    { section: '5.3', claim: 'Binding-time schema is deep-frozen and passed as ToolExecutionInput.schema' },
  ],
  [
    'C29',
    {
      section: '5.3',
      claim: "Arguments are snapshotted as lossless JSON (after the guest's own conversions, W11)",
    },
  ],
  [
    'C30',
    { section: '5.3', claim: 'Ids: <parentCallId>:ptc:<n>, n = 1.. in submission order, counted per run' },
  ],
  [
    'C31',
    {
      section: '5.3',
      claim:
        'Failed sub-call → host binding rejects with the failure\'s message WITHOUT the "Error:" prefix and its code if that is one of the library\'s own',
    },
  ],
  [
    'C32',
    { section: '5.3', claim: 'Success → the canonical value after post-execute (value replacement visible' },
  ],
  [
    'C33',
    {
      section: '5.3',
      claim: 'Late result: if the run is over when the sub-call settles, the binding rejects ("run is over',
    },
  ],
  [
    'C34',
    {
      section: '5.3',
      claim: 'Submission after the run is over → rejects immediately without dispatch or log',
    },
  ],
  [
    'C35',
    {
      section: '5.4',
      claim:
        'One ordered lane per run starts calls: start event, prepare (pre-execute, approval, guards), launch, strictly in submission order',
    },
  ],
  ['C36', { section: '5.4', claim: 'Start order = submission order, strictly' }],
  ['C37', { section: '5.4', claim: 'Re-classify each time the head of queue is considered' }],
  [
    'C38',
    {
      section: '5.4',
      claim:
        "A program gets each value as soon as that call's own post-execute is done: Promise.race([slow, fast]) yields fast",
    },
  ],
  ['C39', { section: '5.4', claim: "The program's value resolves at commit BEFORE log shaping/append" }],
  [
    'C40',
    {
      section: '5.4',
      claim:
        '…but if pending log tasks exceed maxParallelSubCalls, the lane waits for one to finish before anything else starts (bounded memory)',
    },
  ],
  ['C41', { section: '5.4', claim: 'Lost-wakeup safety: arm the wake promise before inspecting queues' }],
  [
    'C42',
    {
      section: '5.5',
      claim:
        'tool/ptc-dispatch-start {rootCallId, parentCallId, subCallId, name, arguments} is appended when the call actually starts, before policy',
    },
  ],
  [
    'C43',
    {
      section: '5.5',
      claim: 'Neither event contains description, parameter schema, schema, or the canonical value',
    },
  ],
  ['C44', { section: '5.5', claim: 'Both are log-only: never become model messages' }],
  [
    'C45',
    {
      section: '5.5',
      claim:
        'tools/ptc-dispatch-log waterfall gets {exec (outer), agent, subCallId, name, isError, content}; returned blocks replace only the logged copy',
    },
  ],
  ['C46', { section: '5.5', claim: 'No agent → no events at all, dispatch still works' }],
  [
    'C47',
    { section: '5.5', claim: 'All settle events are appended before run_code returns (drain log tasks)' },
  ],
  ['C48', { section: '5.5', claim: 'Root/parent consistency: a sub-call id never changes its root' }],
  ['C49', { section: '5.5', claim: 'Sub-call content is logged verbatim incl' }],
  [
    'C67',
    { section: '5.5', claim: 'A tools/ptc-dispatch-log listener changes only content of the durable copy' },
  ],
  [
    'C68',
    {
      section: '5.5',
      claim: 'tool/ptc-dispatch.error and tool/result.error are ToolErrorInfo {name, code, reason?}',
    },
  ],
  [
    'C50',
    {
      section: '5.6',
      claim:
        'A successful sub-call whose FINAL content (after post-execute) contains an image block is deferred as ONE user-message context with the whole …',
    },
  ],
  [
    'C51',
    {
      section: '5.6',
      claim: 'Sub-call additionalContexts are deferred to the outer call in submission order',
    },
  ],
  ['C52', { section: '5.6', claim: 'concludesTurn on a sub-result → outer concludeTurn()' }],
  [
    'C53',
    {
      section: '5.7',
      claim: 'Success content: one text block: logs joined by newline, then newline, then rendered result',
    },
  ],
  ['C54', { section: '5.7', claim: 'Result rendering: strings raw' }],
  ['C55', { section: '5.7', claim: 'Failure: throws CodeRunFailedError' }],
  [
    'C69',
    {
      section: '5.7',
      claim:
        'Model-facing text of a large value: shape, counts, head and tail, and a notice that says how much was left out and how to get the rest (return …',
    },
  ],
  [
    'C56',
    {
      section: '5.7',
      claim:
        'Runtime rejecting (contract misuse/backend bug) → ordinary error result after quiescence (no CODE_RUN_FAILED)',
    },
  ],
  [
    'C57',
    {
      section: '5.7',
      claim: 'Whitespace-only description → error result ("invalid description") without running',
    },
  ],
  [
    'C58',
    {
      section: '5.7',
      claim: 'presentCall: generic card, title = description, kind execute, rawInput = code',
    },
  ],
  ['C59', { section: '5.7', claim: 'timeoutMs given but unsupported by the runtime → error' }],
  [
    'C60',
    {
      section: '5.8',
      claim:
        'Run-scoped AbortController follows the outer signal (same reason) and is aborted when the run settles for any reason',
    },
  ],
  ['C61', { section: '5.8', claim: 'On settle: abort → in-flight sub-dispatch bodies get the signal' }],
  ['C62', { section: '5.8', claim: 'Calls still in flight when the body returns are aborted and drained' }],
  [
    'C63',
    {
      section: '5.8',
      claim:
        'Pre-aborted outer signal: pipeline short-circuits (ABORTED_BEFORE_DISPATCH), runtime never called',
    },
  ],
  [
    'C64',
    {
      section: '5.8',
      claim:
        'Outer abort mid-run and program "succeeds" anyway → pipeline reports ABORTED; if runtime reports failure kind abort → CODE_RUN_FAILED text (abort) …',
    },
  ],
  ['C65', { section: '5.8', claim: 'Listener on the outer signal is removed at the end' }],
  [
    'C66',
    { section: '5.8', claim: 'Deadlock caution: abandonment rejections are only delivered at drain, i.e' },
  ],
  [
    'M1',
    {
      section: '6.1',
      claim:
        'Request: {program, bindings: [{global, functions, errorClass?}], signal?, timeoutMs?, beforeStart?}',
    },
  ],
  [
    'M2',
    {
      section: '6.1',
      claim:
        'Result: {logs: string[], value?, error?, stats}. Program outcomes RESOLVE; only contract misuse rejects (bad binding names, use after disposal)',
    },
  ],
  [
    'M3',
    {
      section: '6.1',
      claim: 'Failure kinds: exception, syntax (the text does not parse or uses a refused construct',
    },
  ],
  ['M4', { section: '6.1', claim: 'Descriptors: language, isolation (lowercase, informational)' }],
  ['M5', { section: '6.1', claim: 'value absent when the program returned undefined or failed' }],
  [
    'M6',
    {
      section: '6.1',
      claim:
        'Service disposal: aborts in-flight runs with kind abort ("runtime disposed"), awaits their termination, later run rejects',
    },
  ],
  [
    'M7',
    {
      section: '6.2',
      claim:
        'global and error-class name: /^[A-Za-z_][A-Za-z0-9_]*$/ (no $), not an ECMAScript reserved word (incl',
    },
  ],
  [
    'M8',
    {
      section: '6.2',
      claim:
        'memberNameProperty: non-empty, not name/message/stack/args/with_traceback/add_note, not dunder form __x__',
    },
  ],
  ['M9', { section: '6.2', claim: 'A namespace may be called ToolCallError if no error class uses it' }],
  ['M10', { section: '6.2', claim: 'Member names are arbitrary strings' }],
  [
    'M11',
    {
      section: '6.3',
      claim: 'The program is the body of a strict async function: top-level await and return work',
    },
  ],
  ['M12', { section: '6.3', claim: 'Types are erased, never trusted' }],
  [
    'M13',
    { section: '6.3', claim: 'The strip wraps the program as an async function body so return parses' },
  ],
  [
    'M14',
    {
      section: '6.3',
      claim:
        "Line in every error (syntax, runtime, stack) is that of the model's own source text, exact on both engines, after normalising, type erasure and …",
    },
  ],
  [
    'M15',
    {
      section: '6.3',
      claim: 'Injected names are function parameters, not globals: globalThis.tools is undefined',
    },
  ],
  ['M16', { section: '6.3', claim: 'Fresh world per run' }],
  [
    'M17',
    {
      section: '6.3',
      claim:
        'No process, no environment, no Node API, no network, no file system, no timers that outlive the run',
    },
  ],
  [
    'M18',
    {
      section: '6.4',
      claim:
        'console has log, info, warn, error, debug, trace, dir, table, assert, count, group, time and their partners, all captured into the same ordered log',
    },
  ],
  ['M19', { section: '6.4', claim: 'Formatting: strings verbatim' }],
  [
    'M22',
    {
      section: '6.4',
      claim:
        'Log entries cross the boundary at once (bounded by the ledger), never held for a turn, so output before a hot loop, timeout, memory death, kill or …',
    },
  ],
  [
    'M23',
    {
      section: '6.5',
      claim:
        'Counted bytes = UTF-8 bytes of JSON.stringify(logs array) + JSON of the value OR JSON string of the failure message',
    },
  ],
  [
    'M24',
    {
      section: '6.5',
      claim: 'Exactly at the cap passes, one over fails: cap 7 + return "€" ok, cap 6 fails',
    },
  ],
  ['M25', { section: '6.5', claim: 'Over cap → kind output-limit, message names the cap' }],
  [
    'M26',
    {
      section: '6.5',
      claim:
        'output-limit takes precedence over an oversized exception message / abort reason / syntax error',
    },
  ],
  [
    'M27',
    {
      section: '6.5',
      claim:
        'Measuring must not allocate the escaped form (a million quotes under a 32-byte cap stops early)',
    },
  ],
  ['M28', { section: '6.5', claim: 'Binding arguments and results are not in the output ledger' }],
  [
    'M29',
    {
      section: '6.6',
      claim:
        'Non-lossless completion of an explicit return after the conversions of W11 (function, Map, bigint, NaN, cycle, throwing getter, its message …',
    },
  ],
  [
    'M30',
    {
      section: '6.6',
      claim:
        "A thrown Error → message = name: message, then the frames in the model's own text, built alike on both engines by the guest prelude (QuickJS …",
    },
  ],
  ['M31', { section: '6.6', claim: 'throw undefined/null → "undefined"/"null" (String())' }],
  [
    'M32',
    {
      section: '6.6',
      claim: 'Un-awaited promises that have not rejected (sub-calls: C62) are discarded with the world',
    },
  ],
  [
    'M33',
    {
      section: '6.6',
      claim:
        "An unhandled rejection in the program → kind exception with the rejection's message, even if the body returned",
    },
  ],
  ['M34', { section: '6.6', claim: 'Guest out of memory → memory-limit naming the cap' }],
  [
    'M35',
    {
      section: '6.6',
      claim:
        'A program that can make no more progress (no pending binding call, no pending timer, no runnable job, promise never settled) is detected and fails …',
    },
  ],
  ['M36', { section: '6.7', claim: 'Two budgets: computeMs (default 10 000' }],
  ['M37', { section: '6.7', claim: 'timeoutMs (per run) lowers wallMs for one run and pauses as it does' }],
  ['M38', { section: '6.7', claim: 'Config validation: positive finite' }],
  [
    'M39',
    {
      section: '6.7',
      claim:
        "Abort: hard stop even in for(;;){}; failure {kind: 'abort', message: String(reason)}; pre-aborted → same without spawning",
    },
  ],
  ['M40', { section: '6.7', claim: 'Exactly one outcome wins' }],
  ['M41', { section: '6.7', claim: 'Guest heap cap: 128 MiB by default, configurable' }],
  [
    'M42',
    { section: '6.8', claim: "The program's namespace: a proxy over a null-prototype record of members" },
  ],
  [
    'M43',
    {
      section: '6.8',
      claim:
        'Rejections are real instances of the injected class: instanceof, own enumerable name, own enumerable member property, message, and code when the …',
    },
  ],
  ['M44', { section: '6.8', claim: 'The host revalidates every argument' }],
  ['M45', { section: '6.8', claim: 'Host snapshots resolution' }],
  ['M46', { section: '6.8', claim: 'Non-Error host throws are stringified' }],
  ['M47', { section: '6.8', claim: 'Values cross as JSON text plus ids, nothing else ever crosses' }],
  [
    'M48',
    {
      section: '6.8',
      claim: 'A 1 000-level nested argument → tool → resolution → completion works unchanged',
    },
  ],
  [
    'M49',
    {
      section: '6.9',
      claim:
        'The guest is hostile: junk frames, unknown binding names and prototype names (constructor), duplicate or out-of-order call ids, forged logs, …',
    },
  ],
  [
    'M50',
    {
      section: '6.9',
      claim:
        'Undeclared binding, bad frame, bad UTF-8, oversized or empty frame, non-sequential id, unknown type → the run fails with kind protocol, and no …',
    },
  ],
  [
    'M51',
    {
      section: '6.9',
      claim:
        'Program mutating globals (Array.isArray, Object.keys, Reflect, String.prototype, Buffer.byteLength, Object.prototype.get, deleting …',
    },
  ],
  [
    'M52',
    {
      section: '6.9',
      claim:
        'Faked intrinsic objects (function named Object + patched Function.prototype.toString) are still rejected',
    },
  ],
  ['M53', { section: '6.9', claim: 'Host listener must never throw on inbound data' }],
  ['M54', { section: '6.9', claim: 'After the terminal frame, later replies and messages are ignored' }],
  ['Q1', { section: '7.1', claim: 'Zero config' }],
  [
    'Q2',
    {
      section: '7.1',
      claim: 'Arms a deadline fused with exec.signal, swaps it in, restores the caller signal in a finally',
    },
  ],
  [
    'Q3',
    {
      section: '7.1',
      claim:
        'If its own timer fired (recognised by a code on the abort reason, not by result shape) → replaces whatever came back with failure {name: …',
    },
  ],
  [
    'Q4',
    {
      section: '7.1',
      claim:
        'Caller abort first → stays ABORTED. Own deadline first, caller aborts later while cleaning up → TOOL_TIMEOUT stays',
    },
  ],
  ['Q5', { section: '7.1', claim: 'Cooperative: waits for the tool to settle' }],
  [
    'Q6',
    {
      section: '7.1',
      claim: 'Timeout library facts: clampTimeout(requested, default, max) rejects non-positive/non-finite',
    },
  ],
  [
    'Q30',
    {
      section: '7.1',
      claim:
        'Declaring timeoutMs asserts that the tool forwards exec.signal to work that can come to rest on abort',
    },
  ],
  ['Q7', { section: '7.2', claim: 'Config maxInlineBytes, omitted → registers nothing' }],
  [
    'Q8',
    {
      section: '7.2',
      claim: 'Listener is PREPENDED and delegates first, so it bounds what inner listeners produced',
    },
  ],
  [
    'Q9',
    {
      section: '7.2',
      claim:
        'Saves full text through a store {owner: sessionId, source: {toolName, callId, label}, suggestedName: <tool>.txt, content} → {locator, bytes, …',
    },
  ],
  [
    'Q10',
    {
      section: '7.2',
      claim: 'Best effort: no agent/session, no store, save rejection → warn and keep original',
    },
  ],
  [
    'Q11',
    {
      section: '7.2',
      claim:
        'Log arm on tools/ptc-dispatch-log: same cap and text, label dispatch, keyed by sub-call id, read included',
    },
  ],
  ['Q12', { section: '7.2', claim: 'Also as a token budget: maxInlineTokens' }],
  ['Q13', { section: '7.2', claim: 'Local store: private 0700 temp root or configured root' }],
  [
    'Q14',
    {
      section: '7.2',
      claim:
        'Retention library: item retainer (head) and text retainer (head/tail/headTail, UTF-8 safe cuts, separate decode of both sides, exact omitted byte …',
    },
  ],
  ['Q15', { section: '7.3', claim: 'Config: thresholds [3,5,8] (non-empty, integers ≥ 2, unique' }],
  ['Q16', { section: '7.3', claim: 'Chain key = tool name + canonical (deep key-sorted) arguments' }],
  ['Q17', { section: '7.3', claim: 'Runs in post-execute so denied calls count' }],
  [
    'Q18',
    {
      section: '7.3',
      claim:
        'Exactly at a threshold it adds a context message (source: plugin) – short form at the first threshold, detailed (tool, count, capped arguments) later',
    },
  ],
  ['Q19', { section: '7.3', claim: 'Never vetoes or edits content' }],
  [
    'Q20',
    {
      section: '7.4',
      claim:
        "request(req) → one of the outcomes, or {outcome, note?} (the note is appended to the denial's text): allowed-once | rejected | cancelled | …",
    },
  ],
  [
    'Q21',
    {
      section: '7.4',
      claim:
        'Session policy ask (default) | never (rejected deterministically, before any answerer, even prepended ones)',
    },
  ],
  ['Q22', { section: '7.4', claim: 'Appends approval/asked and approval/decided with one fresh id' }],
  ['Q23', { section: '7.4', claim: 'No remembered grants' }],
  ['Q31', { section: '7.4', claim: 'approval/asked records the audited reason' }],
  [
    'Q24',
    {
      section: '7.5',
      claim:
        'Named presets bundle a default decision per tool kind (read, edit, execute, fetch …) with an approval policy, e.g',
    },
  ],
  [
    'Q25',
    {
      section: '7.6',
      claim: 'tools/execute wrapper: for top-level calls flush the session log before the body',
    },
  ],
  ['Q27', { section: '7.7', claim: 'Guard + tools/result observer compose: e.g' }],
  [
    'Q29',
    {
      section: '7.7',
      claim:
        'A call-count budget policy is ours to add: max sub-calls per run and per tool, with a clear reason',
    },
  ],
  ['U1', { section: '8', claim: 'Pure, replayable, provider-neutral' }],
  [
    'U2',
    {
      section: '8',
      claim: 'ToolCallKind: read, edit, delete, move, search, execute, fetch, other (default other)',
    },
  ],
  [
    'U3',
    {
      section: '8',
      claim: 'FileLocation {path, line?(1-based)}; FileDiff {path, oldText|null, newText} (null = new file)',
    },
  ],
  [
    'U4',
    {
      section: '8',
      claim:
        'Call views: generic {card, title, kind?, rawInput?, content?, locations?}; terminal {card, title, description?, cwd?}; diff {card, title, diffs, …',
    },
  ],
  [
    'U5',
    {
      section: '8',
      claim:
        'Result views: generic {card, title?, content?}; terminal {card, title?, output?, exitCode?, signal?} (exit code and signal mutually exclusive)',
    },
  ],
  [
    'U6',
    {
      section: '8',
      claim:
        'Discriminants: card, then shape for search and kind for web (shape is used to avoid clashing with ToolCallKind)',
    },
  ],
  [
    'U7',
    {
      section: '8',
      claim: 'search/read/web have no pending counterpart (pending stays generic with a kind)',
    },
  ],
  ['U8', { section: '8', claim: 'offset = requested 1-based first line, kept when lines is empty' }],
  [
    'U9',
    {
      section: '8',
      claim:
        'rawInput: string shown verbatim, object as pretty JSON. Relative terminal cwd resolved by the UI',
    },
  ],
  [
    'U10',
    {
      section: '8',
      claim:
        'Presenters are looked up with the calling agent (and step set), so the card comes from the definition that executed',
    },
  ],
  ['U11', { section: '8', claim: 'generic is the default card' }],
  ['U12', { section: '8', claim: 'terminal result: a capable UI shows the exit status as a tag' }],
  [
    'U13',
    {
      section: '8',
      claim: 'diff result: normally the applied hunks with context computed from before/after',
    },
  ],
  [
    'U14',
    {
      section: '8',
      claim: 'truncated/total say whether the inline list was cut, so a UI never shows part as all',
    },
  ],
  ['U15', { section: '8', claim: 'read: lang is a hint from the file extension' }],
  ['E1', { section: '9', claim: 'restrict({allow: []}) hides everything' }],
  ['E2', { section: '9', claim: 'Naming one\'s own scope\'s tool in a restriction is "unknown"' }],
  ['E3', { section: '9', claim: 'Restriction must filter ancestor-scope tools, not just the global layer' }],
  [
    'E4',
    {
      section: '9',
      claim: "Parent's deny hides the parent's own same-name tool from children but not from the parent",
    },
  ],
  ['E5', { section: '9', claim: 'Mutating the filter arrays after restrict changes nothing' }],
  [
    'E6',
    { section: '9', claim: 'A throwing change listener must roll back registration and not wedge the name' },
  ],
  ['E7', { section: '9', claim: 'Disposer must be the exact effect disposer for LIFO composite teardown' }],
  ['E8', { section: '9', claim: "Draining a layer's guard table mid-iteration defers later insertions" }],
  ['E9', { section: '9', claim: 'Same guard function twice = two entries' }],
  ['E10', { section: '9', claim: 'run_code is reserved even with only native executors' }],
  ['E11', { section: '9', claim: "get('toString')-style names: use Maps, not objects" }],
  ['E12', { section: '9', claim: 'schemas() on 5 000-deep parameters (no structuredClone)' }],
  ['E13', { section: '9', claim: 'A listener prepended later cannot turn a guard denial into allow' }],
  ['E14', { section: '9', claim: 'Conditional tool + missing toolSet = unknown, but still shown by get' }],
  ['E15', { section: '9', claim: 'Set resolved for agent A must admit nothing for agent B' }],
  [
    'E16',
    { section: '9', claim: 'Replacement registered between resolve and dispatch is not admitted by name' },
  ],
  ['E17', { section: '9', claim: 'On the host side -0 rejected everywhere incl' }],
  ['E18', { section: '9', claim: 'Hole + extra property arrays ("compensated sparse")' }],
  ['E19', { section: '9', claim: 'Non-enumerable extra property or symbol on array/object' }],
  ['E20', { section: '9', claim: 'Cross-realm plain objects accepted, re-homed' }],
  ['E21', { section: '9', claim: 'Forged Object prototype, revoked proxy constructor' }],
  ['E22', { section: '9', claim: 'Stateful getter returning a different value on second read' }],
  ['E23', { section: '9', claim: 'Shared non-cyclic references allowed, copied apart' }],
  ['E24', { section: '9', claim: 'Own __proto__ key preserved' }],
  ['E25', { section: '9', claim: "required: ['toString'] must not be satisfied by inheritance" }],
  [
    'E26',
    { section: '9', claim: 'On the host side {x: undefined}: missing if required, non-lossless if not' },
  ],
  ['E27', { section: '9', claim: 'Undefined-valued own keywords in schemas are errors' }],
  ['E28', { section: '9', claim: 'oneOf exactly-one: overlapping number/integer fails for integers' }],
  ['E29', { section: '9', claim: 'Type arrays get their own message' }],
  ['E30', { section: '9', claim: 'Same schema object used twice is fine' }],
  ['E31', { section: '9', claim: 'Validation must be total against proxies' }],
  ['E32', { section: '9', claim: 'Wide violations lists must not be spread as arguments' }],
  ['E33', { section: '9', claim: 'Presenters soft-fail on old logged args' }],
  ['E34', { section: '9', claim: 'Defaults are never applied' }],
  ['E35', { section: '9', claim: '50-level types compile' }],
  ['E36', { section: '9', claim: 'Each input getter read once, including on the error path' }],
  ['E37', { section: '9', claim: 'Lossy arguments beat pre-abort' }],
  [
    'E38',
    {
      section: '9',
      claim:
        'Pre-aborted call: still materialises args, still one frozen result event, finalizer still runs, zero policy phases',
    },
  ],
  ['E39', { section: '9', claim: 'Denial arriving after abort stays a denial' }],
  ['E40', { section: '9', claim: 'Approval granted after abort must not dispatch' }],
  ['E41', { section: '9', claim: 'Approval cancelled with live caller is a denial' }],
  ['E42', { section: '9', claim: 'Ask without agent must not prompt' }],
  ['E43', { section: '9', claim: 'Rogue approval outcome → denial, not allow' }],
  ['E44', { section: '9', claim: 'Wrapper replaced signal must not detach the caller' }],
  ['E45', { section: '9', claim: 'Wrapper that supplies an aborted signal → before-dispatch code' }],
  ['E46', { section: '9', claim: 'Short-circuit + abort → before-dispatch code but keeps wrapper contexts' }],
  ['E47', { section: '9', claim: 'Cached result of another call re-validated' }],
  ['E48', { section: '9', claim: 'Wrapper-authored success content ignored' }],
  [
    'E49',
    { section: '9', claim: 'Tool unregistered during post-execute + value replacement → UNKNOWN_TOOL' },
  ],
  ['E50', { section: '9', claim: 'accept with both value and content, even undefined' }],
  ['E51', { section: '9', claim: 'Block with non-text/empty feedback message' }],
  ['E52', { section: '9', claim: 'Block drops tool-deferred contexts, keeps its own' }],
  ['E53', { section: '9', claim: 'Tool throw keeps deferred contexts' }],
  ['E54', { section: '9', claim: 'Throwing finalizer is not re-invoked' }],
  [
    'E55',
    { section: '9', claim: 'Finalizer captured before args are read (a getter may unregister the tool)' },
  ],
  [
    'E56',
    {
      section: '9',
      claim: 'Finalizer runs even if the tool was disposed in pre-execute and pre-execute threw',
    },
  ],
  [
    'E57',
    {
      section: '9',
      claim: 'Lossy meta/content caught before finalizer so caps still apply to the error text',
    },
  ],
  ['E58', { section: '9', claim: 'Observer throwing an object whose toString throws' }],
  ['E59', { section: '9', claim: 'Async rejecting observer contained' }],
  ['E60', { section: '9', claim: 'Thrown Proxy trapping getPrototypeOf/has/get → fixed text' }],
  ['E61', { section: '9', claim: 'throw {code: 500} → "[object Object]"' }],
  ['E62', { section: '9', claim: 'Value frozen before wrappers see it' }],
  ['E63', { section: '9', claim: 'Body that ignores abort keeps the call pending' }],
  ['E64', { section: '9', claim: 'concludesTurn vanishes when policy turns success into failure' }],
  ['E65', { section: '9', claim: 'Collapsed direct call must not reach approval' }],
  ['E66', { section: '9', claim: 'Synthetic call+result pairs for all skipped calls, incl' }],
  ['E67', { section: '9', claim: 'Reclassification after a commit changed the tool' }],
  ['E68', { section: '9', claim: 'Result observer replacing a tool mid-pool stops replenishing' }],
  ['E69', { section: '9', claim: 'Commit precedes replenishing start' }],
  ['E70', { section: '9', claim: 'Later-settled earlier call delays commits of later ones' }],
  ['E71', { section: '9', claim: 'Contexts only after ALL results' }],
  ['E72', { section: '9', claim: 'Internal failure drains' }],
  ['E73', { section: '9', claim: 'Invalid JSON arguments text passed as string' }],
  ['E74', { section: '9', claim: 'Raw argument text logged, not parsed' }],
  ['E75', { section: '9', claim: 'Start event only when actually started' }],
  ['E76', { section: '9', claim: 'Exclusive barrier includes post-execute' }],
  ['E77', { section: '9', claim: 'Slow pre-execute of call 1 must block start of call 2' }],
  ['E78', { section: '9', claim: 'Value delivered before log shaping' }],
  ['E79', { section: '9', claim: 'Runtime rejecting after starting a call still drains' }],
  [
    'E80',
    {
      section: '9',
      claim:
        'tools.x() with no argument is dispatched as {}; tools.x(1), tools.x([]), tools.x(null) are refused with a hint (an arguments object is wanted)',
    },
  ],
  [
    'E81',
    {
      section: '9',
      claim: 'bigint, Map, function, NaN, throwing getter (Error and string) args rejected, nothing logged',
    },
  ],
  ['E82', { section: '9', claim: 'Logged arguments independent of what the tool got' }],
  ['E83', { section: '9', claim: '5 000-deep args through dispatch and log (host side' }],
  ['E84', { section: '9', claim: 'Image removed by post-policy must not be forwarded' }],
  ['E85', { section: '9', claim: 'Contexts survive a later program failure' }],
  ['E86', { section: '9', claim: 'null result vs absent result differ' }],
  ['E87', { section: '9', claim: 'Empty string result + no logs → "no output" marker' }],
  ['E88', { section: '9', claim: 'Pretty printer compacts beyond 10 indent chars' }],
  ['E89', { section: '9', claim: 'ToolCallError message has no "Error:" prefix' }],
  ['E90', { section: '9', claim: 'Description whitespace-only rejected' }],
  ['E91', { section: '9', claim: 'Prompt order: rule before guidance before SDK' }],
  ['E92', { section: '9', claim: 'Literal {{x}} in descriptions' }],
  ['E93', { section: '9', claim: '*/ in descriptions' }],
  [
    'E94',
    { section: '9', claim: 'A nested construct without a TypeScript form is unknown at that spot only' },
  ],
  ['E95', { section: '9', claim: 'Unknown language named toString' }],
  ['E96', { section: '9', claim: 'Decoy pending call must not pause the compute budget' }],
  ['E97', { section: '9', claim: 'Waiting on a slow binding must not consume compute' }],
  ['E98', { section: '9', claim: 'A timer above 2^31-1 ms must be rejected (Node clamps it to 1 ms)' }],
  ['E99', { section: '9', claim: 'Exact byte boundaries with multibyte and escapes' }],
  ['E100', { section: '9', claim: 'Oversized abort reason or syntax error → output-limit' }],
  ['E101', { section: '9', claim: 'Giant Error stack never crosses' }],
  ['E102', { section: '9', claim: 'Log prefix cut on code-point boundary' }],
  ['E104', { section: '9', claim: 'Late binding resolution after settlement dropped' }],
  ['E105', { section: '9', claim: 'Pipe output queued before termination drained into logs' }],
  ['E106', { section: '9', claim: 'Forged port messages incl' }],
  ['E107', { section: '9', claim: 'Mutated intrinsics' }],
  ['E108', { section: '9', claim: 'Stack or message property of a non-string type' }],
  ['E109', { section: '9', claim: 'tools["hasOwnProperty"] undefined on the namespace unless declared' }],
  ['E110', { section: '9', claim: 'Error class without namespace stays plain Error' }],
  [
    'E111',
    {
      section: '9',
      claim:
        'Binding validation happens before the abort check and before spawn (misuse rejects even if aborted)',
    },
  ],
  ['E112', { section: '9', claim: 'Cancellation racing each async setup step must not spawn' }],
  ['E114', { section: '9', claim: 'Disposal during a run → abort result, not rejection' }],
  ['E115', { section: '9', claim: 'UTF-8 split across stdout chunks' }],
  ['E116', { section: '9', claim: "Line 1's column shift of the wrapper" }],
  ['E117', { section: '9', claim: 'Wrapper-escape text }\\nfunction q(){' }],
  [
    'E118',
    {
      section: '9',
      claim:
        'accept decision with own value: undefined counts as value replacement → INVALID_TOOL_OUTPUT, so spreading a downstream decision must not create …',
    },
  ],
  [
    'E119',
    {
      section: '9',
      claim:
        'A commit-style observer of a NESTED result must wait for the outer call: keep the nested result pending under its parent token and commit only …',
    },
  ],
  [
    'E120',
    {
      section: '9',
      claim: 'Approval ask with a reason but no service denies with that reason as the model-visible message',
    },
  ],
  ['E121', { section: '9', claim: 'Guards see calls only after policy' }],
  [
    'E122',
    {
      section: '9',
      claim: 'A scoped listener on tools/result must still be routed by agent on the lossy-arguments path',
    },
  ],
  [
    'E123',
    {
      section: '9',
      claim: "tools/change listeners registered inside a scope still see other scopes' changes",
    },
  ],
  ['E124', { section: '9', claim: 'isConcurrencySafe for raw tools gets parsed args as is' }],
  [
    'E125',
    {
      section: '9',
      claim: 'A program that catches a denial and returns normally yields a successful outer call',
    },
  ],
  ['E126', { section: '9', claim: 'Sub-call denial text reaches the program as ToolCallError.message' }],
  [
    'E127',
    { section: '9', claim: "With log, events of sub-calls must be inside the outer call's open turn" },
  ],
  [
    'E128',
    {
      section: '9',
      claim: 'Two namespaces may not share an error class name, nor a class name equal a namespace global',
    },
  ],
  ['W1', { section: '10', claim: 'Accepted as the same program: a bare body' }],
  [
    'W2',
    {
      section: '10',
      claim:
        "When the body has no top-level return and its last statement is an expression, that expression's (awaited) value is the result, notebook style",
    },
  ],
  [
    'W3',
    {
      section: '10',
      claim:
        'Line numbers count in the text the model sent (from the first line after the fence when there is one)',
    },
  ],
  [
    'W4',
    {
      section: '10',
      claim:
        'import/export (except W1)/require/process/fetch/fs… fail with one sentence that says it is not available and what to use instead (the tools that …',
    },
  ],
  [
    'W5',
    {
      section: '10',
      claim: 'Empty, blank, comment-only program: success with no value, marked "completed with no output"',
    },
  ],
  [
    'W6',
    {
      section: '10',
      claim:
        'Unknown tool tools.serach(...): rejects with a ToolCallError that names up to three closest declared names',
    },
  ],
  [
    'W7',
    {
      section: '10',
      claim:
        'Result hints: JSON.parse of a value that is already an object fails with a hint that tool results are parsed values',
    },
  ],
  [
    'W8',
    {
      section: '10',
      claim: 'Words such as constructor, process, eval inside strings, comments or data are data',
    },
  ],
  ['W9', { section: '10', claim: "Names the wrapper uses cannot clash with the program's own declarations" }],
  [
    'W10',
    {
      section: '10',
      claim:
        'Guest globals: the ECMAScript built-ins, console, setTimeout/clearTimeout/setInterval/clearInterval (bounded by the wall budget, cleared at the …',
    },
  ],
  [
    'W11',
    {
      section: '10',
      claim:
        'Values that leave the program (arguments, completion) are converted in the guest first: an undefined property is omitted and an undefined array …',
    },
  ],
  [
    'X1',
    {
      section: '11',
      claim:
        'structuredContent present → it is the canonical value (validated against outputSchema when declared',
    },
  ],
  ['X2', { section: '11', claim: 'isError: true → the call fails with the text as message' }],
  [
    'X3',
    {
      section: '11',
      claim:
        'Images and audio stay in the content (forwarded per C50) and are data blocks in the value, never dumped as base64 into text',
    },
  ],
  ['X4', { section: '11', claim: 'tools/call always sends an arguments object' }],
  [
    'X5',
    { section: '11', claim: 'Tool names from several servers are server + separator + name, reversible' },
  ],
  [
    'X6',
    {
      section: '11',
      claim:
        'notifications/tools/list_changed re-reads the list: new tools appear in the next SDK text, removed ones fail as UNKNOWN_TOOL, a changed definition …',
    },
  ],
]);
