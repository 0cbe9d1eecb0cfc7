/** Follows JSON text fragment by fragment; work is linear in the fragment. */
export class ArgumentScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #complete = false;

  /** The outermost object or array has closed. */
  get complete(): boolean {
    return this.#complete;
  }

  push(fragment: string): void {
    for (let i = 0; i < fragment.length; i++) this.#step(fragment.charAt(i));
  }

  #step(character: string): void {
    if (this.#inString) this.#stepInString(character);
    else if (character === '"') this.#inString = true;
    else if (character === "{" || character === "[") this.#depth += 1;
    else if ((character === "}" || character === "]") && this.#depth > 0) {
      this.#depth -= 1;
      if (this.#depth === 0) this.#complete = true;
    }
  }

  #stepInString(character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (character === "\\") this.#escaped = true;
    else if (character === '"') this.#inString = false;
  }
}
