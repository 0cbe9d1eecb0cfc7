// @ashlar/tools-std
//   ToolError
//   ToolErrorDetails
//   ToolErrorKind
//   isToolError
//   nodeExecution
//   toolsRoot

class ToolError<Kind extends ToolErrorKind = ToolErrorKind> extends AshlarError<Kind, ToolErrorDetails[Kind]> {
}
interface ToolErrorDetails {
    usage: {
        readonly argument: string;
    };
    missing: {
        readonly path: string;
    };
    outside: {
        readonly path: string;
        readonly target: string;
    };
    refused: {
        readonly path?: string;
        readonly reason: string;
    };
    unreadable: {
        readonly path: string;
        readonly code?: string;
    };
    unwritable: {
        readonly path: string;
        readonly code?: string;
    };
    changed: {
        readonly path: string;
    };
    timeout: {
        readonly limitMs: number;
    };
    cancelled: Record<string, never>;
}
type ToolErrorKind = keyof ToolErrorDetails;
function isToolError(value: unknown): value is ToolError;
function nodeExecution(): Execution;
const toolsRoot: string;
