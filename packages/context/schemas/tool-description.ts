import { z } from "zod";
import type { ToolDescription } from "../src/tool/contract.js";

/** What of a tool's description is data; its functions stay where the tool is. */
type DescriptionData = Omit<ToolDescription, "readOnly" | "writes" | "onTimeout" | "fn" | "inputSchema"> & {
  readonly inputSchema: Readonly<Record<string, unknown>>;
};

const flag = z.boolean().exactOptional();

export const schema: z.ZodType<DescriptionData> = z.strictObject({
  description: z.string().min(1).describe("Tells the model what the tool does."),
  inputSchema: z.record(z.string(), z.unknown()).describe("JSON Schema of the arguments."),
  safe: flag.describe("Claims to change nothing."),
  trusted: flag.describe("Asks to run in the host's process; honoured for the host's own roots only."),
  sandbox: flag.describe("Always in the sandbox, even when safe."),
  interactive: flag.describe("Needs a question bridge."),
  secret: flag.describe("Never published to a model; a person may call it."),
  replay: z
    .enum(["never", "safe"])
    .exactOptional()
    .describe("May an interrupted call be run again? Default never."),
});

export const contract = { version: 1, runtime: false, title: "The data of a tool's description" };
