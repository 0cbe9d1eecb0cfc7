import type { ToolDescriptions } from "@ashlar/context/tool";
import { toolDescription as close } from "../../src/tools/worker-close.js";
import { toolDescription as create } from "../../src/tools/worker-create.js";
import { toolDescription as message } from "../../src/tools/worker-message.js";
import { toolDescription as status } from "../../src/tools/worker-status.js";

/** The worker tools, from the sources. */
export const workerTools: ToolDescriptions = { ...create(), ...message(), ...status(), ...close() };
