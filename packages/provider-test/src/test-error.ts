import { AshlarError } from "@ashlar/context";

export interface TestErrorDetails {
  /** Place of the mistake, such as `settings.script[1][0].delay`. */
  malformed: { readonly at: string };
}
export type TestErrorKind = keyof TestErrorDetails;

/** What the scripted model fails with before it says anything. */
export class TestError<Kind extends TestErrorKind = TestErrorKind> extends AshlarError<
  Kind,
  TestErrorDetails[Kind]
> {}
