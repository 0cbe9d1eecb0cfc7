import type { IsolatedRequest } from "../isolation/isolation.js";
import type { CallMessage } from "./worker-message.js";

/** The first message to the process of a call. */
export function callMessage(request: IsolatedRequest): CallMessage {
  const { file, name, args, callId, safe, policy, settings, services } = request;
  return {
    type: "call",
    file,
    name,
    args,
    callId,
    cwd: policy.cwd,
    projectCwd: request.projectFolder,
    settings,
    deadline: request.deadline(),
    safe,
    questionBridge: services.names.includes("question"),
    background: services.names.includes("background"),
    changes: services.names.includes("changes"),
    skills: services.names.includes("skills"),
  };
}
