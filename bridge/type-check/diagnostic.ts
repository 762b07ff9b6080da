/** One message of the checker, as it sends it. Positions count UTF-16 units from the start of the file. */
export interface RawDiagnostic {
  readonly fileName?: string;
  readonly pos: number;
  readonly end: number;
  readonly code: number;
  readonly text: string;
  readonly messageChain?: readonly RawDiagnostic[];
  readonly relatedInformation?: readonly RawDiagnostic[];
}

/** Everything that a diagnostic says, outermost first, one line each. */
export function linesOf(diagnostic: RawDiagnostic): string[] {
  const lines: string[] = [];
  const stack: RawDiagnostic[] = [diagnostic];
  while (stack.length > 0) {
    const next = stack.pop()!;
    lines.push(next.text);
    for (const inner of [...(next.messageChain ?? [])].reverse()) stack.push(inner);
  }
  return lines;
}
