/** A provider class that keeps the contract and talks to nobody. */
export class FakeProvider {
  static readonly contract = 1;
  static readonly provider = {
    label: "Fake",
    capabilities: { streaming: true, thinking: [], tools: true },
  };
  readonly close = (): void => undefined;
}
