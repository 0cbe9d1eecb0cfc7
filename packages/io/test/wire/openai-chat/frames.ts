import type { ToolCallBlock } from "@ashlar/context";

export function delta(fields: unknown): unknown {
  return { choices: [{ index: 0, delta: fields }] };
}

export function content(text: string): unknown {
  return delta({ content: text });
}

export function calls(...entries: readonly unknown[]): unknown {
  return delta({ tool_calls: entries });
}

export function finish(word: string): unknown {
  return { choices: [{ index: 0, delta: {}, finish_reason: word }] };
}

export function callsOf(
  content: readonly { readonly type: string }[],
): readonly Omit<ToolCallBlock, "type">[] {
  return content
    .filter((block): block is ToolCallBlock => block.type === "toolCall")
    .map(({ callId, name, arguments: value }) => ({ callId, name, arguments: value }));
}
