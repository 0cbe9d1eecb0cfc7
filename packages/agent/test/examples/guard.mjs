/** Watches: told after the fact, never waited for. Names stand in `Agent.EVENT` and `Env.EVENT`. */
export const hooks = (env) => ({
  TOOL_RESULT: ({ result }, agent) => {
    if (result.error) console.error(`${env.name}, ${agent.name}: ${result.name} failed`);
  },
});

/** Takes part: waited for, and may say no. */
export const interceptors = () => ({
  name: "house rules",
  beforeTool: ({ name, arguments: { command } }) =>
    name === "bash" && /\bgit\s+push\b/.test(command)
      ? { block: "people push here, after a look at the change" }
      : undefined,
  afterTool: ({ content }) => ({
    content: content.map((block) =>
      block.type === "text" ? { ...block, text: block.text.replace(/ghp_\w+/g, "(a token)") } : block,
    ),
  }),
});
