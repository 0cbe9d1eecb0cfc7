export type { JsonSchema, JsonValue } from "./json.js";
export type { Block } from "./message.js";
export {
  type Answer,
  type BackgroundCommand,
  type BackgroundCommands,
  type BackgroundOutput,
  type Execution,
  type FileChange,
  type FileChanges,
  type FileKind,
  type FileStat,
  type Files,
  type OpenFile,
  type Question,
  type QuestionBridge,
  type Shell,
  type ShellExit,
  type ShellOptions,
  type StandardSchema,
  TOOL_CONTRACT,
  type ToolContext,
  type ToolDescription,
  type ToolDescriptions,
  type ToolEnv,
  type ToolFunction,
  type ToolModule,
  type ToolPayload,
  type ToolRecords,
  type ToolResult,
  type ToolSettings,
  type WriteOptions,
} from "./tool/contract.js";
export { defineTool } from "./tool/define-tool.js";
export type { ToolContent, ToolSkill, ToolSkillFile, ToolsRefresh } from "./tool/tool-content.js";
export type { ClosedWorker, Worker, WorkerModel, WorkerRequest, Workers } from "./tool/workers.js";
export { nextToolRevision, toolRevision } from "./tool-revision.js";
