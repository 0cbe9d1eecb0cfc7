export { nodeExecution } from "./execution/node-execution.js";
export { isToolError, ToolError, type ToolErrorDetails, type ToolErrorKind } from "./tool-error.js";
export { toolsRoot } from "./tools-root.js";
