import type { NextTurnReply } from "../hooks/interceptor.js";
import { errorText } from "../loop/tool-value.js";
import type { BorrowedModel, RunHost } from "./run-host.js";

/** The model that hooks chose for the rest of a run. */
export class ModelSwitch {
  #borrowed: BorrowedModel | undefined;

  /** The host with what is wanted. A model that cannot be had is reported, and the one before stays. */
  async apply(host: RunHost, { model, thinking }: NextTurnReply): Promise<RunHost> {
    const switched =
      model === undefined || model === host.streamOptions.model ? host : await this.#take(host, model);
    // How hard it thinks is kept from model to model, as the run was told.
    const level = thinking ?? host.streamOptions.thinking;
    if (level === undefined || level === switched.streamOptions.thinking) return switched;
    return { ...switched, streamOptions: { ...switched.streamOptions, thinking: level } };
  }

  /** Lets go of what was borrowed. */
  async end(): Promise<void> {
    const borrowed = this.#borrowed;
    this.#borrowed = undefined;
    await borrowed?.release();
  }

  async #take(host: RunHost, model: string): Promise<RunHost> {
    try {
      const { release, ...borrowed } = host.withModel(model);
      await this.end();
      this.#borrowed = { ...borrowed, release };
      const { retry, context } = borrowed.modelPolicy;
      return { ...host, ...borrowed, policy: { ...host.policy, retry, context } };
    } catch (error) {
      host.emitter.notice(`The run keeps ${host.streamOptions.model}: ${errorText(error)}`);
      return host;
    }
  }
}
