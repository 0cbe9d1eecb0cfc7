export type { JsonSchema, JsonValue } from "./json.js";
export type { Block } from "./message.js";
export {
  type Answer,
  type Execution,
  type FileKind,
  type FileStat,
  type Files,
  type OpenFile,
  type Question,
  type QuestionBridge,
  type StandardSchema,
  TOOL_CONTRACT,
  type ToolContext,
  type ToolDescription,
  type ToolDescriptions,
  type ToolEnv,
  type ToolFunction,
  type ToolModule,
  type ToolPayload,
  type ToolResult,
  type ToolSettings,
} from "./tool/contract.js";
export { defineTool } from "./tool/define-tool.js";
export { nextToolRevision, toolRevision } from "./tool-revision.js";
