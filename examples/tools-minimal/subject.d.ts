import type { ToolPackSubject } from "@ashlar/agent/testing";

export declare const subject: ToolPackSubject;
