/** The first section of a prompt in which `run_code` is the only way to the tools. */
export const directCallRule = `Only \`run_code\` can be called directly. Every other tool in this prompt is reached from the program you pass to \`run_code\`, as \`await tools.name(args)\`.`;

/**
 * The fixed part of the SDK section: how programs are written.
 *
 * @param languageLevel what the engine speaks, e.g. `ES2023`.
 */
export function sdkInstructions(languageLevel = 'ES2023'): string {
  return `## Programs for \`run_code\`

\`code\` is the body of an async function: \`await\` and \`return\` work at the top. Write TypeScript or JavaScript (${languageLevel}); prefer erasable syntax (no enum, namespace, parameter properties, decorators). Types are erased: nothing checks them at run time. There are no imports, files, network or process; what you need is in \`tools\`.

- Call a tool with one object: \`await tools.name(args)\`. A name that is no identifier is quoted: \`await tools["my-tool"](args)\`. A declaration does not make the name callable by itself: write \`tools.\` before it.
- A call resolves to the tool's typed result, already parsed JSON. \`JsonValue\` means that the tool does not say what it returns: look at one result before you rely on its shape. Arguments must be lossless JSON: no Map, Set, bigint, NaN, function or cycle.
- A failed call rejects with a ToolCallError (\`toolName\`, \`message\`, perhaps \`code\`). Catch it if the program can go on.
- Await every call. Independent read-only calls overlap under \`Promise.all\`; calls that change something run alone, in the order in which they were made.
- Only the returned value and \`console\` output come back to you, so return what you need and not more. Images in results are attached after the run.
- A call takes \`{ timeoutMs?, signal? }\` as an optional second argument.

Example, with invented tools:

    const ids = ["a1", "b2", "c3"];
    const orders = await Promise.all(ids.map((id) => tools.get_order({ id })));
    const late = orders.filter((order) => order.status === "late");
    try {
      await tools["send-mail"]({ to: "ops@example.com", text: \`\${late.length} late\` }, { timeoutMs: 5000 });
    } catch (error) {
      console.log("not sent:", error.message);
    }
    return late.map(({ id, due }) => ({ id, due }));

The tools that exist:`;
}
