/** Something that happens once, and can be waited for. */
export class Gate {
  readonly opened: Promise<true>;
  #open: () => void = () => undefined;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#open = () => resolve(true);
    });
  }

  open(): void {
    this.#open();
  }
}
