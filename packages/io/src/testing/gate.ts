/** Something that happens once, and can be waited for. */
export class Gate {
  readonly opened: Promise<void>;
  #open: () => void = () => undefined;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }
}
