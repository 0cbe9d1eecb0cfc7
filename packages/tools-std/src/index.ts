export { nodeExecution } from "./execution/node-execution.js";
export { toolsRoot } from "./tools-root.js";
