// @ashlar/provider-test
//   DelayStep
//   ErrorStep
//   ResultQuote
//   Script
//   ScriptedFailure
//   Step
//   Test
//   TestError
//   TestErrorDetails
//   TestErrorKind
//   TextPart
//   TextStep
//   ThinkingStep
//   ToolCallStep
//   Turn
//   parseScript

interface DelayStep {
    readonly delay: number;
}
interface ErrorStep {
    readonly error: string | ScriptedFailure;
}
interface ResultQuote {
    readonly result: string;
    readonly line?: number;
}
type Script = readonly Turn[];
interface ScriptedFailure {
    readonly message: string;
    readonly kind?: RequestErrorKind;
    readonly status?: number;
    readonly retryAfterMs?: number;
    readonly retryable?: boolean;
}
type Step = ThinkingStep | TextStep | ToolCallStep | ErrorStep | DelayStep;
const Test: ProviderClass;
class TestError<Kind extends TestErrorKind = TestErrorKind> extends AshlarError<Kind, TestErrorDetails[Kind]> {
}
interface TestErrorDetails {
    malformed: {
        readonly at: string;
    };
}
type TestErrorKind = keyof TestErrorDetails;
type TextPart = string | ResultQuote;
interface TextStep {
    readonly text: string | readonly TextPart[];
}
interface ThinkingStep {
    readonly thinking: string;
}
interface ToolCallStep {
    readonly toolCall: {
        readonly name: string;
        readonly arguments?: unknown;
        readonly callId?: string;
    };
}
type Turn = readonly Step[];
function parseScript(source: unknown, at: string): Script;
