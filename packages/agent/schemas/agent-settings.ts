import { z } from "zod";
import { type AgentSettings, DEFAULT_AGENT_SETTINGS } from "../src/agent-settings.js";

const { context, retry, budget, maxActive, sandbox, sessions } = DEFAULT_AGENT_SETTINGS;

const duration = z.union([
  z.number().positive(),
  z.string().min(1).meta({ "x-is": 'a text such as "30s" or "5m"' }),
]);
const limit = z.union([z.number().positive(), z.literal(false)]);
const fraction = z.number().positive().max(100);

export const schema: z.ZodType<AgentSettings> = z.object({
  context: z
    .looseObject({
      cap: fraction.describe("Part of the model's window that no request passes; above 1 it is percent."),
      turn: fraction.describe("Part of the window by which one turn may grow the context."),
      assumedWindow: z.int().positive().describe("Tokens: the window when nobody knows the real one."),
      autocompact: z
        .union([z.number().min(0).max(100), z.literal(false)])
        .describe(
          "Part of the window at which a summary takes the place of old messages; above 1 it is percent. 0, 1 and false: only by hand.",
        ),
      autocompactMax: z
        .union([z.int().min(0), z.literal(false)])
        .describe("Tokens at which that happens whatever the window; 0 and false: no such limit."),
    })
    .partial()
    .default(context)
    .describe(
      "When a conversation is compacted and when a run stops because the context grew. `providers.<name>.context` and that of a model win, key by key.",
    ),
  retry: z
    .looseObject({
      attempts: z.int().positive().describe("Attempts of one request, the first one included."),
      base: duration.describe("Wait before the second attempt; doubles from there."),
      max: duration.describe("No wait is longer; a provider that asks for more ends the turn."),
    })
    .partial()
    .default(retry)
    .describe("How failed requests are sent again."),
  budget: z
    .looseObject({
      requests: limit.describe("Requests."),
      tokens: limit.describe("Input and output tokens."),
      duration: z.union([duration, z.literal(false)]).describe("Time; counts while nobody can be asked."),
      cost: limit.describe("US dollars; needs a model with a price."),
      depth: z.int().min(0).describe("Levels of children."),
      width: z.int().min(0).describe("Children at one time."),
      repeats: z
        .union([z.int().min(2), z.literal(false)])
        .describe("Equal calls with equal results, nothing changed in between; half of it tells the model."),
    })
    .partial()
    .default(budget)
    .describe("What one run and its children may spend; false switches a limit off."),
  maxActive: z
    .union([z.int().min(0), z.literal(false)])
    .default(maxActive)
    .describe("Agents at one time, also per endpoint and model; false is none."),
  sandbox: z
    .looseObject({
      network: z.enum(["none", "full"]).describe("`none`: a call reaches nothing but itself."),
      steering: z
        .enum(["ask", "open"])
        .describe(
          "`ask`: AGENTS.md, skills and prompts that are there are changed by write and edit alone, which ask; `open`: by any call.",
        ),
      fileBytes: z.int().min(512).describe("The largest file that may be written."),
      memoryBytes: z.int().min(1).describe("Memory of all processes of a call together; absent: no limit."),
      processes: z.int().min(32).describe("Processes and threads of a call."),
      temporaryBytes: z.int().min(4096).describe("Size of the private temporary folder, held in memory."),
    })
    .partial()
    .default(sandbox)
    .describe(
      'What a call that changes something may use, in its sandbox. Of a project only `"network": "none"` counts.',
    ),
  sessions: z
    .looseObject({
      save: z.boolean().describe("Keep new conversations."),
      store: z.enum(["jsonl", "sqlite"]).describe("How they are kept; `sqlite` where the host offers it."),
      folder: z.string().min(1).describe("Absolute path; default `sessions` in the user's data folder."),
      sync: z
        .enum(["durable", "always", "never"])
        .describe("What is forced to the disk: the ends of turns, every commit, or nothing."),
    })
    .partial()
    .default(sessions)
    .describe("How conversations are kept."),
  permissions: z
    .unknown()
    .optional()
    .describe(
      'Ordered rules `{ "tool": "bash", "arguments": { "command": "git *" }, "action": "allow" | "ask" | "deny" }`; `*` stands for any characters. In each layer the first rule that fits counts, of the layers the strictest; a project may only ask or deny. Advice: the sandbox is the boundary.',
    ),
  system: z
    .string()
    .min(1)
    .optional()
    .describe(
      "System prompt: a text, or the path of a file: one word with a slash, or one that ends in .md or .txt.",
    ),
});

export const contract = { version: 1, partial: true, title: "Settings of the agent layer" };
