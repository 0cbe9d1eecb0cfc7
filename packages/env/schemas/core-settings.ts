import { z } from "zod";
import { DURATION_PATTERN } from "../src/duration.js";
import type { CoreSettings, EndpointSettings } from "../src/settings/core-settings.js";

const everywhere = { "x-layers": ["package", "packages", "user", "project", "constructor"] };
const trusted = { "x-layers": ["package", "packages", "user", "constructor"] };
const hosts = { "x-layers": ["package", "user", "constructor"] };

const duration = z.union([
  z.number().positive(),
  z.string().regex(new RegExp(DURATION_PATTERN)).meta({ "x-is": 'a text such as "30s" or "5m"' }),
]);

const names = z.array(z.string().min(1));

const endpoint: z.ZodType<EndpointSettings> = z.looseObject({
  provider: z.string().min(1).describe("Protocol name, such as ollama, openai or openai-chat.").optional(),
  url: z.string().min(1).describe("Base URL of the server.").optional(),
  disabled: z.boolean().describe("Hides the endpoint and refuses connections; credentials stay.").optional(),
  secret: z.boolean().describe("Leaves its models out of lists.").optional(),
  filter: z
    .string()
    .describe("Regular expression; models whose id does not match are left out of lists.")
    .optional(),
  contextWindow: z.int().positive().describe("Tokens; wins over what the server says.").optional(),
  tools: z
    .record(z.string(), z.boolean())
    .describe("false opts one of the provider's own tools out.")
    .optional(),
  models: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe("Per model: the same keys, for this model only.")
    .optional(),
});

/** Names that hold model providers' keys, and patterns for the rest. */
const secretNames = [
  "OPENAI_API_KEY",
  "AZURE_OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "XAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "MOONSHOT_API_KEY",
  "KIMI_API_KEY",
  "DEEPSEEK_API_KEY",
  "MISTRAL_API_KEY",
  "GROQ_API_KEY",
  "OPENROUTER_API_KEY",
  "TOGETHER_API_KEY",
  "FIREWORKS_API_KEY",
  "COHERE_API_KEY",
  "PERPLEXITY_API_KEY",
  "NVIDIA_API_KEY",
  "CEREBRAS_API_KEY",
  "SAMBANOVA_API_KEY",
  "AI21_API_KEY",
  "VOYAGE_API_KEY",
  "DASHSCOPE_API_KEY",
  "HUGGINGFACE_API_KEY",
  "HF_TOKEN",
  "REPLICATE_API_TOKEN",
  "*KEY*",
  "*TOKEN*",
  "*SECRET*",
  "*PASSWORD*",
];

export const schema: z.ZodType<CoreSettings> = z.object({
  model: z
    .string()
    .min(1)
    .optional()
    .meta({
      description: "Model used when none is named: `endpoint/model`.",
      examples: ["ollama/qwen3"],
      ...everywhere,
    }),
  providers: z
    .record(z.string(), endpoint)
    .default({})
    .meta({
      description:
        "Endpoints by name. A stored credential is never sent to a url that a less trusted layer changed.",
      ...everywhere,
    }),
  packages: names.default([]).meta({
    description:
      "Provider, tool and content packages by name, or paths that start with `.` or `/`. Found beside the settings file that names them, then in `$XDG_DATA_HOME/ashlar/packages`; never installed.",
    ...hosts,
  }),
  tools: z
    .object({
      folders: names
        .default([])
        .meta({ description: "More folders of tool modules, as absolute paths.", ...trusted }),
      timeout: duration
        .default(120_000)
        .meta({ description: "Time for one call: milliseconds, or a text such as `30s`.", ...everywhere }),
      timeoutLimit: duration
        .default(1_200_000)
        .meta({ description: "The most time a call may ask for.", ...everywhere }),
      concurrency: z
        .int()
        .min(1)
        .default(3)
        .meta({ description: "Safe calls that run at the same time.", ...everywhere }),
    })
    .meta({ "x-group": true }),
  skills: z
    .object({
      folders: names.default([]).meta({
        description:
          "More folders of skills. A relative path starts at the settings file; the project's own skills are stronger.",
        ...trusted,
      }),
    })
    .meta({ "x-group": true }),
  prompts: z
    .object({
      folders: names.default([]).meta({
        description:
          "More folders of prompts. A relative path starts at the settings file; the project's own prompts are stronger.",
        ...trusted,
      }),
    })
    .meta({ "x-group": true }),
  "env-allow": z
    .union([names, z.literal(false)])
    .default(false)
    .meta({
      description:
        "Keeps only these environment variables for child processes, and wins over env-refuse. `*` stands for any characters; false skips the stage.",
      ...trusted,
    }),
  "env-refuse": z
    .union([names, z.literal(false)])
    .default(secretNames)
    .meta({
      description:
        "Environment variables that child processes do not get. `*` stands for any characters, case does not matter; false skips the stage.",
      ...trusted,
    }),
});

export const contract = { version: 1, partial: true, title: "Settings of the environment" };
